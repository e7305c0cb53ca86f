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
import type { VerifyReply, VerifyRequest } from './messages.ts';
import { VERIFY_WORKER } from './texts.ts';

const PROGRESS_MS = 100;

function tell(reply: VerifyReply): void {
  self.postMessage(reply);
}

/** Pages are rendered by a library that this window does not have. */
const NOT_HERE = { status: 'not_comparable', reason: 'not_here', version: null } as const;

async function verifyChosen(data: Uint8Array, { bundle, receipts, trustedKids }: VerifyRequest): Promise<VerifyReply> {
  if (receipts.length > 0) {
    const message = VERIFY_WORKER.receiptsWithReport;
    return { kind: 'unreadable', message };
  }
  const chosen = await judgeChosenReport(parseChosenReport(data), { crypto: await webCrypto(), trustedKids });
  // The data by themselves have no pages.
  const pages = /\.json$/i.test(bundle.name) ? null : NOT_HERE;
  return { kind: 'report', report: withPages(chosen.proof, pages), pages, chosen: withPages(chosen, pages) };
}

async function verify(request: VerifyRequest): Promise<VerifyReply> {
  const { bundle, receipts, trustedKids } = request;
  const data = await openChosenReport(bundle);
  if (data !== null) return verifyChosen(data, request);
  let told = 0;
  const { source, container } = await openBundle(bundle);
  const kept = await Promise.all(
    receipts.map(async (file) => ({ name: file.name, source: (await openBundle(file)).source })),
  );
  const options: VerifyOptions = {
    crypto: await webCrypto(),
    trustedKids,
    onProgress: ({ bytes, records }) => {
      const now = Date.now();
      if (now - told < PROGRESS_MS) return;
      told = now;
      tell({ kind: 'progress', bytes, records });
    },
  };
  const isProof = await isRecordProof(source);
  if (isProof && receipts.length > 0) {
    return {
      kind: 'unreadable',
      message: VERIFY_WORKER.receiptsWithProof,
    };
  }
  const report = isProof
    ? await verifyRecordProof(source, options)
    : await verifyBundle(source, { ...options, receipts: kept });
  if (!report.recognised) return { kind: 'unreadable', message: VERIFY_WORKER.noBundle };
  const pages = container === 'report' ? NOT_HERE : null;
  return { kind: 'report', report: withPages(report, pages), pages, chosen: null };
}

function reasonOf(error: unknown): string {
  if (error instanceof DamagedArchive) return VERIFY_WORKER.damagedArchive;
  if (error instanceof ExtractError) return VERIFY_WORKER.cannotExtract(error.message);
  if (error instanceof ProtocolError) return VERIFY_WORKER.unsoundReport(error.message);
  return messageOf(error);
}

self.onmessage = ({ data }: MessageEvent<VerifyRequest>): void => {
  verify(data)
    .then(tell)
    .catch((error: unknown) => tell({ kind: 'unreadable', message: reasonOf(error) }));
};
