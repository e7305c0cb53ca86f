import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openReadOnly } from '../../store/open-read-only.ts';
import { type BundleRequest, selectBundle } from './bundle-source.ts';
import type { Redaction } from './redaction.ts';
import { type BundleIdentity, type WrittenBundle, writeBundle } from './write-bundle.ts';

/** What the thread is started with. */
export interface ExportWorkerData {
  readonly ledgerPath: string;
  /** Holds 1 once exports are to be given up: a thread that is ended with a database open takes the process with it. */
  readonly stop: Int32Array;
}

/** One export. */
export interface ExportTask extends BundleRequest {
  /** Where the bundle goes. */
  readonly path: string;
  /** Where a report about it goes, if there is to be one; the bundle's own file is dropped then. */
  readonly reportPath: string | null;
  readonly identity: BundleIdentity;
  readonly redaction: Redaction;
  /** The key that signs the manifest. */
  readonly serviceKid: string;
}

/** What the thread is told: an export to make, or, where it asked for that, a signature. */
export type ExportRequest = { readonly task: ExportTask } | { readonly signature: Uint8Array } | 'close';

/** What the thread says: that it holds the ledger as it is, how far it is, what it needs signed, and what came of it. */
export type ExportMessage =
  /** It waits for its first task. */
  | { readonly kind: 'ready' }
  /** What is committed from now on it does not see. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'progress'; readonly records: number; readonly share: number }
  | { readonly kind: 'sign'; readonly message: Uint8Array }
  | { readonly kind: 'written'; readonly written: WrittenBundle }
  /** Why there is no such export, in a sentence for who asked for it. */
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'failed'; readonly error: unknown };

/*
 * The thread that makes exports, one after the other: it reads the ledger by a connection of its own and writes the file,
 * while the service goes on. The service key stays where it is: the manifest is sent there and comes back signed.
 */
const port = parentPort;
const { ledgerPath, stop } = workerData as ExportWorkerData;
const say = (message: ExportMessage): void => port?.postMessage(message);

async function sign(message: Uint8Array): Promise<Uint8Array> {
  if (port === null) throw new Error('this runs as a thread');
  const answer = once(port, 'message');
  say({ kind: 'sign', message });
  const [{ signature }] = (await answer) as [{ signature: Uint8Array }];
  return signature;
}

function onProgress(records: number, share: number): void {
  if (Atomics.load(stop, 0) === 1) throw new Error('the export was given up');
  say({ kind: 'progress', records, share });
}

/** Writes a bundle of the ledger as it is at this moment, whatever is committed meanwhile. */
async function writeFromNow({ path, identity, redaction, serviceKid, ...request }: ExportTask): Promise<WrittenBundle> {
  const store = openReadOnly(ledgerPath);
  try {
    // A transaction sees what there was at its first look.
    store.sqlite.exec('BEGIN');
    store.sqlite.prepare('SELECT 1 FROM organizations LIMIT 1').get();
    say({ kind: 'begun' });
    const selection = selectBundle(store, request);
    return await writeBundle(path, store, { kid: serviceKid, sign }, selection, identity, { redaction, onProgress });
  } finally {
    store.close();
  }
}

async function make(task: ExportTask): Promise<void> {
  const { path, reportPath, serviceKid } = task;
  try {
    const written = await writeFromNow(task);
    if (reportPath !== null) {
      // Only now: most exports need nothing of it.
      const { writeReport } = await import('./write-report.ts');
      await writeReport(path, reportPath, serviceKid);
      await rm(path);
    }
    say({ kind: 'written', written });
  } catch (error) {
    if (error instanceof Error && error.name === 'ReportError') {
      await rm(path, { force: true });
      say({ kind: 'refused', sentence: `${error.message}: export it as json instead` });
    } else say({ kind: 'failed', error });
  }
}

port?.on('message', (request: ExportRequest) => {
  if (request === 'close') port.close();
  else if ('task' in request) void make(request.task);
});
say({ kind: 'ready' });
