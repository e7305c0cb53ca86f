import { WitnessFolder, WitnessFolderError } from '../../node/witness/index.ts';
import {
  equivocationProofBytes,
  MAX_CHECKPOINT_BYTES,
  ProtocolError,
  parseServiceKeys,
  type ServiceKey,
  utf8,
} from '../../protocol/index.ts';
import { readSmallFile } from '../bundle-file.ts';
import { type Command, EXIT, FileProblem, type Option, type ParsedArgs, UsageError } from '../command.ts';
import { writeBytes } from '../new-file.ts';
import { printable } from '../printable.ts';
import { EffectiveTrust, TRUST_OPTIONS } from '../trust.ts';

const MAX_KEYS_BYTES = 1024 * 1024;

export const WITNESS_DIR_OPTION: Option = { flag: 'dir', value: 'DIR', help: 'the folder of the witness' };
export const KEYS_OPTION: Option = {
  flag: 'keys',
  value: 'FILE',
  multiple: true,
  help: 'service keys of a log that is new here, or whose key was rotated (countersign checkpoint --keys)',
};

/** @param name for a folder that is made now. @throws UsageError, WitnessFolderError */
export function witnessFolderOf(args: ParsedArgs, name: string | null = null): WitnessFolder {
  const dir = args.text('dir');
  if (dir === undefined) throw new UsageError('name the folder of the witness: --dir DIR');
  try {
    return WitnessFolder.open(dir, name);
  } catch (error) {
    throw error instanceof ProtocolError ? new UsageError(`--name: ${error.message}`) : error;
  }
}

export async function serviceKeysOf(args: ParsedArgs): Promise<ServiceKey[]> {
  const keys: ServiceKey[] = [];
  for (const path of args.list('keys')) {
    try {
      keys.push(...parseServiceKeys(await readSmallFile(path, MAX_KEYS_BYTES)));
    } catch (error) {
      throw error instanceof ProtocolError ? new FileProblem(`${path}: is not a file of service keys`) : error;
    }
  }
  return keys;
}

/** Prints the keys of a witness, and makes its folder. */
export const witnessKeys: Command = {
  name: 'witness keys',
  synopsis: ['--dir DIR [--name NAME]'],
  options: [
    WITNESS_DIR_OPTION,
    { flag: 'name', value: 'NAME', help: 'name of a witness that is made now, such as witness.example.org/w1' },
  ],
  notes: [
    'A line for each kind of key, as others pin them (vkey of C2SP signed-note): Ed25519, then ML-DSA-44.',
    'The folder holds the secret keys and what the witness has seen. Whoever sets it back to an older copy makes the witness forget: do not restore it from a backup.',
  ],
  examples: [
    { what: 'Make a witness, and keep its keys for others:', args: '--dir witness --name witness.example.org/w1' },
  ],
  exitCodes: [
    ['0', 'the keys were printed'],
    ['2', 'the folder cannot be used, or wrong usage'],
  ],
  expected: [WitnessFolderError],
  run: async (args, terminal) => {
    if (args.positionals.length > 0) throw new UsageError('witness keys takes no arguments');
    const folder = witnessFolderOf(args, args.text('name') ?? null);
    for (const vkey of folder.vkeys) terminal.line(vkey);
    folder.close();
    return EXIT.ok;
  },
};

/** Cosigns a checkpoint that continues what the witness has seen, or refuses. */
export const witnessSign: Command = {
  name: 'witness sign',
  synopsis: ['REQUEST --dir DIR [--keys FILE]… [--trust KEY[@ORG_ID]|JWKS-FILE]… -o FILE [--force]'],
  options: [
    WITNESS_DIR_OPTION,
    KEYS_OPTION,
    ...TRUST_OPTIONS,
    {
      flag: 'out',
      short: 'o',
      value: 'FILE',
      help: 'write the answer to this file: cosignatures, or what proves the refusal right',
    },
    { flag: 'force', help: 'overwrite FILE if it exists' },
  ],
  notes: [
    'Only logs whose service key you trust are cosigned. What was cosigned is kept before the answer is written.',
    'A log that does not begin as it did before gets no cosignature. Where two signed statements of it prove that, FILE is a proof of equivocation, which countersign verify takes.',
  ],
  examples: [{ what: 'Answer a request:', args: 'next.request --dir witness -o next.answer' }],
  exitCodes: [
    ['0', 'cosigned'],
    ['1', 'refused: the log contradicts what the witness has, and FILE proves it'],
    ['2', 'a file cannot be read or written, or wrong usage'],
    ['3', 'refused, and nothing is proven: another size, an unknown log, a proof that does not lead there'],
  ],
  expected: [WitnessFolderError],
  run: async (args, terminal) => {
    const [path, ...more] = args.positionals;
    if (path === undefined || more.length > 0) throw new UsageError('name one request');
    const out = args.text('out');
    if (out === undefined) throw new UsageError('name the file for the answer: -o FILE');
    const request = await readSmallFile(path, MAX_CHECKPOINT_BYTES);
    const trust = await EffectiveTrust.of(args);
    const serviceKeys = await serviceKeysOf(args);
    const folder = witnessFolderOf(args);
    try {
      const answer = await folder.answer(request, { trustedKids: trust.entries, serviceKeys, now: Date.now });
      if (answer.status === 200) {
        await writeBytes(out, utf8(answer.lines), args);
        terminal.note(
          `countersign witness sign: cosigned ${printable(answer.checkpoint.origin)} at size ${answer.checkpoint.size}`,
        );
        return EXIT.ok;
      }
      terminal.note(`countersign witness sign: ${path}: refused (${answer.status}): ${printable(answer.message)}`);
      if (answer.contradiction === null) return EXIT.incomplete;
      await writeBytes(out, equivocationProofBytes(answer.contradiction), args);
      terminal.note(`countersign witness sign: ${out} proves that the log was rewritten: countersign verify ${out}`);
      return EXIT.failed;
    } finally {
      folder.close();
    }
  },
};
