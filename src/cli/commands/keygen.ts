import { closeSync, openSync, writeSync } from 'node:fs';
import { generateKeyPair } from '../../agent/index.ts';
import { type Command, EXIT, UsageError } from '../command.ts';

/** Makes an agent's key pair. */
export const keygen: Command = {
  name: 'keygen',
  usage: '[--out FILE]',
  summary: "Make an agent's Ed25519 key pair: the public key to register, the private key to keep.",
  options: [{ flag: 'out', value: 'FILE', help: 'write the private key (PKCS #8 PEM) there, readable by you alone' }],
  notes: ['Without --out the private key is printed: as JSON, with both keys in base64url.'],
  run: async (args, terminal) => {
    if (args.positionals.length > 0) throw new UsageError('keygen takes no arguments');
    const { publicKey, publicKeyPem, privateKey, privateKeyPem } = generateKeyPair();
    const out = args.text('out');
    if (out === undefined) {
      terminal.line(JSON.stringify({ algorithm: 'ed25519', public_key: publicKey, private_key: privateKey }));
      return EXIT.ok;
    }
    let file: number;
    try {
      // 'wx' refuses a name that is taken: an overwritten key is lost for good.
      file = openSync(out, 'wx', 0o600);
    } catch (error) {
      const taken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      throw new UsageError(taken ? `${out} exists already` : `${out} cannot be written`);
    }
    try {
      writeSync(file, privateKeyPem);
    } finally {
      closeSync(file);
    }
    terminal.line(`public key   ${publicKey}`);
    terminal.line(`private key  ${out}`);
    terminal.line();
    terminal.line(publicKeyPem.trimEnd());
    return EXIT.ok;
  },
};
