import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import packageJson from '../../../package.json' with { type: 'json' };
import { type HostCrypto, ProtocolError, RecordProofError } from '../../protocol/index.ts';
import {
  type ChosenResult,
  chooseRecords,
  chosenHtml,
  ReportError,
  reportOfProof,
  verifierAttachment,
  writeChosenPdf,
} from '../../report/index.ts';
import { proveStored } from '../evidence/proofs/stored-proof.ts';
import { caseSource, RecordsRefused } from './case-source.ts';
import type { ChosenTask } from './job-messages.ts';

function make({ of, request }: ChosenTask, crypto: HostCrypto): Promise<ChosenResult> {
  if ('file' in of) return chooseRecords(caseSource(of.file.path, of.file.kind, of.file), request, crypto);
  const numbers = request.entries.map(({ seq_no }) => seq_no);
  return reportOfProof(proveStored(of.ledgerPath, of.orgId, numbers), null, request, crypto);
}

/** Writes a report of chosen records of a case or of a ledger, as `countersign report --records` makes it. */
export async function writeChosenReport(task: ChosenTask, crypto: HostCrypto): Promise<void> {
  const { format, details, outPath } = task;
  const { version } = packageJson;
  try {
    const { report } = await make(task, crypto);
    if (format === 'html') {
      await writeFile(outPath, await chosenHtml(report, version), { mode: 0o600 });
      return;
    }
    const out = createWriteStream(outPath, { mode: 0o600 });
    const attachments = [await verifierAttachment()];
    await writeChosenPdf({ report, crypto, version, out, attachments, ...(details === undefined ? {} : { details }) });
  } catch (error) {
    await rm(outPath, { force: true });
    const isRefused =
      error instanceof RecordProofError || error instanceof ReportError || error instanceof ProtocolError;
    throw isRefused ? new RecordsRefused(error.message) : error;
  }
}
