/**
 * The thread that makes exports, one after the other: it reads the ledger by a connection of its own and writes the file,
 * while the service goes on.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type MessagePort, workerData } from 'node:worker_threads';
import type { BundleFilter, LogHead } from '../../../protocol/index.ts';
import { serveRequests } from '../../../runtime/index.ts';
import { openReadOnly } from '../../store/open-read-only.ts';
import type { AdminEventsChoice } from './admin-events-choice.ts';
import { selectBundle } from './bundle-source.ts';
import type { Redaction } from './redaction.ts';
import { type BundleIdentity, type WrittenBundle, writeBundle } from './write-bundle.ts';

/** One export. */
export interface ExportTask {
  /** Where the bundle goes. */
  readonly path: string;
  /** Where a report about it goes, if there is to be one; the bundle's own file is dropped then. */
  readonly reportPath: string | null;
  readonly orgId: string;
  readonly filter: BundleFilter;
  readonly logHead: LogHead;
  readonly identity: BundleIdentity;
  readonly redaction: Redaction;
  readonly adminEvents: AdminEventsChoice;
}

export interface ExportRequest extends ExportTask {
  /** The key that signs the manifest. */
  readonly serviceKid: string;
  /** Takes bytes, and gives back their signature. */
  readonly signer: MessagePort;
}

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

/** Why there is no such export, in a sentence for who asked for it. */
function refusalOf(error: unknown): string | undefined {
  // Known by its name: only a report loads the module that it is of.
  const isReportError = error instanceof Error && error.name === 'ReportError';
  return isReportError ? `${error.message}: export it as json instead` : undefined;
}

serveRequests<ExportRequest, WrittenBundle, ExportProgress, string>(
  async (request, { signal, tell }) => {
    const { path, reportPath, orgId, filter, logHead, identity, redaction, adminEvents, serviceKid, signer } = request;
    const key = { kid: serviceKid, sign: (message: Uint8Array) => signedBy(signer, message) };
    const onProgress = (records: number, share: number): void => {
      signal.throwIfAborted();
      tell({ records, share });
    };
    const store = openReadOnly(ledgerPath);
    try {
      const selection = selectBundle(store, orgId, filter, logHead, adminEvents);
      const written = await writeBundle(path, store, key, selection, identity, { redaction, onProgress });
      if (reportPath !== null) {
        // Only now: most exports need nothing of it.
        const { writeReport } = await import('./write-report.ts');
        await writeReport(path, reportPath, serviceKid).finally(() => rm(path, { force: true }));
      }
      return written;
    } finally {
      store.close();
      signer.close();
    }
  },
  { refusalOf },
);
