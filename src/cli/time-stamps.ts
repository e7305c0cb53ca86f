import { nodeCrypto } from '../node/index.ts';
import type { JudgedStamps, PinnedRoot } from '../node/time-stamps/index.ts';
import type { TimeRoot } from '../node/trust/index.ts';
import {
  type BundleContent,
  type BundleSource,
  checkpointOrigin,
  type Epoch,
  formatDigest,
  instantText,
  type NamedSource,
  ProtocolError,
  parseTime,
  readContents,
  TIMES_NOTE,
  type VerificationReport,
} from '../protocol/index.ts';
import { readSmallFile } from './bundle-file.ts';
import { FileProblem, type Option, type ParsedArgs, UsageError } from './command.ts';
import { printable, printableName } from './printable.ts';
import type { Terminal } from './terminal.ts';

/** Loaded only where there are stamps: it brings schemas of ASN.1. */
const reader = () => import('../node/time-stamps/index.ts');

const MAX_ROOTS_BYTES = 1024 * 1024;

export const TSA_OPTION: Option = {
  flag: 'tsa',
  value: 'FILE[@TIME]',
  multiple: true,
  help: 'certificates of roots that you trust for time, PEM or DER; with a time: trusted until then (RFC 3339)',
};

/** A record or an administrative event that states a later time than one before which it was already there. */
interface LateStatement {
  /** Of an event its number in the log. */
  readonly seq_no?: number;
  readonly event_no?: number;
  readonly at: string;
}

/** What a file of time stamps says about a bundle (protocol V178 to V181). */
export interface StampsOutcome extends JudgedStamps {
  readonly file: string;
  /** Whether the bundle leads to the checkpoint: only then do the stamps speak of its records. */
  readonly bound: boolean;
  /** How many records and events state a later time than the stamps allow, and the first of them. */
  readonly late: { readonly count: number; readonly first: LateStatement } | null;
}

/** A file of time stamps that was named, before it was held against anything. */
export interface GivenStamps {
  readonly file: string;
  readonly judged: JudgedStamps;
  readonly origin: string | null;
  /** Its checkpoint, for the verifier; null where the file cannot be read. */
  readonly checkpoint: NamedSource | null;
}

/** `FILE[@TIME]` @throws UsageError */
async function rootsIn(text: string): Promise<PinnedRoot[]> {
  const { readRoots, TimeStampError } = await reader();
  const [, path = text, time] = /^(.+)@(\d{4}-\d\d-\d\dT[^@]*)$/.exec(text) ?? [];
  try {
    const until = time === undefined ? null : parseTime(time);
    return readRoots(await readSmallFile(path, MAX_ROOTS_BYTES), until);
  } catch (error) {
    if (error instanceof ProtocolError) throw new UsageError(`--tsa ${text}: ${error.message}`);
    if (error instanceof TimeStampError) throw new FileProblem(`${path}: holds no certificate, as PEM or DER`);
    throw error;
  }
}

/** The roots in a file, as the trust store keeps them. @throws UsageError */
export async function pinnableRoots(
  path: string,
  until: string | null,
): Promise<Pick<TimeRoot, 'certificate' | 'sha256' | 'subject' | 'until'>[]> {
  return (await rootsIn(until === null ? path : `${path}@${until}`)).map(({ der, x509, until: end }) => ({
    subject: x509.subject.replaceAll('\n', ', '),
    sha256: formatDigest(nodeCrypto.sha256(der)),
    certificate: Buffer.from(der).toString('base64'),
    until: end === null ? null : instantText(end),
  }));
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

/** What --timestamp names. @throws UsageError */
export async function givenStamps(args: ParsedArgs, kept: readonly TimeRoot[]): Promise<GivenStamps[]> {
  const files = args.list('timestamp');
  if (files.length === 0 && args.list('tsa').length > 0) throw new UsageError('--tsa goes with --timestamp');
  if (files.length === 0) return [];
  const roots = await rootsOf(args, kept);
  const { judgeStamps, MAX_STAMP_FILE_BYTES, readStampFile } = await reader();
  return Promise.all(
    files.map(async (file) => {
      const bytes = await readSmallFile(file, MAX_STAMP_FILE_BYTES);
      const judged = judgeStamps(bytes, roots);
      if (judged.size === null) return { file, judged, origin: null, checkpoint: null };
      const { text, checkpoint } = readStampFile(bytes);
      const source: BundleSource = () => [new TextEncoder().encode(text)];
      return { file, judged, origin: checkpoint.origin, checkpoint: { name: file, source } };
    }),
  );
}

/**
 * Records within a size of the log, and administrative events that are sealed by then, which state a later time, but for those whose
 * times the ledger itself says may be wrong.
 */
async function lateStatements(
  source: BundleSource,
  { corrected_times: corrected }: VerificationReport,
  size: number,
  latest: number,
): Promise<StampsOutcome['late']> {
  const late: LateStatement[] = [];
  let count = 0;
  const places = new Map<string, number>();
  const lateEvents: { readonly no: number; readonly at: number }[] = [];
  let sealed: Pick<Epoch, 'last_seq_no' | 'admin_head_hash'> | null = null;
  const isCorrected = (kind: 'seq_no' | 'events', number: number): boolean =>
    (corrected ?? []).some(({ after, until }) => number > after[kind] && number <= until[kind]);
  const take = (content: BundleContent): void => {
    const { kind } = content;
    if (kind === 'record') {
      const { seq_no } = content.value.ear;
      const { server_received_at: at } = content.value.ear;
      if (seq_no > size || parseTime(at) <= latest || isCorrected('seq_no', seq_no)) return;
      count++;
      if (late.length === 0) late.push({ seq_no, at });
    } else if (kind === 'admin_event' || kind === 'withheld_event') {
      const { event_hash, created_at: at } = content.value;
      const no = places.size + 1;
      places.set(event_hash, no);
      if (at > latest && !isCorrected('events', no)) lateEvents.push({ no, at });
    } else if (kind === 'epoch' || kind === 'edges') {
      const epoch = kind === 'epoch' ? content.value : content.value.head;
      if (epoch !== null && epoch.last_seq_no <= size && epoch.last_seq_no > (sealed?.last_seq_no ?? 0)) sealed = epoch;
    }
  };
  for await (const contents of readContents(source)) contents.forEach(take);
  const head = (sealed as Pick<Epoch, 'admin_head_hash'> | null)?.admin_head_hash ?? null;
  const until = head === null ? 0 : (places.get(head) ?? 0);
  const events = lateEvents.filter(({ no }) => no <= until);
  late.push(...events.slice(0, 1).map(({ no, at }) => ({ event_no: no, at: instantText(at) })));
  const [first] = late;
  return first === undefined ? null : { count: count + events.length, first };
}

/** Holds a file of time stamps against a bundle that was verified with its checkpoint. */
export async function stampsOf(
  { file, judged, origin }: GivenStamps,
  report: VerificationReport,
  source: BundleSource,
): Promise<StampsOutcome> {
  const { org_id: orgId } = report.bundle;
  const isOfLog = orgId !== null && origin === checkpointOrigin(orgId);
  const bound = isOfLog && report.verdict !== 'failed' && report.findings.every(({ where }) => where.file !== file);
  const { size, existed_before: before } = judged;
  const isKnown = bound && judged.verdict !== 'failed' && size !== null && before !== null;
  return {
    file,
    bound,
    late: isKnown ? await lateStatements(source, report, size, parseTime(before)) : null,
    ...judged,
  };
}

/** The verdict on a bundle with the stamps that were given for it (protocol V181). */
export function withStamps(report: VerificationReport, stamps: readonly StampsOutcome[]): VerificationReport {
  const isContradicted = stamps.some(({ late }) => late !== null);
  if (isContradicted || stamps.some(({ verdict }) => verdict === 'failed')) {
    const what = isContradicted
      ? 'Records or events state a later time than one at which they were there, as a time stamp shows: a clock was wrong.'
      : 'A time stamp that was given does not hold.';
    return { ...report, verdict: 'failed', summary: `${what} ${report.summary}` };
  }
  if (report.verdict !== 'verified' || stamps.every(({ verdict, bound }) => verdict === 'verified' && bound))
    return report;
  const summary = `A time stamp that was given could not be checked to its end. ${report.summary}`;
  return { ...report, verdict: 'incomplete', summary };
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

/** What the stamps say about the times of a bundle. */
export function renderStamps(stamps: readonly StampsOutcome[], terminal: Terminal): void {
  terminal.line();
  for (const one of stamps) {
    const { file, size, existed_before: before, said_by: by, bound, late } = one;
    terminal.line(`  Time stamps in ${printable(file)}:`);
    renderTokens(one, terminal);
    if (before !== null && size !== null && by !== null) {
      const what = bound
        ? `Records up to No. ${size.toLocaleString('en')}`
        : `A log of ${size.toLocaleString('en')} records, to which this file does not lead,`;
      terminal.wrapped(
        `  ${what} existed before ${before}, said by ${printableName(by)}. Later records: ${TIMES_NOTE}`,
        2,
      );
    }
    if (late !== null) {
      const { seq_no, event_no, at } = late.first;
      const what =
        seq_no === undefined
          ? `event ${event_no} of the administrative log says that it was made at`
          : `No. ${seq_no} says that it was received at`;
      const others = late.count === 1 ? '' : `, and ${(late.count - 1).toLocaleString('en')} more like it`;
      terminal.wrapped(
        `  ${terminal.style('red', 'TIME_AFTER_STAMP')}: ${what} ${at}, after the time before which it existed${others}`,
        2,
      );
    }
  }
}
