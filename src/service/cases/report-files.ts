import { createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import packageJson from '../../../package.json' with { type: 'json' };
import type { VerificationReport } from '../../protocol/index.ts';
import { ReportError, verifierAttachment, writePdfReport } from '../../report/index.ts';
import { CaseRefused, caseSource } from './case-source.ts';
import type { PdfTask } from './job-messages.ts';

/** Writes the PDF report of a case: as `countersign report` makes it, and the investigator's tags and notes. */
export async function writeCasePdf({ file, reportPath, outPath, annotations }: PdfTask): Promise<void> {
  const report = JSON.parse(await readFile(reportPath, 'utf8')) as VerificationReport;
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
