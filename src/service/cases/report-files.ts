import { createWriteStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import packageJson from '../../../package.json' with { type: 'json' };
import type { CoherenceReport } from '../../actions/profile/index.ts';
import {
  canonicalBytes,
  describePages,
  type Json,
  makeVerificationArtifact,
  type VerificationReport,
  withPages,
} from '../../protocol/index.ts';
import {
  type CaseStanding,
  ReportError,
  type StandingCoherence,
  verifierAttachment,
  writePdfReport,
} from '../../reports/pdf/index.ts';
import { CaseRefused, caseSource } from './case-source.ts';
import type { JobMeans, JsonTask, PdfTask } from './job-messages.ts';

async function readReport(path: string): Promise<VerificationReport> {
  return JSON.parse(await readFile(path, 'utf8')) as VerificationReport;
}

/** Writes the PDF report of a case: as `countersign report` makes it, and the investigator's tags and notes. */
export async function writeCasePdf(task: PdfTask, { signal }: Pick<JobMeans, 'signal'>): Promise<void> {
  const { file, reportPath, outPath, annotations, pages } = task;
  const report = await readReport(reportPath);
  const source = caseSource(file.path, file.kind, { ...file, onBytes: () => signal.throwIfAborted() });
  const attachments = [await verifierAttachment()];
  const out = createWriteStream(outPath, { mode: 0o600 });
  try {
    const common = { source, report, maker: 'reader', version: packageJson.version } as const;
    const madeWith = { trustedKeys: task.trust, receiptFiles: task.receiptFiles, otherFiles: task.otherFiles };
    const printed = task.details === undefined ? {} : { details: task.details };
    const standing = await standingOf(task);
    await writePdfReport({ ...common, ...printed, out, attachments, annotations, pages, standing, madeWith });
  } catch (error) {
    await rm(outPath, { force: true });
    throw error instanceof ReportError ? new CaseRefused('FILE_TOO_LARGE', error.message) : error;
  }
}

/** What is known of a case besides its bundle; null where there is nothing to say. */
async function standingOf({ standing, coherencePath }: PdfTask): Promise<CaseStanding | null> {
  const coherence = await coherenceIn(coherencePath);
  const isSilent = coherence === null && standing.contradicting.length === 0 && standing.unchecked === 0;
  return isSilent ? null : { ...standing, coherence };
}

/** What of the coherence of a case its PDF report says; null where it was not checked, or does not apply. */
async function coherenceIn(path: string | null): Promise<StandingCoherence | null> {
  if (path === null) return null;
  const { status, counts, codes } = JSON.parse(await readFile(path, 'utf8')) as CoherenceReport;
  if (status === 'not_applicable') return null;
  return { status, contradictions: counts.contradictions, open: counts.open, codes };
}

const NOTICE = 'Written by the investigator. No evidence: nothing signs it, and no check looks at it.';

/**
 * Writes the verification artifact and, beside it, the verdict on the whole case, whether the recorded actions fit together and the investigator's tags and
 * notes, in canonical form.
 */
export async function writeCaseJson({
  reportPath,
  coherencePath,
  standing,
  outPath,
  annotations,
  pages,
  files,
  trust,
}: JsonTask): Promise<void> {
  const report = await readReport(reportPath);
  const verifier = { name: packageJson.name, version: packageJson.version };
  const verification = makeVerificationArtifact(withPages(report, pages), trust, files, verifier);
  // Only where the file was a PDF: what stands on its pages is not what was verified.
  const about = pages === null ? {} : { pages: { ...pages, ...describePages(pages) } };
  const coherence =
    coherencePath === null ? {} : { coherence: JSON.parse(await readFile(coherencePath, 'utf8')) as Json };
  const investigator = { notice: NOTICE, annotations };
  const value = { type: 'countersign.case-report.v1', ...standing, verification, ...about, ...coherence, investigator };
  await writeFile(outPath, canonicalBytes(value as unknown as Json), { mode: 0o600 });
}
