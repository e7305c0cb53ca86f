import type { HeldTimes, KnownLine, PinnableRoot, PinnedRoot } from '../node/time-stamps/index.ts';
import type { TimeRoot } from '../node/trust/index.ts';
import { type JudgedStamps, MAX_STAMP_FILE_BYTES, ProtocolError, parseTime } from '../protocol/index.ts';
import { readSmallFile } from './bundle-file.ts';
import { FileProblem, type Option, type ParsedArgs, UsageError } from './command.ts';
import { printable, printableName } from './printable.ts';
import type { Terminal } from './terminal.ts';

const reader = () => import('../node/time-stamps/index.ts');

const MAX_ROOTS_BYTES = 1024 * 1024;

export const TSA_OPTION: Option = {
  flag: 'tsa',
  value: 'FILE[@TIME]',
  multiple: true,
  help: 'certificates of roots that you trust for time, PEM or DER; with a time: trusted until then (RFC 3339)',
};

export const LINE_OPTION: Option = {
  flag: 'known-line',
  value: 'TIME=LINE',
  multiple: true,
  help: 'a line that nobody could know before a time, such as a round of a public beacon: what the ledger sealed after it noted that was made later',
};

/** What a file of roots holds. @param name how messages call what was given @throws UsageError */
async function ofRoots<T>(
  { path, until }: { readonly path: string; readonly until: string | null },
  name: string,
  read: (of: Awaited<ReturnType<typeof reader>>, bytes: Uint8Array, until: number | null) => T,
): Promise<T> {
  const of = await reader();
  try {
    return read(of, await readSmallFile(path, MAX_ROOTS_BYTES), until === null ? null : parseTime(until));
  } catch (error) {
    if (error instanceof ProtocolError) throw new UsageError(`${name}: ${error.message}`);
    if (error instanceof of.TimeStampError) throw new FileProblem(`${path}: holds no certificate, as PEM or DER`);
    throw error;
  }
}

/** `FILE[@TIME]` @throws UsageError */
function rootsIn(text: string): Promise<PinnedRoot[]> {
  const [, path = text, until = null] = /^(.+)@(\d{4}-\d\d-\d\dT[^@]*)$/.exec(text) ?? [];
  return ofRoots({ path, until }, `--tsa ${text}`, ({ readRoots }, bytes, end) => readRoots(bytes, end));
}

/** The roots in a file, as the trust store keeps them. @throws UsageError */
export function pinnableRoots(path: string, until: string | null): Promise<PinnableRoot[]> {
  return ofRoots({ path, until }, '--until', (of, bytes, end) => of.pinnableRoots(bytes, end));
}

/** Whom the reader trusts for time: roots that --tsa names, and those of the trust store. @throws UsageError */
export async function rootsOf(args: ParsedArgs, kept: readonly TimeRoot[]): Promise<PinnedRoot[]> {
  const named = (await Promise.all(args.list('tsa').map(rootsIn))).flat();
  if (kept.length === 0) return named;
  const { readRoots } = await reader();
  // What the command line says of a root, and until when it is trusted, goes before what the store says.
  const other = kept.filter(({ certificate }) =>
    named.every(({ der }) => !Buffer.from(certificate, 'base64').equals(der)),
  );
  const pinned = other.map(({ certificate, until }) =>
    readRoots(Buffer.from(certificate, 'base64'), until === null ? null : parseTime(until)),
  );
  return [...named, ...pinned.flat()];
}

/** `TIME=LINE` @throws UsageError */
function lineIn(text: string): KnownLine {
  const [, time = '', line = ''] = /^([^=]*)=(.+)$/su.exec(text) ?? [];
  if (line === '') throw new UsageError('--known-line: a time, an equals sign, and the line');
  try {
    return { text: line, notBefore: parseTime(time) };
  } catch (error) {
    if (error instanceof ProtocolError) throw new UsageError(`--known-line: ${error.message}`);
    throw error;
  }
}

/** What --timestamp and --known-line name, and whom the reader trusts for time; null where there is neither. @throws UsageError */
export async function givenTimes(args: ParsedArgs, kept: readonly TimeRoot[]): Promise<HeldTimes | null> {
  const [paths, lines] = [args.list('timestamp'), args.list('known-line').map(lineIn)];
  // Loaded only where somebody is asked: it brings schemas of ASN.1.
  if (paths.length === 0 && lines.length === 0 && args.list('tsa').length === 0 && kept.length === 0) return null;
  const roots = await rootsOf(args, kept);
  const { HeldTimes } = await reader();
  const files = paths.map(async (name) => ({ name, bytes: await readSmallFile(name, MAX_STAMP_FILE_BYTES) }));
  return new HeldTimes(await Promise.all(files), roots, lines);
}

/** What the tokens of one file say, one line each. */
export function renderTokens({ tokens }: JudgedStamps, terminal: Terminal): void {
  for (const [index, { authority, at, accuracy, code, message }] of tokens.entries()) {
    const number = `  stamp ${index + 1}`.padEnd(16);
    const who = authority === null ? '' : `${at} by ${printableName(authority)}`;
    const within = accuracy === null ? '' : `, within ${accuracy.toLocaleString('en')} ms`;
    if (who !== '') terminal.wrapped(`${number}${printable(`${who}${within}`)}`, 16);
    if (code !== null)
      terminal.wrapped(`${who === '' ? number : ' '.repeat(16)}${terminal.style('red', code)}: ${message}`, 16);
  }
}
