import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { BundleFilter, LogHead } from '../../protocol/index.ts';
import { openReadOnly } from '../store/open-read-only.ts';
import { selectBundle } from './bundle-source.ts';
import type { Redaction } from './redaction.ts';
import { type BundleIdentity, type WrittenBundle, writeBundle } from './write-bundle.ts';

/** What the thread is started with: one export. */
export interface ExportWorkerData {
  readonly ledgerPath: string;
  readonly path: string;
  readonly orgId: string;
  readonly filter: BundleFilter;
  readonly logHead: LogHead;
  readonly identity: BundleIdentity;
  readonly redaction: Redaction;
  readonly serviceKid: string;
  /** Holds 1 once the export is to be given up: a thread that is ended with a database open takes the process with it. */
  readonly stop: Int32Array;
}

/** What the thread says: how far it is, what it needs signed, and at the end what came of it. */
export type ExportMessage =
  | { readonly kind: 'progress'; readonly records: number; readonly share: number }
  | { readonly kind: 'sign'; readonly message: Uint8Array }
  | { readonly kind: 'written'; readonly written: WrittenBundle };

/*
 * The thread that makes one export: it reads the ledger by a connection of its own and writes the file, while the service
 * goes on. The service key stays where it is: the manifest is sent there and comes back signed.
 */
const port = parentPort;
const { ledgerPath, path, orgId, filter, logHead, identity, redaction, serviceKid, stop } =
  workerData as ExportWorkerData;
const say = (message: ExportMessage): void => port?.postMessage(message);

const store = openReadOnly(ledgerPath);
try {
  const signer = {
    kid: serviceKid,
    sign: async (message: Uint8Array): Promise<Uint8Array> => {
      if (port === null) throw new Error('this runs as a thread');
      const answer = once(port, 'message');
      say({ kind: 'sign', message });
      const [signature] = (await answer) as [Uint8Array];
      return signature;
    },
  };
  const selection = selectBundle(store, orgId, filter, logHead);
  const onProgress = (records: number, share: number): void => {
    if (Atomics.load(stop, 0) === 1) throw new Error('the export was given up');
    say({ kind: 'progress', records, share });
  };
  say({
    kind: 'written',
    written: await writeBundle(path, store, signer, selection, identity, { redaction, onProgress }),
  });
} finally {
  store.close();
  port?.close();
}
