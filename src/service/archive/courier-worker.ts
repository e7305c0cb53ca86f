/** The thread that ships what a ledger has sealed: it reads, compresses and sends whole epochs, while the service keeps serving. */
import { serveRequests, untilStopped } from '../../node/index.ts';
import { StartError } from '../store/base/service-error.ts';
import { ArchiveError, type ArchiveErrorCode } from './archive-error.ts';
import { openRunStore } from './open-run-store.ts';
import type { S3Given } from './s3-target.ts';
import { type ShippedLedger, type ShipRequest, shipRuns } from './ship.ts';

export interface CourierTask
  extends Pick<ShipRequest, 'dataDir' | 'withNewest' | 'passphraseFile' | 'wrappingKey' | 'archiveKeys'> {
  /** Where the archive is. */
  readonly at: string;
  readonly s3: S3Given;
}

/** Why nothing was shipped: a code, and a sentence for the operator's log, which may name paths. */
export interface CourierRefusal {
  readonly code: ArchiveErrorCode | StartError['code'];
  readonly message: string;
}

function refusalOf(error: unknown): CourierRefusal | undefined {
  if (!(error instanceof ArchiveError || error instanceof StartError)) return undefined;
  return { code: error.code, message: error.message };
}

serveRequests<CourierTask, readonly ShippedLedger[], never, CourierRefusal>(
  ({ at, s3, ...task }, { signal }) =>
    untilStopped(signal, async (abort) => {
      const store = await openRunStore({ at, spool: task.dataDir, s3, signal: abort });
      return shipRuns({ ...task, store, now: Date.now, onRun: () => {}, signal: abort });
    }),
  { refusalOf },
);
