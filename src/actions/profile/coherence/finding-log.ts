import {
  type CoherenceCode,
  type CoherenceFinding,
  type CoherenceSeverity,
  MAX_FINDINGS,
  type Place,
} from './report.ts';

interface Held {
  readonly other?: Place;
  readonly pointer?: string | null;
}

export interface LogState {
  readonly codes: { [code in CoherenceCode]?: number };
  readonly severities: Record<CoherenceSeverity, number>;
}

export const newLog = (): LogState => ({ codes: {}, severities: { contradiction: 0, open: 0, note: 0 } });

/** Collects findings: counts all, and keeps the first of them that nobody has taken. */
export class FindingLog {
  readonly state: LogState;
  readonly #most: number;
  #findings: CoherenceFinding[] = [];

  constructor(state = newLog(), most = MAX_FINDINGS) {
    this.state = state;
    this.#most = most;
  }

  get findings(): readonly CoherenceFinding[] {
    return this.#findings;
  }

  /** Hands over what was found since the last time. */
  drained(): readonly CoherenceFinding[] {
    const found = this.#findings;
    if (found.length > 0) this.#findings = [];
    return found;
  }

  /** Adds a finding about the record at `place`, in one sentence. */
  add(
    code: CoherenceCode,
    severity: CoherenceSeverity,
    { seq_no, operation_id }: Place,
    message: string,
    { other, pointer }: Held = {},
  ): void {
    const { codes, severities } = this.state;
    codes[code] = (codes[code] ?? 0) + 1;
    severities[severity]++;
    if (this.#findings.length >= this.#most) return;
    const where = {
      seq_no,
      operation_id,
      ...(other === undefined ? {} : { other_seq_no: other.seq_no }),
      ...(pointer == null ? {} : { pointer: pointer.slice(0, 2048).toWellFormed() }),
    };
    // A text may have been cut within a character, where a record chose that it is: half of one has no canonical form.
    this.#findings.push({ code, severity, where, message: message.toWellFormed() });
  }
}
