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
import type { ForksProgress, ForksRequest, ForksResult } from './messages.ts';
import { answerRequests } from './thread-reply.ts';

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

async function compare(
  { files, trustedKids }: ForksRequest,
  tell: (progress: ForksProgress) => void,
): Promise<ForksResult> {
  const of = files.reduce((sum, { size }) => sum + size, 0);
  let bytes = 0;
  const counted = (source: BundleSource): BundleSource =>
    async function* read() {
      for await (const chunk of source()) {
        bytes += chunk.length;
        tell({ bytes, of });
        yield chunk;
      }
    };
  const named: NamedSource[] = [];
  for (const file of files) named.push({ name: file.name, source: counted(await sourceOf(file)) });
  return { report: await findForks(named, { crypto: await webCrypto(), trustedKids }) };
}

answerRequests(compare, messageOf);
