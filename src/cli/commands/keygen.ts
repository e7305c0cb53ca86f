import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { generateKeyPair } from '../../agent/index.ts';
import { type Command, EXIT, FileProblem, UsageError } from '../command.ts';
import { systemProblem } from '../system-problem.ts';

/** Generates an agent's key pair. */
export const keygen: Command = {
  name: 'keygen',
  synopsis: ['[--out FILE]'],
  options: [
    { flag: 'out', value: 'FILE', help: 'write the private key (PKCS #8 PEM) to this file, which only you can read' },
  ],
  notes: [
    'The public key is what you register; the private key stays with the agent.',
    'Without --out both keys are printed, as JSON and in base64url. An existing file is never overwritten.',
  ],
  examples: [{ what: 'Generate a key pair for the agent billing-bot:', args: '--out billing-bot.pem' }],
  exitCodes: [
    ['0', 'the key pair was generated'],
    ['2', 'FILE exists or cannot be written, or wrong usage'],
  ],
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
      const problem = systemProblem(error, out);
      throw problem === null ? error : new FileProblem(problem);
    }
    try {
      writeSync(file, privateKeyPem);
      fsyncSync(file);
    } catch (error) {
      // Half a key is of no use to anybody, and its name would be taken.
      rmSync(out, { force: true });
      throw error;
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
