/** What a verifier that is compared is asked, and what it answers: one line of JSON each. */

/** As one line: readline also ends a line at the two line separators of Unicode, which JSON leaves as they are. */
export function lineOf(message: Job | Answer | Run | Printed): string {
  return `${JSON.stringify(message).replace(/[\u2028\u2029]/g, '\ufffd')}\n`;
}

/**
 * What a file is: a bundle or a proof of records by itself; one of them, or a report of chosen records, inside another file (HTML, PDF,
 * gzip); a case; or a certificate of retention.
 */
export type Kind = 'bundle' | 'proof' | 'contained' | 'case' | 'certificate';

export interface Job {
  readonly id: number;
  /** A bundle or a proof where it is missing. */
  readonly kind?: Kind;
  /** Paths of files. */
  readonly file: string;
  readonly receipts: readonly string[];
  readonly against: readonly string[];
  readonly checkpoint: readonly string[];
  readonly trust: readonly string[];
  readonly trustAgent: readonly string[];
  readonly madeNotBefore: number | null;
}

/** A verifier's program with arguments, as somebody runs it. */
export interface Run {
  readonly id: number;
  readonly arguments: readonly string[];
}

/** What it prints, and its exit code. */
export interface Printed {
  readonly id: number;
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Judged {
  readonly verdict: 'verified' | 'incomplete' | 'failed' | 'unreadable' | 'crashed';
  /** Codes of findings that fail the verdict; of the verifier that names causes, those alone that no other explains. */
  readonly roots: readonly string[];
  /** Code of the first finding of the report; null where there is none. */
  readonly first: string | null;
  /** Codes of all findings. */
  readonly codes: readonly string[];
  readonly details: readonly string[];
  /** What else has to be the same, such as what is shown of the payloads (shownText); null where not the whole file was read. */
  readonly shown: string | null;
}

/** An answer that comes without a report. */
export function withoutReport(verdict: 'unreadable' | 'crashed', why: string, first: string | null = null): Judged {
  return { verdict, roots: [], first, codes: [], shown: null, details: [why] };
}

/** What the judgement of a certificate has of which nothing may differ. */
export interface CertificateJudgement {
  readonly verdict: Judged['verdict'];
  /** Missing where the file was not taken for a certificate. */
  readonly statements?: readonly { readonly statement: string; readonly state: string; readonly code: string | null }[];
}

/** A certificate's statements come in one order: the first finding is the first contradicted one. */
export function judgedCertificate({ verdict, statements = [] }: CertificateJudgement): Judged {
  const codes = statements.flatMap(({ code }) => (code === null ? [] : [code]));
  const shown = JSON.stringify(statements.map(({ statement, state, code }) => [statement, state, code]));
  return { verdict, roots: codes, first: codes[0] ?? null, codes, shown, details: [shown] };
}

/** What a report says of payloads that are not shown whole. Without payloads there is nothing to count or to remark. */
export function shownText(
  withheld: object,
  counts: object & { readonly payloads?: number },
  reason: string | null,
): string {
  return JSON.stringify((counts.payloads ?? 0) > 0 ? [withheld, counts, reason] : [withheld]);
}

export interface Answer extends Judged {
  readonly id: number;
  /** Time of the processor; null where the process was so new that its code was still being compiled. */
  readonly cpuMs: number | null;
  /** The largest resident set of the process so far. */
  readonly peakBytes: number;
}
