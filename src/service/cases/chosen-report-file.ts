import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import packageJson from '../../../package.json' with { type: 'json' };
import {
  type ChosenReport,
  canonicalBytes,
  chosenReportBytes,
  examinerSignatureState,
  type HostCrypto,
  ProtocolError,
  RecordProofError,
} from '../../protocol/index.ts';
import {
  type ChosenResult,
  chooseRecords,
  chosenHtml,
  ReportError,
  reportOfProof,
  verifierAttachment,
  writeChosenPdf,
} from '../../reports/pdf/index.ts';
import { proveStored } from '../evidence/proofs/stored-proof.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { caseSource } from './case-source.ts';
import type { ChosenTask, JobMeans } from './job-messages.ts';

type Means = Pick<JobMeans, 'crypto' | 'signal'>;

function make({ of, request }: ChosenTask, { crypto, signal }: Means): Promise<ChosenResult> {
  if ('file' in of) {
    const onBytes = (): void => signal.throwIfAborted();
    return chooseRecords(caseSource(of.file.path, of.file.kind, { ...of.file, onBytes }), request, crypto);
  }
  const numbers = request.entries.map(({ seq_no }) => seq_no);
  return reportOfProof(proveStored(of.ledgerPath, of.orgId, numbers, of.carried), null, request, crypto);
}

/**
 * The report with the examiner's signature. Whoever sent the signature chose its digest, key and value: it is kept only where
 * it verifies over the data as they are made here.
 * @throws ServiceError CONFLICT where the data are not those that were drafted; INVALID_SIGNATURE
 */
async function withSignature(
  report: ChosenReport,
  signed: ChosenTask['signed'],
  crypto: HostCrypto,
): Promise<ChosenReport> {
  if (signed === null) return report;
  if (signed.digest !== report.digest) {
    throw new ServiceError(
      'CONFLICT',
      'the report is not the one that was signed: words or records changed since. Sign it again',
    );
  }
  const made = { ...report, signature: signed.signature };
  if ((await examinerSignatureState(made, crypto)) === 'valid') return made;
  throw new ServiceError('INVALID_SIGNATURE', 'the signature of the report does not verify with the key that it names');
}

/** Writes a report of chosen records of a case or of a ledger, as `countersign report --records` makes it; or its data or proof alone. */
export async function writeChosenReport(task: ChosenTask, means: Means): Promise<void> {
  const { crypto } = means;
  const { format, details, outPath } = task;
  const { version } = packageJson;
  try {
    const made = await make(task, means);
    if (format === 'proof') {
      await writeFile(outPath, canonicalBytes(made.report.proof), { mode: 0o600 });
      return;
    }
    const report = await withSignature(made.report, task.signed, crypto);
    if (format === 'json') {
      await writeFile(outPath, chosenReportBytes(report), { mode: 0o600 });
      return;
    }
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
    throw isRefused ? new ServiceError('CONFLICT', error.message) : error;
  }
}
