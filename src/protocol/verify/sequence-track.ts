import { isInRuns, RunBuilder } from '../number-runs.ts';
import type { FindingLog } from './finding-log.ts';
import type { FindingPlace } from './report.ts';

interface Gap {
  readonly from: number;
  readonly to: number;
  readonly where: FindingPlace;
}

/** Gaps remembered while a later record may still fill them; in a bundle of one agent every other record makes one. */
const MAX_OPEN_GAPS = 10_000;

/** The run of sequence numbers: gaps, repetitions, and records out of place (protocol V48). */
export class SequenceTrack {
  readonly #log: FindingLog;
  /** Whether a gap is told at the first missing number, as in a ledger; in a bundle it is at the record that follows. */
  readonly #atMissing: boolean;
  /** Numbers of the records that continue the run. */
  readonly #continuing = new RunBuilder();
  #gaps: Gap[] = [];
  #forgottenGaps = 0;
  /** Up to here gaps were forgotten. */
  #forgottenUpTo = 0;
  first: number | null = null;
  last: number | null = null;

  constructor(log: FindingLog, atMissing = false) {
    this.#log = log;
    this.#atMissing = atMissing;
  }

  /** @returns whether the number continues the run upward */
  add(seqNo: number, where: FindingPlace): boolean {
    if (this.last === null || seqNo > this.last) {
      if (this.last !== null && seqNo > this.last + 1) this.#open({ from: this.last + 1, to: seqNo - 1, where });
      this.first ??= seqNo;
      this.last = seqNo;
      this.#continuing.add(seqNo);
      return true;
    }
    const expected = String(this.last + 1);
    if (!isInRuns(this.#continuing.runs, seqNo)) {
      this.#log.add('SEQUENCE_ORDER', {
        where,
        expected,
        actual: String(seqNo),
        message: 'The record stands after records with higher sequence numbers.',
      });
      this.#fill(seqNo);
    } else {
      this.#log.add('SEQUENCE_DUPLICATE', {
        where,
        expected,
        actual: String(seqNo),
        message: 'The sequence number was given to an earlier record already.',
      });
    }
    return false;
  }

  #open(gap: Gap): void {
    if (this.#gaps.length >= MAX_OPEN_GAPS) {
      this.#forgottenGaps++;
      this.#forgottenUpTo = this.#gaps.shift()?.to ?? this.#forgottenUpTo;
    }
    this.#gaps.push(gap);
  }

  #fill(seqNo: number): void {
    const at = this.#gaps.findIndex((gap) => seqNo >= gap.from && seqNo <= gap.to);
    if (at < 0) return;
    const { from, to, where } = this.#gaps[at] as Gap;
    const rest = [
      { from, to: seqNo - 1, where },
      { from: seqNo + 1, to, where },
    ];
    this.#gaps.splice(at, 1, ...rest.filter((gap) => gap.from <= gap.to));
  }

  /** Numbers within the run that no record has, and up to where there were more of them than are remembered. */
  get missing(): { readonly gaps: readonly { readonly from: number; readonly to: number }[]; readonly upTo: number } {
    return { gaps: this.#gaps, upTo: this.#forgottenUpTo };
  }

  /** Reports what is still missing: only a bundle of all agents promises a run without gaps. */
  finish(gapless: boolean): void {
    if (!gapless) return;
    for (const { from, to, where } of this.#gaps) {
      const { line } = where;
      this.#log.add('SEQUENCE_GAP', {
        where: this.#atMissing ? { ...(line === undefined ? {} : { line }), seq_no: from } : where,
        expected: String(from),
        actual: String(to + 1),
        message:
          from === to
            ? `The record with sequence number ${from} is missing.`
            : `The records with sequence numbers ${from} to ${to} are missing.`,
      });
    }
    if (this.#forgottenGaps > 0) {
      this.#log.add('SEQUENCE_GAP', { message: `${this.#forgottenGaps} more gaps in the sequence of records.` });
    }
  }
}
