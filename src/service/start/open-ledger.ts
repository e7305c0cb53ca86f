import { join } from 'node:path';
import type { Logger } from 'pino';
import { type ClockCorrectionContext, correctClock } from '../ledger/clock/correct-clock.ts';
import { clockState } from '../ledger/clock/start-clock.ts';
import { LogTree } from '../ledger/epochs/log-tree.ts';
import { openLedgerKey } from '../ledger/keys/file-key-holder.ts';
import { activeServiceKid } from '../ledger/keys/service-keys.ts';
import { Ledger } from '../ledger/ledger.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { OperationIndex } from '../ledger/operation-index/operation-index.ts';
import type { CommittedRecord } from '../ledger/operation-index/unindexed-records.ts';
import { RecordRoom } from '../ledger/record-room.ts';
import { sqliteLedgerStore } from '../ledger/sqlite-ledger-store.ts';
import { WebhookDispatcher } from '../operator/webhooks/dispatcher.ts';
import { WitnessAsker } from '../operator/witnesses/asker.ts';
import { isHome } from '../people/organizations/home.ts';
import { ContentIndex } from '../search/content-index/content-index.ts';
import { LedgerReads } from '../search/queries/ledger-reads.ts';
import type { Replica } from '../shared/node.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { Checkpointer } from '../store/checkpointer.ts';
import type { Settings } from '../store/settings/settings-type.ts';
import type { RowImage } from '../store/writer.ts';
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
  const { store, writer, node, key, sealer, damaged, ledgerPath, watch } = data;
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
    isStandby: node?.isStandby ?? false,
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

const ORG = 'org_id';

function recordOf(row: Readonly<Record<string, unknown>>): CommittedRecord {
  const text = (name: string): string => String(row[name]);
  return {
    orgId: text(ORG),
    seqNo: Number(row['seq_no']),
    operationId: text('operation_id'),
    agentId: text('agent_id'),
    nonce: text('nonce'),
  };
}

/** Organizations of which rows like these changed. */
function organizationsOf(rows: readonly RowImage[], isMeant: (image: RowImage) => boolean): string[] {
  return [...new Set(rows.filter(isMeant).map(({ row, key }) => String(row?.[ORG] ?? key?.[0])))];
}

/**
 * A standby's ledger: makes what the active node has committed in the writer's turn, and tells whoever remembers something. Who looks up
 * callers, agents and keys learns it from the turn itself; epochs, the administrative log and jobs are read with each question.
 */
export function replicaOf(
  { store, writer, file, key, keyPath, seal }: OpenData,
  { index, contentIndex, content, checkpointer }: OpenLedger,
  exports: { removeStray(): void },
): Replica {
  return {
    sqlite: file.sqlite,
    isClockInDoubt: () => store.clock.watch?.look() != null,
    apply: async (rows, make) => {
      await writer.run(() => {
        make();
        const records = rows.flatMap(({ table, key, row }) =>
          table === 'operations' && key === null && row !== null ? [recordOf(row)] : [],
        );
        if (records.length > 0) index.committed(records);
        if (rows.some(({ table }) => table === 'service_keys')) {
          key.replace(openLedgerKey(keyPath, activeServiceKid(store), seal));
        }
      });
      checkpointer.committed();
      // By rules, the index reads records it has again.
      contentIndex.committed(
        organizationsOf(
          rows,
          ({ table, key }) => table === 'investigation_rules' || (table === 'operations' && key === null),
        ),
      );
      if (rows.some(({ table, row }) => table === 'exports' && row === null)) exports.removeStray();
      const isErasure = rows.some(
        ({ table, key }) => key !== null && (table === 'operations' || table === 'disclosures'),
      );
      // What an erasure gives back of its room, it gives back to its organization.
      const erased = isErasure ? organizationsOf(rows, ({ table }) => table === 'organizations') : [];
      for (const orgId of erased) await content.erased(orgId);
      // What was erased is to be in no file: the ledger's own log has it until it is emptied.
      if (erased.length > 0) await writer.emptyLog();
    },
  };
}

/**
 * A ledger whose damaged organizations can be read, and exported as far as it is sealed, and nothing more: no record is added to them and no epoch
 * sealed, for the service would put its name to a history that it knows to be wrong.
 */
function readableOnly(inner: LedgerStore, damaged: ReadonlySet<string>): LedgerStore {
  if (damaged.size === 0) return inner;
  return {
    ...inner,
    orgsWithOpenLeaves: async () => (await inner.orgsWithOpenLeaves()).filter((orgId) => !damaged.has(orgId)),
    // As if the ledger ended with what is sealed: an export goes so far.
    tail: async (orgId) => {
      const tail = await inner.tail(orgId);
      return damaged.has(orgId) ? { ...tail, lastSeqNo: tail.lastEpoch?.lastSeqNo ?? 0 } : tail;
    },
    // Nothing is added to it.
    logTree: async (orgId, size) => (damaged.has(orgId) ? new LogTree() : inner.logTree(orgId, size)),
    openLeaves: async (orgId) => (damaged.has(orgId) ? [] : inner.openLeaves(orgId)),
    findKey: async (orgId, ...key) => {
      if (!damaged.has(orgId)) return inner.findKey(orgId, ...key);
      throw new ServiceError('CONFLICT', "the organization's stored ledger is damaged: it takes no records");
    },
  };
}
