import {
  type BundleContent,
  type BundleSource,
  type CorrectedTimes,
  checkpointOrigin,
  type Epoch,
  instantText,
  type JudgedStamps,
  MAX_RECORD_PROOF_BYTES,
  type Mistimed,
  type NamedSource,
  type NotedTime,
  ProtocolError,
  parseJsonBytes,
  parseTime,
  RECORD_PROOF_TYPE,
  readContents,
  readPiece,
  readStampFile,
  recordProofOf,
  type SaidTimes,
  TIMES_NOTE,
  utf8,
  type VerificationReport,
  type VerifyOptions,
} from '../../protocol/index.ts';
import type { PinnedRoot } from './chain.ts';
import { judgeStamps } from './stamp-file.ts';

/** How a ledger notes a token, and a line that nobody could know before a time (protocol F121, F122). */
export const NOTES = { token: 'ledger.time_stamped', line: 'ledger.line_noted' } as const;

/** A line that the reader knows nobody could know before a time, such as a round of a public beacon. */
export interface KnownLine {
  readonly text: string;
  /** Milliseconds since the Unix epoch. */
  readonly notBefore: number;
}

interface GivenStamps {
  readonly file: string;
  readonly judged: JudgedStamps;
  readonly origin: string | null;
}

type StatementKind = 'seq_no' | 'event_no';

/** Counts statements outside what is allowed. */
class MistimedCount {
  #found: Mistimed | null = null;

  add(kind: StatementKind, number: number, at: number): void {
    const { count = 0, first = { [kind]: number, at: instantText(at) } } = this.#found ?? {};
    this.#found = { count: count + 1, first };
  }

  get found(): Mistimed | null {
    return this.#found;
  }
}

interface Statement {
  readonly kind: StatementKind;
  readonly number: number;
  readonly at: number;
}

/** What a file shows besides its records. */
class Surroundings {
  readonly events: { readonly at: number; readonly action: string | null; readonly details: unknown }[] = [];
  readonly #places = new Map<string, number>();
  readonly #epochs: Pick<Epoch, 'first_seq_no' | 'last_seq_no' | 'admin_head_hash'>[] = [];
  stamped: readonly string[] = [];

  readonly take = (content: BundleContent): void => {
    if (content.kind === 'admin_event' || content.kind === 'withheld_event') {
      const { event_hash, created_at: at } = content.value;
      const { action = null, details = null } = content.kind === 'admin_event' ? content.value : {};
      const isNote = action === NOTES.token || action === NOTES.line;
      this.#places.set(event_hash, this.events.push({ at, action, details: isNote ? details : null }));
    } else if (content.kind === 'epoch') this.#epochs.push(content.value);
    else if (content.kind === 'edges') {
      this.stamped = content.value.stamped ?? [];
      if (content.value.head !== null) this.#epochs.push(content.value.head);
    }
  };

  /** How many events of the log an epoch was sealed over. */
  #eventsIn({ admin_head_hash: head }: Pick<Epoch, 'admin_head_hash'>): number {
    return head === null ? 0 : (this.#places.get(head) ?? 0);
  }

  /** How many events were sealed when the log had a size. */
  sealedAt(size: number): number {
    return this.#epochs.reduce(
      (most, epoch) => (epoch.last_seq_no <= size ? Math.max(most, this.#eventsIn(epoch)) : most),
      0,
    );
  }

  /** The first epoch shown that was sealed over an event. */
  sealing(eventNo: number): Pick<Epoch, 'first_seq_no' | 'last_seq_no'> | null {
    const over = this.#epochs.filter((epoch) => this.#eventsIn(epoch) >= eventNo);
    return over.toSorted((a, b) => a.last_seq_no - b.last_seq_no)[0] ?? null;
  }
}

const isWithin = (corrected: readonly CorrectedTimes[], { kind, number }: Statement): boolean => {
  const counted = kind === 'seq_no' ? 'seq_no' : 'events';
  return corrected.some(({ after, until }) => number > after[counted] && number <= until[counted]);
};

/**
 * Files of time stamps and known lines, held against one file: what was given, and what the file itself carries where the reader trusts an
 * authority.
 */
export class HeldTimes {
  readonly #roots: readonly PinnedRoot[];
  readonly #lines: readonly KnownLine[];
  readonly #given: readonly GivenStamps[];
  readonly #reaches = new Map<string, number>();
  /** For the verification. */
  readonly checkpoints: readonly NamedSource[];

  constructor(
    files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
    roots: readonly PinnedRoot[],
    lines: readonly KnownLine[] = [],
  ) {
    this.#roots = roots;
    this.#lines = lines;
    const read = files.map(({ name, bytes }) => ({ name, ...this.#read(name, bytes) }));
    this.#given = read.map(({ given }) => given);
    this.checkpoints = read.flatMap(({ name, text }) => (text === null ? [] : { name, source: () => [utf8(text)] }));
  }

  /**
   * Verifies a file, and says in the report what others say about its times.
   * @param source read again after the verification, twice
   */
  async verify(
    verify: (source: BundleSource, options: VerifyOptions) => Promise<VerificationReport>,
    source: BundleSource,
    options: VerifyOptions,
  ): Promise<VerificationReport> {
    const report = await verify(source, { ...options, stamps: this.#stamps });
    return withTimes(report, await this.#judge(report, source));
  }

  get #stamps(): NonNullable<VerifyOptions['stamps']> {
    return {
      takesCarried: this.#roots.length > 0,
      onAgreeing: (agreeing) => {
        for (const { file, reaches } of agreeing) this.#reaches.set(file, reaches);
      },
    };
  }

  #read(file: string, bytes: Uint8Array): { readonly given: GivenStamps; readonly text: string | null } {
    const judged = judgeStamps(bytes, this.#roots);
    if (judged.size === null) return { given: { file, judged, origin: null }, text: null };
    const { text, checkpoint } = readStampFile(bytes);
    return { given: { file, judged, origin: checkpoint.origin }, text };
  }

  async #judge(report: VerificationReport, source: BundleSource): Promise<SaidTimes> {
    const carries = this.#roots.length > 0 && report.bundle.stamped !== undefined;
    if (this.#given.length === 0 && this.#lines.length === 0 && !carries)
      return { stamps: [], not_before: [], not_noted: [] };
    const isProof = report.bundle.format === RECORD_PROOF_TYPE;
    const around = new Surroundings();
    const records = isProof ? await takeProof(source, around) : null;
    if (!isProof) for await (const some of readContents(source, { withoutRecords: true })) some.forEach(around.take);
    const given = [...this.#given, ...(carries ? this.#carried(around.stamped, isProof ? 'seal' : 'edges') : [])];
    const isJudged = report.verdict !== 'failed';
    const stamps = given.map((one) => ({ ...one, reaches: isJudged ? this.#reachOf(one, report) : 0 }));
    const corrected = report.corrected_times ?? [];
    const late = stamps.map((one) => lateBy(one, around, corrected));
    const noted = isJudged ? this.#noted(stamps, around) : [];
    const early = noted.map((one) => earlyBy(one, around));
    const take = (seqNo: number, at: number): void => {
      const statement = { kind: 'seq_no', number: seqNo, at } as const;
      for (const { takes } of [...late, ...early]) takes(statement);
    };
    const some = [...late, ...early].some(({ wantsRecords }) => wantsRecords);
    if (records !== null) for (const { seqNo, at } of records) take(seqNo, at);
    else if (some) await takeRecords(source, take);
    return {
      stamps: stamps.map(({ file, judged, reaches }, n) => ({
        file,
        reaches,
        late: late[n]?.count.found ?? null,
        ...judged,
      })),
      not_before: noted.map(({ notBefore, ...one }, n) => ({
        not_before: instantText(notBefore),
        ...one,
        early: early[n]?.count.found ?? null,
      })),
      not_noted: this.#lines
        .filter(({ text }) => eventsWith(around, NOTES.line, text).length === 0)
        .map(({ text }) => text),
    };
  }

  /** Files of stamps among what a file carries, and not the consistency proofs next to them. */
  #carried(texts: readonly string[], member: string): GivenStamps[] {
    return texts.flatMap((text, n) =>
      text.startsWith('old ') ? [] : this.#read(`${member}.stamped[${n}]`, utf8(text)).given,
    );
  }

  #reachOf({ file, origin, judged }: GivenStamps, { bundle }: VerificationReport): number {
    if (judged.size === null || bundle.org_id === null || origin !== checkpointOrigin(bundle.org_id)) return 0;
    return Math.min(judged.size, this.#reaches.get(file) ?? 0);
  }

  #noted(
    stamps: readonly GivenStamps[],
    around: Surroundings,
  ): (Omit<NotedTime, 'early' | 'not_before'> & { readonly notBefore: number })[] {
    const tokens = stamps.flatMap(({ judged }) =>
      judged.verdict === 'failed' ? [] : judged.tokens.filter(({ code }) => code === null),
    );
    const known = [
      ...tokens.flatMap(({ digest, made_not_before: time, authority }) =>
        digest === null || time === null
          ? []
          : { what: digest, notBefore: parseTime(time), said_by: authority, note: NOTES.token },
      ),
      ...this.#lines.map(({ text, notBefore }) => ({ what: text, notBefore, said_by: null, note: NOTES.line })),
    ];
    return known.flatMap(({ what, notBefore, said_by, note }) =>
      eventsWith(around, note, what)
        .slice(0, 1)
        .map((event_no) => ({
          notBefore,
          said_by,
          event_no,
          from_seq_no: around.sealing(event_no)?.first_seq_no ?? null,
        })),
    );
  }
}

/** The numbers of the events that note a token, by its digest, or a line. */
function eventsWith({ events }: Surroundings, note: string, what: string): number[] {
  return events.flatMap(({ action, details }, n) => {
    const { tokens, line } = Object(details) as { readonly tokens?: unknown; readonly line?: unknown };
    const isIt = note === NOTES.line ? line === what : Array.isArray(tokens) && tokens.includes(what);
    return action === note && isIt ? n + 1 : [];
  });
}

interface Counting {
  readonly count: MistimedCount;
  readonly wantsRecords: boolean;
  readonly takes: (statement: Statement) => void;
}

/** What was there before a time, and says a later one, but for what the ledger itself says may be wrong (protocol V180). */
function lateBy(
  { judged, reaches }: { readonly judged: JudgedStamps; readonly reaches: number },
  around: Surroundings,
  corrected: readonly CorrectedTimes[],
): Counting {
  const count = new MistimedCount();
  const { size, existed_before: before } = judged;
  const wantsRecords = reaches > 0 && judged.verdict !== 'failed' && size !== null && before !== null;
  const latest = before === null ? 0 : parseTime(before);
  const takes = (statement: Statement): void => {
    if (!wantsRecords || statement.at <= latest || isWithin(corrected, statement)) return;
    if (statement.kind === 'event_no' || statement.number <= size)
      count.add(statement.kind, statement.number, statement.at);
  };
  const sealed = size === null ? 0 : around.sealedAt(size);
  for (const [n, { at }] of around.events.slice(0, sealed).entries()) takes({ kind: 'event_no', number: n + 1, at });
  return { count, wantsRecords, takes };
}

/** What comes after something was noted that nobody could know before a time, and says an earlier one (protocol V190). */
function earlyBy(
  { notBefore, event_no: eventNo }: { readonly notBefore: number; readonly event_no: number },
  around: Surroundings,
): Counting {
  const count = new MistimedCount();
  const sealing = around.sealing(eventNo);
  const takes = ({ kind, number, at }: Statement): void => {
    const isLater = kind === 'event_no' ? number >= eventNo : sealing !== null && number > sealing.last_seq_no;
    if (isLater && at < notBefore) count.add(kind, number, at);
  };
  for (const [n, { at }] of around.events.entries()) takes({ kind: 'event_no', number: n + 1, at });
  return { count, wantsRecords: sealing !== null, takes };
}

async function takeRecords(source: BundleSource, take: (seqNo: number, at: number) => void): Promise<void> {
  for await (const contents of readContents(source)) {
    for (const content of contents) {
      if (content.kind !== 'record') continue;
      const { seq_no: seqNo, server_received_at: at } = content.value.ear;
      take(seqNo, parseTime(at));
    }
  }
}

/** A proof has no events: nothing in it is noted. @returns the receipts in it */
async function takeProof(
  source: BundleSource,
  around: Surroundings,
): Promise<{ readonly seqNo: number; readonly at: number }[]> {
  try {
    const { seal, records } = recordProofOf(parseJsonBytes(await readPiece(source, MAX_RECORD_PROOF_BYTES, true)));
    around.stamped = seal.stamped ?? [];
    return records.map(({ ear }) => ({ seqNo: ear.seq_no, at: parseTime(ear.server_received_at) }));
  } catch (error) {
    // The verification says what is wrong with it.
    if (error instanceof ProtocolError) return [];
    throw error;
  }
}

/** The report with what others say about the times, and the verdict with that (protocol V181). */
function withTimes(report: VerificationReport, times: SaidTimes): VerificationReport {
  const { stamps, not_before: notBefore, not_noted: notNoted } = times;
  if ([stamps, notBefore, notNoted].every(({ length }) => length === 0)) return report;
  // Whose clock the times are by is said with the stamps.
  const summary = stamps.length === 0 ? report.summary : report.summary.replace(` ${TIMES_NOTE}`, '');
  const said = (verdict: VerificationReport['verdict'], what: string): VerificationReport => ({
    ...report,
    verdict,
    summary: `${what} ${summary}`,
    times,
  });
  if (stamps.some(({ late }) => late !== null)) {
    return said(
      'failed',
      'Records or events state a later time than one at which they were there, as a time stamp shows: a clock was wrong.',
    );
  }
  if (notBefore.some(({ early }) => early !== null)) {
    return said(
      'failed',
      'Records or events state an earlier time than one before which they were not there: a clock was wrong, or they are dated back.',
    );
  }
  if (stamps.some(({ verdict }) => verdict === 'failed')) return said('failed', 'A time stamp does not hold.');
  const isWhole =
    stamps.every(({ verdict, reaches }) => verdict === 'verified' && reaches > 0) && notNoted.length === 0;
  if (report.verdict !== 'verified' || isWhole) return { ...report, summary, times };
  return said('incomplete', 'What is to show the times could not be checked to its end.');
}
