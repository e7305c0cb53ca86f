import type { CoherenceReport } from '../actions/profile/index.ts';
import type { IssuerChange } from '../node/trust/index.ts';
import {
  describePages,
  type EquivocationJudgement,
  type PagesCheck,
  type RetentionJudgement,
  type VerificationReport,
} from '../protocol/index.ts';
import { type JudgedReport, renderChosen } from './chosen-report.ts';
import { EXIT } from './command.ts';
import { renderJudgement } from './equivocation.ts';
import { renderIssuerChange } from './issuer-change.ts';
import { renderCoherence } from './render-coherence.ts';
import { renderReport } from './render-report.ts';
import { renderRetention } from './retention-certificate.ts';
import type { Terminal } from './terminal.ts';
import { renderTrustBasis, type TrustBasis } from './trust-basis.ts';
import { type KeptJudgement, renderKept } from './verification-artifact/kept-report.ts';

/** What the reader's own trust store has to do with a report. It is no part of the report, which depends on its inputs alone. */
export interface TrustContext {
  readonly kids: readonly string[];
  readonly change: IssuerChange | null;
  readonly basis: TrustBasis;
  /** Whether a trust store was used: only then does JSON tell of it. */
  readonly usesStore: boolean;
}

/** What came of one thing that was to be verified: a report, or why there is none. `name` is how people called it. */
export type Outcome =
  | {
      readonly name: string;
      /** With the verdict on the file: its pages count. */
      readonly report: VerificationReport;
      /** What was found about the pages of a PDF; null where the file is not a PDF. */
      readonly pages?: PagesCheck | null;
      readonly trust?: TrustContext;
      /** Whether records of the payload profile fit together; null where there is none. No part of the report. */
      readonly coherence?: CoherenceReport | null;
    }
  | { readonly name: string; readonly judgement: EquivocationJudgement }
  | { readonly name: string; readonly retention: RetentionJudgement }
  | { readonly name: string; readonly kept: KeptJudgement }
  | ({ readonly name: string; readonly trust?: TrustContext } & JudgedReport)
  | { readonly name: string; readonly error: string };

/** Shows an outcome to a person. */
export function renderOutcome(outcome: Outcome, terminal: Terminal): void {
  if ('error' in outcome) terminal.note(`countersign verify: ${outcome.error}`);
  else if ('judgement' in outcome) renderJudgement(outcome.name, outcome.judgement, terminal);
  else if ('retention' in outcome) renderRetention(outcome.name, outcome.retention, terminal);
  else if ('kept' in outcome) renderKept(outcome.name, outcome.kept, terminal);
  else if ('chosen' in outcome) {
    renderChosen(outcome.name, outcome, terminal);
    renderTrust(outcome.chosen.proof, outcome.trust, terminal);
  } else if (!outcome.report.recognised)
    terminal.note(`countersign verify: ${outcome.name}: is not a bundle. ${outcome.report.summary}`);
  else {
    renderReport(outcome.name, outcome.report, terminal);
    if (outcome.coherence) renderCoherence(outcome.coherence, terminal);
    if (outcome.pages) renderPages(outcome.pages, terminal);
    renderTrust(outcome.report, outcome.trust, terminal);
  }
}

function renderTrust(report: VerificationReport, trust: TrustContext | undefined, terminal: Terminal): void {
  if (trust) renderTrustBasis(report, trust.basis, terminal);
  if (trust?.change) renderIssuerChange(trust.change, terminal);
}

/** The checks above are of the bundle attached to a PDF; this is about the pages that people read. */
function renderPages(pages: PagesCheck, terminal: Terminal): void {
  const { title, text } = describePages(pages);
  terminal.line();
  terminal.line(`  ${pages.status === 'match' ? '✓' : pages.status === 'differ' ? '✗' : '?'} ${title}.`);
  terminal.wrapped(`  ${text}`, 2);
}

/** Outcomes for a program: one by itself, several as an array. */
export function outcomesAsJson(outcomes: readonly Outcome[]): string {
  const results = outcomes.map((outcome) => {
    if ('error' in outcome) return { error: outcome.error };
    if ('judgement' in outcome) return outcome.judgement;
    if ('retention' in outcome) return outcome.retention;
    if ('kept' in outcome) return outcome.kept;
    if ('chosen' in outcome) return withTrust({ ...outcome.chosen, pages: outcome.pages }, outcome.trust);
    const { trust, pages, coherence } = outcome;
    const report = {
      ...outcome.report,
      ...(pages ? { pages } : {}),
      ...(coherence ? { coherence } : {}),
    };
    return withTrust(report, trust);
  });
  return JSON.stringify(results.length === 1 ? results[0] : results, null, 2);
}

/** What is printed, and what the reader's trust store has to do with it. */
function withTrust<T extends object>(printed: T, trust: TrustContext | undefined): T {
  if (trust === undefined || !trust.usesStore) return printed;
  const warnings = trust.change === null ? [] : [trust.change];
  return { ...printed, trust: { kids: trust.kids, warnings, ...trust.basis } };
}

/** Exit code of a verification (protocol V163). */
export function exitCodeOf(report: VerificationReport): number {
  return report.recognised ? EXIT[report.verdict] : EXIT.unusable;
}

function exitCode(outcome: Outcome): number {
  if ('error' in outcome) return EXIT.unusable;
  if ('judgement' in outcome) return EXIT[outcome.judgement.verdict];
  if ('retention' in outcome) return EXIT[outcome.retention.verdict];
  if ('kept' in outcome) return EXIT[outcome.kept.verdict];
  if ('chosen' in outcome) return EXIT[outcome.chosen.verdict];
  return exitCodeOf(outcome.report);
}

/** The gravest first: what could not be judged, what failed, what is incomplete. */
const GRAVITY = [EXIT.unusable, EXIT.failed, EXIT.incomplete, EXIT.verified];

/** The exit code for all of them together. */
export function gravestCode(outcomes: readonly Outcome[]): number {
  const codes = outcomes.map(exitCode);
  return GRAVITY.find((code) => codes.includes(code)) ?? EXIT.unusable;
}
