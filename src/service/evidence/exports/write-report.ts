import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import packageJson from '../../../../package.json' with { type: 'json' };
import { nodeCrypto, putInPlace, type StopSignal } from '../../../node/index.ts';
import { verifyBundle } from '../../../protocol/index.ts';
import { verifierAttachment, writePdfReport } from '../../../reports/pdf/index.ts';

const READ_BYTES = 1024 * 1024;

/**
 * Verifies a bundle that was just written and makes the report about it, the bundle and a verifier attached. What it says
 * is the issuer's own word, and it says so.
 * @param bundle its file @param path where the report goes; the name appears only once all of it is on disk
 * @param details whether every record is printed; where it is not said, of up to 200
 * @throws ReportError where the bundle is too large for a report; RequestStopped
 */
export async function writeReport(
  bundle: string,
  path: string,
  {
    serviceKid,
    details,
    signal,
  }: { readonly serviceKid: string; readonly details: boolean | undefined; readonly signal: StopSignal },
): Promise<void> {
  async function* source(): AsyncGenerator<Uint8Array> {
    const chunks = createReadStream(bundle, { highWaterMark: READ_BYTES }) as AsyncIterable<Uint8Array>;
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      yield chunk;
    }
  }
  const temporary = `${path}.part`;
  try {
    const report = await verifyBundle(source, { crypto: nodeCrypto, trustedKids: [serviceKid], signal });
    const out = createWriteStream(temporary, { mode: 0o600, flush: true });
    const attachments = [await verifierAttachment()];
    const madeWith = { trustedKeys: [serviceKid], receiptFiles: 0, otherFiles: 0 };
    const common = { source, report, maker: 'issuer', version: packageJson.version } as const;
    const printed = details === undefined ? {} : { details };
    await writePdfReport({ ...common, ...printed, out, attachments, madeWith });
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await putInPlace(temporary, path);
}
