import type { ChangedMember } from './changed-members.ts';
import { isAboutRecord } from './record-findings.ts';
import { type CheckName, FINDING_CHECK, type Finding, type FindingCode, type FindingPlace } from './report.ts';
import type { SignedStatement } from './signed-statement.ts';

/** A finding before it has its number and cause. */
export type DraftFinding = Omit<Finding, 'id' | 'caused_by'>;

export interface FindingDetails {
  readonly where?: FindingPlace;
  readonly expected?: string;
  readonly actual?: string;
  readonly message: string;
  readonly evidence?: readonly SignedStatement[];
  readonly severity?: 'error' | 'warning';
  /** Where it is another check than the code's usual one. */
  readonly check?: CheckName;
}

/** How many errors, and how many warnings, of one code are kept whole; a bundle damaged everywhere must not exhaust memory. */
const KEPT_PER_CODE = 1000;

const CODES = Object.keys(FINDING_CHECK) as FindingCode[];

/**
 * How many records of a file may be malformed even if they are most of those so far, and how many of its other members and
 * elements: at one more, reading stops (protocol V12). Whoever makes a file can fill it with elements of two bytes, and each costs far more than two bytes of an
 * honest one.
 */
export const MOST_MALFORMED = { records: 10_000, others: 1000 };

/** Runs of records that findings beyond the kept ones name; from there on all between them count as named. */
const MAX_BEYOND = 100_000;

/** Collects findings; beyond a bound of each code and severity it only counts. */
export class FindingLog {
  readonly #kept = { error: new Map<FindingCode, DraftFinding[]>(), warning: new Map<FindingCode, DraftFinding[]>() };
  readonly counts = new Map<FindingCode, number>();
  /** Records that findings of error beyond the kept ones name, as runs of sequence numbers. */
  readonly beyond: [first: number, last: number][] = [];
  readonly #failed = new Set<CheckName>();

  add(code: FindingCode, { where = {}, severity = 'error', check, ...details }: FindingDetails): void {
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1);
    const failing = check ?? FINDING_CHECK[code];
    if (severity === 'error') this.#failed.add(failing);
    const kept = this.#kept[severity].get(code) ?? [];
    this.#kept[severity].set(code, kept);
    if (kept.length < KEPT_PER_CODE) kept.push({ code, check: failing, severity, where, ...details });
    else if (severity === 'error' && where.seq_no !== undefined && isAboutRecord(code, where)) {
      this.#remember(where.seq_no);
    }
  }

  /** Tells of another version: what was found before goes by the rules of this one, and is dropped (protocol V12). */
  refuseVersion(member: string, line: number, { expected, actual }: Record<'expected' | 'actual', string>): void {
    for (const collected of [this.#kept.error, this.#kept.warning, this.counts, this.#failed]) collected.clear();
    this.beyond.length = 0;
    const message = 'The file is of a version that this verifier does not know. Nothing in it was checked.';
    this.add('UNSUPPORTED_VERSION', { where: { line, member }, expected, actual, message });
  }

  #remember(seqNo: number): void {
    const last = this.beyond.at(-1);
    if (last !== undefined && (seqNo === last[1] + 1 || this.beyond.length >= MAX_BEYOND)) {
      last[0] = Math.min(last[0], seqNo);
      last[1] = Math.max(last[1], seqNo);
    } else if (last === undefined || seqNo < last[0] || seqNo > last[1]) this.beyond.push([seqNo, seqNo]);
  }

  /** Adds to a finding of error that is kept what was found out later. */
  amend(finding: DraftFinding, changed: readonly ChangedMember[]): void {
    const kept = this.#kept.error.get(finding.code) ?? [];
    const index = kept.indexOf(finding);
    if (index >= 0) kept[index] = { ...finding, changed };
  }

  /** What is kept, in the order of a report (protocol V130), whatever was found first. */
  listed(): DraftFinding[] {
    const { error, warning } = this.#kept;
    return [error, warning].flatMap((kept) => CODES.flatMap((code) => kept.get(code) ?? []));
  }

  /** Whether an error was found that fails this check. */
  failed(check: CheckName): boolean {
    return this.#failed.has(check);
  }

  get anyFailed(): boolean {
    return this.#failed.size > 0;
  }
}
