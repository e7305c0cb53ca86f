import { runJobThread, workerUrl } from '../../node/index.ts';
import { Errand, type ErrandContext, ErrandFailed } from '../jobs/errand.ts';
import type { Settings } from '../store/settings/settings-type.ts';
import type { CourierRefusal, CourierTask } from './courier-worker.ts';
import type { ShippedLedger } from './ship.ts';

export interface CourierContext extends ErrandContext {
  readonly settings: Settings;
  /** The key that the service's secrets are sealed with, where whoever started it has it. */
  readonly wrappingKey: Uint8Array | null;
}

/** How often an archive is looked at that has everything, in milliseconds. */
const EVERY_MS = 10 * 60_000;
/** Where an archive is to have what is sealed within the hour. */
const HOUR_MS = 3_600_000;
/** Another process ships from this data folder. */
const BUSY_MS = 60_000;

/** What ships to the archive, and what it knows of it. */
export type Courier = Errand<readonly ShippedLedger[]>;

/**
 * Ships what the ledger has sealed to the archive of the settings, by itself: as `countersign archive ship` does, on a thread. What it knows of
 * the archive is what it saw itself, since the archive says what it has.
 */
export function courierOf({ settings, wrappingKey, ...context }: CourierContext): Courier {
  let newestAt = Number.NEGATIVE_INFINITY;
  return new Errand(context, {
    lane: 'archive',
    isSet: () => settings.archiveTo !== null,
    everyMs: EVERY_MS,
    mostWaitMs: HOUR_MS,
    otherwise: 'SHIPPING_FAILED',
    busy: { SHIPPING_ALREADY: BUSY_MS },
    run: async (signal) => {
      const { archiveTo, archiveEndpoint: endpoint, archiveEvery, archiveKey, dataDir, keyPassphraseFile } = settings;
      const begun = context.now();
      const withNewest = archiveEvery === 'hour' && begun - newestAt >= HOUR_MS;
      const archiveKeys = archiveKey?.split(',') ?? [];
      const task = { dataDir, wrappingKey, passphraseFile: keyPassphraseFile, withNewest, archiveKeys };
      const ledgers = await runJobThread<CourierTask, readonly ShippedLedger[], never, CourierRefusal>(
        { ...task, at: archiveTo ?? '', s3: { endpoint } },
        {
          url: workerUrl(import.meta.url, 'courier-worker'),
          refused: (refusal) => new ErrandFailed(refusal),
          signal,
        },
      );
      if (withNewest) newestAt = begun;
      return ledgers;
    },
  });
}
