import { join } from 'node:path';
import type { Logger } from 'pino';
import { type ClockCorrectionContext, correctClock } from '../ledger/clock/correct-clock.ts';
import { clockState } from '../ledger/clock/start-clock.ts';
import { Ledger } from '../ledger/ledger.ts';
import { OperationIndex } from '../ledger/operation-index/operation-index.ts';
import { RecordRoom } from '../ledger/record-room.ts';
import { sqliteLedgerStore } from '../ledger/sqlite-ledger-store.ts';
import { readableOnly } from '../ledger/start-checks/readable-only.ts';
import { WebhookDispatcher } from '../operator/webhooks/dispatcher.ts';
import { WitnessAsker } from '../operator/witnesses/asker.ts';
import { isHome } from '../people/organizations/home.ts';
import { ContentIndex } from '../search/content-index/content-index.ts';
import { LedgerReads } from '../search/queries/ledger-reads.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { Checkpointer } from '../store/checkpointer.ts';
import type { Settings } from '../store/settings/settings-type.ts';
import type { HostOptions, StartContext } from './host.ts';
import type { OpenData } from './open-data.ts';

/** Sets the ledger's times back where the settings name the state that it is in. */
async function correctAtStart(
  context: ClockCorrectionContext,
  { correctClock: id }: Settings,
  log: Logger,
): Promise<void> {
  const state = clockState(context.store.clock, context.now());
  if (id === null || state.state !== 'ledger_ahead' || state.id !== id) return;
  try {
    const orgIds = await correctClock(context, { caller: null, reason: 'by --correct-clock' });
    log.warn({ organizations: orgIds.length }, "the ledger's times were set back to the machine's clock");
  } catch (error) {
    // The service stays as it was: records are held back, and this says why.
    if (!(error instanceof ServiceError)) throw error;
    log.error(error.message);
  }
}

/** The ledger with what follows each of its commits: index, webhooks, checkpoints of the file. */
export async function openLedger(start: StartContext, data: OpenData, { tlsCa }: Pick<HostOptions, 'tlsCa'> = {}) {
  const { settings, teardown, log, now, onError, version } = start;
  const { store, writer, key, sealer, damaged, ledgerPath, watch } = data;
  const dispatcher = new WebhookDispatcher({
    store,
    writer,
    sealer,
    now,
    allowPrivate: settings.webhookAllowPrivate,
    maxPending: () => settings.quotaDeliveries,
    onError,
    version,
  });
  teardown.add(() => dispatcher.close());
  const witnessAsker = new WitnessAsker({
    store,
    writer,
    key,
    now,
    allowPrivate: settings.webhookAllowPrivate,
    onError,
    version,
    ...(tlsCa === undefined ? {} : { tlsCa }),
  });
  teardown.add(() => witnessAsker.close());
  const index = await OperationIndex.open({
    ledger: store.sqlite,
    ledgerPath,
    indexPath: join(settings.dataDir, 'index.sqlite'),
    onError,
    onRebuild: (done, total) => log.warn({ done, total }, 'making the index of operations'),
  });
  teardown.add(() => index.close());
  const contentFiles = { ledgerPath, folder: settings.dataDir };
  const contentIndex = new ContentIndex({ ...contentFiles, onError });
  teardown.add(() => contentIndex.close());
  const content = new LedgerReads(contentIndex, contentFiles, (orgId) => isHome(store, orgId));
  teardown.add(() => content.close());
  const checkpointer = new Checkpointer({ writer, inBackground: () => index.checkpoint(), onError });
  teardown.add(() => checkpointer.close());
  const ledger = await Ledger.open({
    store: readableOnly(sqliteLedgerStore(store, index, writer), damaged),
    writer,
    key,
    // Both may change meanwhile.
    get epochIntervalMs() {
      return settings.epochIntervalSeconds * 1000;
    },
    get epochMaxLeaves() {
      return settings.epochMaxLeaves;
    },
    maxPayloadBytes: settings.maxPayloadBytes,
    room: new RecordRoom({ store, settings, isHome: (orgId) => isHome(store, orgId) }),
    now,
    stamp: () => store.clock.stamp(now()),
    witness: {
      inTime: (issuedAt) => watch.inTime(issuedAt),
      expired: ({ org_id: orgId, agent_id: agentId }, issuedAt) =>
        watch.expired({ orgId, agentId, isHome: isHome(store, orgId) }, issuedAt),
    },
    onCommit: (rows) => {
      contentIndex.committed(rows.map(({ orgId }) => orgId));
      dispatcher.wake();
      // Of an epoch, and of no record.
      if (rows.length === 0) witnessAsker.wake();
      checkpointer.committed();
    },
    onError,
  });
  teardown.add(() => ledger.close());
  await correctAtStart({ store, writer, ledger, now }, settings, log);
  return { dispatcher, witnessAsker, index, ledger, contentIndex, content, checkpointer };
}

export type OpenLedger = Awaited<ReturnType<typeof openLedger>>;
