import { join } from 'node:path';
import { CLOCK_FILE, KnownTimeKeeper } from '../ledger/clock/known-time-file.ts';
import { acceptClock, clockState, describeClock, watchClock } from '../ledger/clock/start-clock.ts';
import { HEADS_FILE } from '../ledger/heads/heads-file.ts';
import { HeadsKeeper } from '../ledger/heads/keeper.ts';
import { CurrentKey } from '../ledger/keys/current-key.ts';
import { openLedgerKey } from '../ledger/keys/file-key-holder.ts';
import { openSealingKeyFile } from '../ledger/keys/file-sealer.ts';
import { openProtection } from '../ledger/keys/open-protection.ts';
import { activeServiceKid, registerServiceKey } from '../ledger/keys/service-keys.ts';
import { checkLedger } from '../ledger/start-checks/check-ledger.ts';
import { checkLedgerIsThere } from '../ledger/start-checks/rollback.ts';
import { sealedSecrets } from '../operator/webhooks/registry.ts';
import { homeOf, isHome } from '../people/organizations/home.ts';
import { isShared } from '../shared/row-images.ts';
import { diskRefusal } from '../store/base/disk-room.ts';
import { StartError } from '../store/base/service-error.ts';
import { prepareDataFolder } from '../store/data-folder.ts';
import { lockFolder } from '../store/lock.ts';
import { openStore } from '../store/open.ts';
import { readOnlyView } from '../store/read-only-view.ts';
import type { Settings } from '../store/settings/settings-type.ts';
import { Writer } from '../store/writer.ts';
import type { HostOptions, StartContext } from './host.ts';

export function ledgerPathOf({ dataDir }: Settings): string {
  return join(dataDir, 'ledger.sqlite');
}

/**
 * Takes the data folder, opens ledger and keys, and looks at both before anything is written.
 * @throws StartError where folder, ledger or keys cannot be used
 */
export async function openData(start: StartContext, { wrappingKey, aroundCommit, logFlush, node }: HostOptions) {
  const { settings, teardown, log, now, onError } = start;
  const { dataDir } = settings;
  prepareDataFolder(dataDir);
  const lock = lockFolder(dataDir);
  teardown.add(() => lock.release());
  const ledgerPath = ledgerPathOf(settings);
  const headsPath = join(dataDir, HEADS_FILE);
  checkLedgerIsThere(ledgerPath, headsPath, settings.acceptRollback);
  const file = openStore(ledgerPath);
  teardown.add(() => file.close());
  // Two that continue the same ledger would both give the next number.
  if (isShared(file.sqlite) !== (node !== undefined)) {
    throw new StartError(
      'LEDGER_SHARED',
      node === undefined
        ? 'this ledger belongs to a shared log: serve it with --shared-log, or end that with countersign shared end'
        : 'this ledger belongs to no shared log: countersign shared begin, or countersign join',
    );
  }
  const store = readOnlyView(file);
  const elsewhere = { isKeptElsewhere: node !== undefined, hold: node?.hold };
  const writer = new Writer(file, aroundCommit, { ...elsewhere, log: logFlush });
  teardown.add(() => writer.close());
  const seal = await openProtection(dataDir, wrappingKey ?? null, settings.keyPassphraseFile);
  const keyPath = join(dataDir, 'service-key.json');
  const key = new CurrentKey(openLedgerKey(keyPath, activeServiceKid(store), seal));
  const clockPath = join(dataDir, CLOCK_FILE);
  const watch = watchClock(store, clockPath, settings, node?.told);
  await acceptClock(writer, watch, settings, homeOf(store));
  const clockWarning = describeClock(clockState(store.clock, now()));
  if (clockWarning !== null) log.warn(clockWarning);
  const knownTime = new KnownTimeKeeper(clockPath, watch, onError);
  teardown.add(() => knownTime.close());
  await knownTime.start();
  if (!node?.isStandby) await writer.transact((tx) => registerServiceKey(tx, key));
  const sealer = openSealingKeyFile(join(dataDir, 'sealing-key.json'), sealedSecrets(store), seal);
  const warn = (message: string): void => log.warn(message);
  const damaged = await checkLedger({ store, writer, key, settings, headsPath, now, warn });
  // What is known to be damaged must not become what the next start is held to: then the heads stay as they are.
  if (damaged.size === 0) {
    const heads = new HeadsKeeper({ store, writer, key, path: headsPath, now, onError });
    teardown.add(() => heads.close());
    await heads.start();
  }
  const refuseDisk = diskRefusal({ settings, isHome: (orgId) => isHome(store, orgId) });
  return {
    store,
    /** For what another node has committed; everything else is changed by the writer. */
    file,
    writer,
    node: node ?? null,
    key,
    keyPath,
    wrappingKey: wrappingKey ?? null,
    seal,
    sealer,
    damaged,
    ledgerPath,
    watch,
    refuseDisk,
  };
}

export type OpenData = Awaited<ReturnType<typeof openData>>;
