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

/** Collects findings: counts all, and keeps the first of them. */
export class FindingLog {
  readonly findings: CoherenceFinding[] = [];
  readonly codes: { [code in CoherenceCode]?: number } = {};
  contradictions = 0;
  open = 0;

  /** Adds a finding about the record at `place`, in one sentence. */
  add(
    code: CoherenceCode,
    severity: CoherenceSeverity,
    { seq_no, operation_id }: Place,
    message: string,
    { other, pointer }: Held = {},
  ): void {
    this.codes[code] = (this.codes[code] ?? 0) + 1;
    if (severity === 'open') this.open++;
    else this.contradictions++;
    if (this.findings.length >= MAX_FINDINGS) return;
    const where = {
      seq_no,
      operation_id,
      ...(other === undefined ? {} : { other_seq_no: other.seq_no }),
      ...(pointer == null ? {} : { pointer: pointer.slice(0, 2048).toWellFormed() }),
    };
    // A text may have been cut within a character, where a record chose that it is: half of one has no canonical form.
    this.findings.push({ code, severity, where, message: message.toWellFormed() });
  }
}
