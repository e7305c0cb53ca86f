import { ExtractError } from '../../extract/index.ts';
import { type BundleSource, verifyBundle } from '../../protocol/index.ts';
import type { VerifyReply, VerifyRequest } from './messages.ts';
import { openReportFile } from './report-file.ts';
import { windowCrypto } from './web-crypto.ts';

const PROGRESS_MS = 100;

function tell(reply: VerifyReply): void {
  self.postMessage(reply);
}

async function startsWith(file: File, bytes: readonly number[]): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, bytes.length).arrayBuffer());
  return bytes.every((byte, n) => head[n] === byte);
}

/** The bytes of a file in pieces, unpacked where it is compressed with gzip. */
function sourceOf(file: File, isCompressed: boolean): BundleSource {
  return async function* () {
    const stream: ReadableStream<Uint8Array> = isCompressed
      ? file.stream().pipeThrough(new DecompressionStream('gzip'))
      : file.stream();
    const reader = stream.getReader();
    try {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
    } catch (error) {
      // What browsers say of it differs, and does not tell the two apart.
      const isDamaged = isCompressed && error instanceof TypeError;
      throw isDamaged ? new Error('This file is compressed, and is damaged or ends too early.') : error;
    } finally {
      // A stream that failed refuses to be cancelled with the failure that is already on its way up.
      await reader.cancel().catch(() => undefined);
    }
  };
}

/** The bundle of a file, told apart by its first bytes and not by its name. */
async function openBundle(file: File, isPdf: boolean): Promise<BundleSource> {
  if (isPdf) return (await openReportFile(file)).source;
  return sourceOf(file, await startsWith(file, [0x1f, 0x8b]));
}

async function verify({ bundle, receipts, trustedKids }: VerifyRequest): Promise<VerifyReply> {
  let told = 0;
  const isPdf = await startsWith(bundle, [0x25, 0x50, 0x44, 0x46]);
  const report = await verifyBundle(await openBundle(bundle, isPdf), {
    crypto: await windowCrypto(),
    trustedKids,
    ...(receipts === null ? {} : { receipts: [{ name: receipts.name, source: sourceOf(receipts, false) }] }),
    onProgress: ({ bytes, records }) => {
      const now = Date.now();
      if (now - told < PROGRESS_MS) return;
      told = now;
      tell({ kind: 'progress', bytes, records });
    },
  });
  if (!report.recognised) return { kind: 'unreadable', message: 'This file is not a bundle.' };
  // Pages are rendered by a library that this window does not have.
  const pages = isPdf ? ({ status: 'not_comparable', reason: 'not_here', version: null } as const) : null;
  return { kind: 'report', report, pages };
}

self.onmessage = ({ data }: MessageEvent<VerifyRequest>): void => {
  verify(data)
    .then(tell)
    .catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      tell({ kind: 'unreadable', message: error instanceof ExtractError ? `This file ${message}.` : message });
    });
};
