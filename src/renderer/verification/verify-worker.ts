import {
  isRecordProof,
  judgeChosenReport,
  messageOf,
  ProtocolError,
  parseChosenReport,
  type VerifyOptions,
  verifyBundle,
  verifyRecordProof,
  withPages,
} from '../../protocol/index.ts';
import { DamagedArchive, ExtractError, openBundle, openChosenReport, webCrypto } from '../../reports/verify/index.ts';
import type { VerifyProgress, VerifyRequest, VerifyResult } from './messages.ts';
import { VERIFY_WORKER } from './texts.ts';
import { answerRequests } from './thread-reply.ts';

/** Files that cannot be verified together, or not at all: the message is for people. */
class NotVerifiable extends Error {
  override readonly name = 'NotVerifiable';
}

/** Pages are rendered by a library that this window does not have. */
const NOT_HERE = { status: 'not_comparable', reason: 'not_here', version: null } as const;

async function verifyChosen(data: Uint8Array, { bundle, receipts, trustedKids }: VerifyRequest): Promise<VerifyResult> {
  if (receipts.length > 0) throw new NotVerifiable(VERIFY_WORKER.receiptsWithReport);
  const chosen = await judgeChosenReport(parseChosenReport(data), { crypto: await webCrypto(), trustedKids });
  // The data by themselves have no pages.
  const pages = /\.json$/i.test(bundle.name) ? null : NOT_HERE;
  return { report: withPages(chosen.proof, pages), pages, chosen: withPages(chosen, pages), file: bundle.name };
}

async function verify(request: VerifyRequest, tell: (progress: VerifyProgress) => void): Promise<VerifyResult> {
  const { bundle, receipts, trustedKids } = request;
  const data = await openChosenReport(bundle);
  if (data !== null) return verifyChosen(data, request);
  const { source, container } = await openBundle(bundle);
  const kept = await Promise.all(
    receipts.map(async (file) => ({ name: file.name, source: (await openBundle(file)).source })),
  );
  const options: VerifyOptions = {
    crypto: await webCrypto(),
    trustedKids,
    onProgress: ({ bytes, records }) => tell({ bytes, records }),
  };
  const isProof = await isRecordProof(source);
  if (isProof && receipts.length > 0) throw new NotVerifiable(VERIFY_WORKER.receiptsWithProof);
  const report = isProof
    ? await verifyRecordProof(source, options)
    : await verifyBundle(source, { ...options, receipts: kept });
  if (!report.recognised) throw new NotVerifiable(VERIFY_WORKER.noBundle);
  const pages = container === 'report' ? NOT_HERE : null;
  return { report: withPages(report, pages), pages, chosen: null, file: bundle.name };
}

function reasonOf(error: unknown): string {
  if (error instanceof DamagedArchive) return VERIFY_WORKER.damagedArchive;
  if (error instanceof ExtractError) return VERIFY_WORKER.cannotExtract(error.message);
  if (error instanceof ProtocolError) return VERIFY_WORKER.unsoundReport(error.message);
  return messageOf(error);
}

answerRequests(verify, reasonOf);
