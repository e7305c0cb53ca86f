import { createWriteStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import packageJson from '../../../package.json' with { type: 'json' };
import { canonicalBytes, type Json, makeVerificationArtifact, type VerificationReport } from '../../protocol/index.ts';
import { ReportError, verifierAttachment, writePdfReport } from '../../report/index.ts';
import { CaseRefused, caseSource } from './case-source.ts';
import type { JsonTask, PdfTask } from './job-messages.ts';

async function readReport(path: string): Promise<VerificationReport> {
  return JSON.parse(await readFile(path, 'utf8')) as VerificationReport;
}

/** Writes the PDF report of a case: as `countersign report` makes it, and the investigator's tags and notes. */
export async function writeCasePdf({ file, reportPath, outPath, annotations }: PdfTask): Promise<void> {
  const report = await readReport(reportPath);
  const source = caseSource(file.path, file.kind, file);
  const attachments = [await verifierAttachment()];
  const out = createWriteStream(outPath, { mode: 0o600 });
  try {
    const common = { source, report, maker: 'reader', version: packageJson.version } as const;
    await writePdfReport({ ...common, out, attachments, annotations });
  } catch (error) {
    await rm(outPath, { force: true });
    throw error instanceof ReportError ? new CaseRefused('FILE_TOO_LARGE', error.message) : error;
  }
}

const NOTICE = 'Written by the investigator. No evidence: nothing signs it, and no check looks at it.';

/** Writes the verification artifact and, beside it, the investigator's tags and notes, in canonical form. */
export async function writeCaseJson({ reportPath, outPath, annotations, files, trustedKids }: JsonTask): Promise<void> {
  const report = await readReport(reportPath);
  const verifier = { name: packageJson.name, version: packageJson.version };
  const verification = makeVerificationArtifact(report, trustedKids, files, verifier);
  const value = { type: 'countersign.case-report.v1', verification, investigator: { notice: NOTICE, annotations } };
  await writeFile(outPath, canonicalBytes(value as unknown as Json), { mode: 0o600 });
}
