import { isRecordProof, type VerifyOptions, verifyBundle, verifyRecordProof } from '../../protocol/index.ts';
import { DamagedArchive, ExtractError, openBundle, webCrypto } from '../../verify/index.ts';
import type { VerifyReply, VerifyRequest } from './messages.ts';

const PROGRESS_MS = 100;

function tell(reply: VerifyReply): void {
  self.postMessage(reply);
}

async function verify({ bundle, receipts, trustedKids }: VerifyRequest): Promise<VerifyReply> {
  let told = 0;
  const { source, container } = await openBundle(bundle);
  const kept = receipts === null ? [] : [{ name: receipts.name, source: (await openBundle(receipts)).source }];
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
  if (isProof && receipts !== null) {
    return {
      kind: 'unreadable',
      message: 'This is a proof of records. Receipts are compared with bundles: remove them.',
    };
  }
  const report = isProof
    ? await verifyRecordProof(source, options)
    : await verifyBundle(source, { ...options, receipts: kept });
  if (!report.recognised) return { kind: 'unreadable', message: 'This file is not a bundle.' };
  // Pages are rendered by a library that this window does not have.
  const pages =
    container === 'report' ? ({ status: 'not_comparable', reason: 'not_here', version: null } as const) : null;
  return { kind: 'report', report, pages };
}

function reasonOf(error: unknown): string {
  if (error instanceof DamagedArchive) return 'This file is compressed, and is damaged or ends too early.';
  if (error instanceof ExtractError) return `This file ${error.message}.`;
  return error instanceof Error ? error.message : String(error);
}

self.onmessage = ({ data }: MessageEvent<VerifyRequest>): void => {
  verify(data)
    .then(tell)
    .catch((error: unknown) => tell({ kind: 'unreadable', message: reasonOf(error) }));
};
