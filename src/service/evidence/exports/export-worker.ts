/**
 * The thread that makes exports, one after the other: it reads the ledger over its own connection and writes the file,
 * while the service keeps serving.
 */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type MessagePort, workerData } from 'node:worker_threads';
import { serveRequests } from '../../../node/index.ts';
import { TooLarge } from '../../../protocol/index.ts';
import { openReadOnly } from '../../store/open-read-only.ts';
import { type BundleRequest, selectBundle } from './bundle-source.ts';
import { tooLargeSentence } from './export-sizes.ts';
import { placesInBundle } from './named-people.ts';
import type { Redaction } from './redaction.ts';
import { type BundleIdentity, type WrittenBundle, writeBundle } from './write-bundle.ts';

/** One export. */
export interface ExportTask extends BundleRequest {
  /** Where the bundle goes. */
  readonly path: string;
  /** Where a report about it goes, if there is to be one; the bundle's own file is dropped then. */
  readonly reportPath: string | null;
  /** Whether the report prints every record; where it is not said, of up to 200. */
  readonly details?: boolean | undefined;
  readonly identity: BundleIdentity;
  readonly redaction: Redaction;
}

interface MakeRequest extends ExportTask {
  /** The key that signs the manifest. */
  readonly serviceKid: string;
  /** Takes bytes, and gives back their signature. */
  readonly signer: MessagePort;
}

/** What the thread is asked: an export, or only whether it runs. */
export type ExportRequest = MakeRequest | 'ready';

/** How far an export is: records written, and a share of the whole, 0 to 1. */
export interface ExportProgress {
  readonly records: number;
  readonly share: number;
}

const ledgerPath = workerData as string;

async function signedBy(signer: MessagePort, message: Uint8Array): Promise<Uint8Array> {
  const answer = once(signer, 'message');
  signer.postMessage(message);
  const [signature] = (await answer) as [Uint8Array];
  return signature;
}

/** Why there is no such export, in a sentence for whoever asked for it. */
function refusalOf(error: unknown): string | undefined {
  if (error instanceof TooLarge) return tooLargeSentence(error);
  // Known by its name: only a report loads the module that it is of.
  const isReportError = error instanceof Error && error.name === 'ReportError';
  return isReportError ? `${error.message}: export it as json instead` : undefined;
}

/** Writes a bundle of the ledger as it is at this moment, whatever is committed meanwhile. */
async function writeFromNow(
  { path, identity, redaction, serviceKid, signer, ...request }: MakeRequest,
  onBegun: () => void,
  onProgress: (records: number, share: number) => void,
): Promise<WrittenBundle> {
  const key = { kid: serviceKid, sign: (message: Uint8Array) => signedBy(signer, message) };
  const store = openReadOnly(ledgerPath);
  try {
    // A transaction sees what there was at its first look.
    store.sqlite.exec('BEGIN');
    store.sqlite.prepare('SELECT 1 FROM organizations LIMIT 1').get();
    onBegun();
    return await writeBundle(path, store, key, selectBundle(store, { ...request, names: redaction.names }), identity, {
      redaction,
      onProgress,
    });
  } finally {
    store.close();
    signer.close();
  }
}

/** What a task gives back; where it fails, the file is gone too. */
async function withoutFile<T>(path: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

serveRequests<ExportRequest, WrittenBundle | null, ExportProgress | 'begun', string>(
  async (request, { signal, tell }) => {
    if (request === 'ready') return null;
    const { path, reportPath, details, serviceKid } = request;
    const onProgress = (records: number, share: number): void => {
      signal.throwIfAborted();
      tell({ records, share });
    };
    const written = await writeFromNow(request, () => tell('begun'), onProgress);
    const { names } = request.redaction;
    const check = () =>
      placesInBundle(
        () => createReadStream(path),
        names,
        () => signal.throwIfAborted(),
      );
    const kept = names.length === 0 ? {} : { kept: await withoutFile(path, check) };
    if (reportPath !== null) {
      // Only now: most exports need nothing of it.
      const { writeReport } = await import('./write-report.ts');
      await writeReport(path, reportPath, { serviceKid, details, signal }).finally(() => rm(path, { force: true }));
    }
    return { ...written, ...kept };
  },
  { refusalOf },
);
