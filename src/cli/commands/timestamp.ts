import {
  addToken,
  isRequestHash,
  judgeStamps,
  MAX_MESSAGE_BYTES,
  makeRequest,
  stampedBytes,
  TimeStampError,
} from '../../node/time-stamps/index.ts';
import {
  formatStampFile,
  isStampFile,
  MAX_STAMP_FILE_BYTES,
  ProtocolError,
  readStampFile,
  type StampFile,
  stampFileOf,
} from '../../protocol/index.ts';
import { readSmallFile } from '../bundle-file.ts';
import { type Command, type CommandGroup, EXIT, FileProblem, type ParsedArgs, UsageError } from '../command.ts';
import { writeNewFile } from '../new-file.ts';
import type { Terminal } from '../terminal.ts';
import { renderTokens, rootsOf, TSA_OPTION } from '../time-stamps.ts';
import { EffectiveTrust, STORE_OPTION } from '../trust.ts';

const FORCE = { flag: 'force', help: 'overwrite FILE' } as const;

/** A checkpoint, or one with stamps already. @throws UsageError */
async function stampedIn(path: string): Promise<StampFile> {
  const bytes = await readSmallFile(path, MAX_STAMP_FILE_BYTES);
  try {
    return isStampFile(bytes) ? readStampFile(bytes) : stampFileOf(bytes);
  } catch (error) {
    if (!(error instanceof ProtocolError || error instanceof TimeStampError)) throw error;
    throw new FileProblem(`${path}: is neither a checkpoint nor a file of time stamps: ${error.message}`);
  }
}

function only(args: ParsedArgs, what: string): string {
  const [path, ...others] = args.positionals;
  if (path === undefined || others.length > 0) throw new UsageError(`name one ${what}`);
  return path;
}

function needed(args: ParsedArgs, flag: string, what: string): string {
  const value = args.text(flag);
  if (value === undefined) throw new UsageError(`--${flag} names ${what}`);
  return value;
}

async function runRequest(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const stamped = await stampedIn(only(args, 'checkpoint'));
  const out = needed(args, 'out', 'the file that the request is written to');
  // Whoever renews does so before something ages: under the longer hash.
  const hash = args.text('hash') ?? (stamped.tokens.length > 0 ? 'sha512' : 'sha256');
  if (!isRequestHash(hash)) throw new UsageError('--hash: sha256 or sha512');
  const request = makeRequest(stampedBytes(stamped), hash);
  await writeNewFile(out, { overwrite: args.on('force') }, async (file) => void file.end(request));
  terminal.line(
    `${out}: a request for a time stamp over the log of ${stamped.checkpoint.size.toLocaleString('en')} records`,
  );
  terminal.line('Send it to an authority for time stamps, and keep it: the import compares the answer with it.');
  return EXIT.ok;
}

async function runImport(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const path = only(args, 'answer');
  const stamped = await stampedIn(needed(args, 'checkpoint', 'what the request was made of'));
  const request = await readSmallFile(needed(args, 'request', 'the request that it answers'), MAX_MESSAGE_BYTES);
  const out = needed(args, 'out', 'the file that the stamps are written to');
  const { timeRoots } = await EffectiveTrust.of(args);
  const roots = await rootsOf(args, timeRoots);
  const answer = await readSmallFile(path, MAX_MESSAGE_BYTES);
  try {
    const text = formatStampFile(addToken(stamped, request, answer));
    const judged = judgeStamps(Buffer.from(text), roots);
    const { verdict, size, existed_before: before, said_by: by } = judged;
    renderTokens(judged, terminal);
    if (verdict === 'failed') {
      terminal.note(`countersign timestamp import: ${path}: the stamp does not hold; nothing was written`);
      return EXIT.failed;
    }
    await writeNewFile(out, { overwrite: args.on('force') }, async (file) => void file.end(text));
    if (before !== null && size !== null) {
      terminal.line(
        `The log of ${size.toLocaleString('en')} records existed before ${before}, said by ${by}. Kept in ${out}`,
      );
    } else terminal.line(`Kept in ${out}. It shows no time yet: name the root of the authority with --tsa`);
    return EXIT[verdict];
  } catch (error) {
    if (!(error instanceof TimeStampError)) throw error;
    terminal.note(`countersign timestamp import: ${path}: ${error.code}: ${error.message}`);
    return EXIT.failed;
  }
}

const request: Command = {
  name: 'timestamp request',
  synopsis: ['CHECKPOINT -o FILE [--hash sha256|sha512] [--force]'],
  options: [
    { flag: 'out', short: 'o', value: 'FILE', help: 'write the request here; by custom its name ends in .tsq' },
    { flag: 'hash', value: 'HASH', choices: ['sha256', 'sha512'], help: 'default: sha256, and sha512 for a renewal' },
    FORCE,
  ],
  notes: [
    'CHECKPOINT is a checkpoint of the log of an organization, or a file of time stamps: its newest one is then renewed, before its certificates or hashes age.',
    'The stamp is over the note text of the checkpoint: everything before its empty line.',
  ],
  examples: [{ what: 'Ask for a stamp over a checkpoint:', args: 'checkpoint.txt -o checkpoint.tsq' }],
  exitCodes: [
    ['0', 'written'],
    ['2', 'the file is no checkpoint, or wrong usage'],
  ],
  run: runRequest,
};

const importAnswer: Command = {
  name: 'timestamp import',
  synopsis: ['ANSWER --request FILE --checkpoint CHECKPOINT -o FILE [--tsa FILE[@TIME]]… [--force]'],
  options: [
    { flag: 'request', value: 'FILE', help: 'the request that was sent' },
    {
      flag: 'checkpoint',
      value: 'CHECKPOINT',
      help: 'what the request was made of: a checkpoint, or a file of time stamps',
    },
    { flag: 'out', short: 'o', value: 'FILE', help: 'write checkpoint and stamps here' },
    TSA_OPTION,
    STORE_OPTION,
    FORCE,
  ],
  notes: [
    'ANSWER is what the authority sent back, a TimeStampResp of RFC 3161; by custom its name ends in .tsr.',
    'Whether a certificate was revoked is not asked: nothing here needs a network.',
  ],
  examples: [
    {
      what: 'Keep the stamp that an authority gave, trusting its root:',
      args: 'checkpoint.tsr --request checkpoint.tsq --checkpoint checkpoint.txt --tsa root.pem -o checkpoint.stamps',
    },
  ],
  exitCodes: [
    ['0', 'the stamp holds, and leads to a root that you trust'],
    ['1', 'the stamp does not hold, or is not the answer: nothing is written'],
    ['2', 'a file cannot be read, or wrong usage'],
    ['3', 'written, but no root that you trust stands behind it'],
  ],
  run: runImport,
};

/** Time stamps of RFC 3161 over checkpoints, by files (protocol F116, V178). */
export const timestamp: CommandGroup = {
  name: 'timestamp',
  commands: [
    { name: 'request', summary: 'Write a request for a time stamp.', load: async () => request },
    { name: 'import', summary: 'Check the answer of an authority and keep its stamp.', load: async () => importAnswer },
  ],
};
