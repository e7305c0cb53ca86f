/** The thread that ships what a ledger has sealed: it reads, compresses and sends whole epochs, while the service keeps serving. */
import { serveRequests } from '../../node/index.ts';
import { StartError } from '../store/base/service-error.ts';
import { ArchiveError, type ArchiveErrorCode } from './archive-error.ts';
import { openRunStore } from './open-run-store.ts';
import type { S3Given } from './s3-target.ts';
import { type ShippedLedger, type ShipRequest, shipRuns } from './ship.ts';

export interface CourierTask extends Pick<ShipRequest, 'dataDir' | 'withNewest' | 'passphraseFile' | 'wrappingKey'> {
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

/** How often it is looked at whether the service stops, in milliseconds: a request that waits is given up then. */
const LOOK_MS = 100;

serveRequests<CourierTask, readonly ShippedLedger[], never, CourierRefusal>(
  async ({ at, s3, ...task }, { signal }) => {
    const stop = new AbortController();
    const look = setInterval(() => {
      if (signal.aborted) stop.abort();
    }, LOOK_MS);
    try {
      const store = await openRunStore({ at, spool: task.dataDir, s3, signal: stop.signal });
      return await shipRuns({ ...task, store, now: Date.now, onRun: () => {}, signal: stop.signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      clearInterval(look);
    }
  },
  { refusalOf },
);
