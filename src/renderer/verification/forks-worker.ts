import {
  type BundleSource,
  findForks,
  messageOf,
  type NamedSource,
  ProtocolError,
  parseChosenReport,
  reportProofBytes,
} from '../../protocol/index.ts';
import { DamagedArchive, ExtractError, openBundle, openChosenReport, webCrypto } from '../../reports/verify/index.ts';
import type { ForksReply, ForksRequest } from './messages.ts';

const PROGRESS_MS = 100;

const tell = (reply: ForksReply): void => self.postMessage(reply);

/** Of a report of chosen records, its proof; of a bundle that is packed or in a PDF, the bundle. */
async function sourceOf(file: File): Promise<BundleSource> {
  try {
    const data = await openChosenReport(file);
    if (data !== null) {
      const bytes = reportProofBytes(parseChosenReport(data));
      return () => [bytes];
    }
    return (await openBundle(file)).source;
  } catch (error) {
    if (!(error instanceof DamagedArchive || error instanceof ExtractError || error instanceof ProtocolError))
      throw error;
    // The comparison says that it cannot be read.
    return () => [new Uint8Array(0)];
  }
}

async function compare({ files, trustedKids }: ForksRequest): Promise<ForksReply> {
  let [bytes, told] = [0, 0];
  const counted = (source: BundleSource): BundleSource =>
    async function* read() {
      for await (const chunk of source()) {
        bytes += chunk.length;
        if (Date.now() - told >= PROGRESS_MS) {
          told = Date.now();
          tell({ kind: 'progress', bytes });
        }
        yield chunk;
      }
    };
  const named: NamedSource[] = [];
  for (const file of files) named.push({ name: file.name, source: counted(await sourceOf(file)) });
  return { kind: 'forks', report: await findForks(named, { crypto: await webCrypto(), trustedKids }) };
}

self.onmessage = ({ data }: MessageEvent<ForksRequest>): void => {
  compare(data)
    .then(tell)
    .catch((error: unknown) => tell({ kind: 'unreadable', message: messageOf(error) }));
};
