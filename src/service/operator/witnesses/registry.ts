import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { CosignatureRow, Witness } from '../../../api/index.ts';
import {
  formatWitnessKey,
  ProtocolError,
  parseWitnessKey,
  serviceKeysBytes,
  type WitnessKey,
} from '../../../protocol/index.ts';
import { askedPage } from '../../http/cursor.ts';
import type { Handlers } from '../../http/handler.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import {
  cosignedBy,
  cosignedCheckpointOf,
  cosignedSizeBy,
  keepCosigned,
  keysOf,
  MOST_COSIGNATURES,
  type WitnessRow,
} from '../../ledger/epochs/cosignatures.ts';
import { listEpochs } from '../../ledger/epochs/epoch-queries.ts';
import { witnessRequestOf } from '../../ledger/epochs/log-proofs.ts';
import { listServiceKeys } from '../../ledger/keys/service-keys.ts';
import { isHome, needHome } from '../../people/organizations/home.ts';
import { needRoom } from '../../store/base/quotas.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, eq, isNull } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { witnessAsks, witnesses } from '../../store/schema.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { refusePrivate } from '../webhooks/connect.ts';
import { type StandingContext, standingOf } from './standing.ts';

/** What the registry of witnesses works on. */
interface WitnessContext extends WriteAccess, StandingContext {
  readonly settings: Pick<Settings, 'webhookAllowPrivate'>;
  /** Told after a commit that there may be somebody to ask. */
  readonly witnessAsker: { wake(): void };
}

interface Actor {
  readonly orgId: string;
  readonly userId: string;
}

function activeWitnesses({ db }: Store): WitnessRow[] {
  return db
    .select()
    .from(witnesses)
    .where(isNull(witnesses.removedAt))
    .orderBy(witnesses.addedAt, witnesses.witnessId)
    .all();
}

/** @throws ServiceError NOT_FOUND */
function find({ db }: Store, witnessId: string): WitnessRow {
  const row = db
    .select()
    .from(witnesses)
    .where(and(eq(witnesses.witnessId, witnessId), isNull(witnesses.removedAt)))
    .get();
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'there is no such witness');
  return row;
}

const COSIGNED = `SELECT c.size, c.witness_id, w.name, min(c.cosigned_at) AS cosigned_at, min(c.received_at) AS received_at,
    group_concat(c.algorithm) AS algorithms
  FROM cosignatures c JOIN witnesses w USING (witness_id)`;

type CosignedRow = Omit<CosignatureRow, 'algorithms'> & { readonly algorithms: string };

const cosignature = (row: CosignedRow): CosignatureRow => ({
  ...row,
  algorithms: row.algorithms.split(',').sort() as CosignatureRow['algorithms'],
});

/** What one witness said of one checkpoint. */
function cosignatureOf(store: Store, orgId: string, witnessId: string, size: number): CosignatureRow | null {
  const query = `${COSIGNED} WHERE c.org_id = ? AND c.witness_id = ? AND c.size = ? GROUP BY c.size, c.witness_id`;
  const row = store.statement(query).get(orgId, witnessId, size) as CosignedRow | undefined;
  return row === undefined ? null : cosignature(row);
}

/** The largest checkpoint first. @param before size and witness of the last row of the page before */
function listCosignatures(
  store: Store,
  orgId: string,
  before: readonly [size: number, witnessId: string] | null,
  limit: number,
): CosignatureRow[] {
  const [size, witnessId] = before ?? [Number.MAX_SAFE_INTEGER, ''];
  const query = `${COSIGNED} WHERE c.org_id = ? AND (c.size, c.witness_id) < (?, ?)
    GROUP BY c.size, c.witness_id ORDER BY c.size DESC, c.witness_id DESC LIMIT ?`;
  return (store.statement(query).all(orgId, size, witnessId, limit) as CosignedRow[]).map(cosignature);
}

function view(store: Store, orgId: string, row: WitnessRow): Witness {
  const { witnessId, name, url, addedAt } = row;
  const size = cosignedSizeBy(store, orgId, witnessId);
  const found = size === 0 ? null : cosignatureOf(store, orgId, witnessId, size);
  const ofBoth = and(eq(witnessAsks.witnessId, witnessId), eq(witnessAsks.orgId, orgId));
  const asked = url === null ? undefined : store.db.select().from(witnessAsks).where(ofBoth).get();
  return {
    witness_id: witnessId,
    name,
    keys: keysOf(row).map((key) => ({ algorithm: key.algorithm, vkey: formatWitnessKey(key) })),
    by_http: url !== null,
    url: isHome(store, orgId) ? url : null,
    added_at: addedAt,
    newest: found && { size, cosigned_at: found.cosigned_at, algorithms: found.algorithms },
    asking:
      asked === undefined
        ? null
        : {
            last_at: asked.lastAttemptAt,
            next_at: asked.nextAttemptAt,
            attempts: asked.attempts,
            error: asked.lastError,
            size: asked.toldSize,
          },
  };
}

function listWitnesses({ store }: WitnessContext, orgId: string) {
  return {
    witnesses: activeWitnesses(store).map((row) => view(store, orgId, row)),
    sealed_size: listEpochs(store, orgId, null, 1)[0]?.last_seq_no ?? 0,
    administered_here: isHome(store, orgId),
  };
}

/** The keys of one witness: of one name, and one of each kind at most. @throws ServiceError VALIDATION_ERROR */
function keysIn(text: string): [WitnessKey, ...WitnessKey[]] {
  const refuse = (why: string): ServiceError => new ServiceError('VALIDATION_ERROR', `keys: ${why}`);
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  let keys: WitnessKey[];
  try {
    keys = lines.filter((line) => line !== '').map((line) => parseWitnessKey(line));
  } catch (error) {
    throw error instanceof ProtocolError ? refuse(`a line is not the key of a witness: ${error.message}`) : error;
  }
  const [first, ...others] = keys;
  if (first === undefined) throw refuse('must hold a key in each line, as countersign witness keys prints them');
  if (others.some(({ name }) => name !== first.name)) throw refuse('must be of one witness: the names differ');
  if (new Set(keys.map(({ algorithm }) => algorithm)).size < keys.length) throw refuse('must be one of each kind');
  return [first, ...others];
}

/**
 * Adds a witness for all organizations.
 * @throws ServiceError FORBIDDEN for a guest, VALIDATION_ERROR, CONFLICT for a name that is there, QUOTA_EXCEEDED
 */
async function addWitness(
  { store, settings, writer, now, witnessAsker }: WitnessContext,
  { orgId, userId }: Actor,
  given: { readonly keys: string; readonly url: string | null },
): Promise<Witness> {
  needHome(store, orgId);
  if (given.url !== null) refusePrivate('url', given.url, settings.webhookAllowPrivate);
  const keys = keysIn(given.keys);
  const [{ name }] = keys;
  const witnessId = randomUUID();
  // A crash after it leaves the witness added: the next start asks it.
  const witness = await writer.transact((tx) => {
    const there = activeWitnesses(tx);
    if (there.some((one) => one.name === name)) {
      throw new ServiceError('CONFLICT', `keys: there is a witness ${name}: remove it first`);
    }
    needRoom({
      what: 'keys of witnesses',
      used: there.flatMap(keysOf).length,
      more: keys.length,
      most: MOST_COSIGNATURES,
      remedy: 'a checkpoint has no room for more signatures: remove a witness',
    });
    const time = now();
    const vkeys = keys.map((key) => formatWitnessKey(key));
    const url = given.url?.replace(/\/+$/, '') ?? null;
    const row: WitnessRow = { witnessId, name, url, vkeys: JSON.stringify(vkeys), addedAt: time, removedAt: null };
    tx.db.insert(witnesses).values(row).run();
    const target = { targetType: 'witness', targetId: witnessId, details: { name, url, keys: vkeys } };
    recordAdminEvent(tx, { orgId, actor: userId, action: 'witness.add', ...target }, time);
    return view(tx, orgId, row);
  });
  witnessAsker.wake();
  return witness;
}

/** Removes a witness; what it cosigned stays. @throws ServiceError FORBIDDEN, NOT_FOUND */
async function removeWitness(
  { store, writer, now }: WitnessContext,
  { orgId, userId }: Actor,
  witnessId: string,
): Promise<void> {
  needHome(store, orgId);
  // A crash after it leaves the witness removed.
  await writer.transact((tx) => {
    const { name } = find(tx, witnessId);
    const time = now();
    tx.db.update(witnesses).set({ removedAt: time }).where(eq(witnesses.witnessId, witnessId)).run();
    tx.db.delete(witnessAsks).where(eq(witnessAsks.witnessId, witnessId)).run();
    const target = { targetType: 'witness', targetId: witnessId, details: { name } };
    recordAdminEvent(tx, { orgId, actor: userId, action: 'witness.remove', ...target }, time);
  });
}

/** From which size a witness is asked next. @throws ServiceError NOT_FOUND */
function askedFrom({ store }: WitnessContext, orgId: string, witnessId: string): number {
  return cosignedSizeBy(store, orgId, find(store, witnessId).witnessId);
}

/** Takes the answer of a witness that came by file. @throws ServiceError NOT_FOUND, VALIDATION_ERROR */
async function importCosignatures(
  { store, writer, key, now }: WitnessContext,
  { orgId, userId }: Actor,
  witnessId: string,
  answer: string,
): Promise<CosignatureRow> {
  const witness = find(store, witnessId);
  const cosigned = await cosignedBy(store, key, orgId, { witness, answer, size: null });
  // A crash after it leaves both kept.
  return writer.transact((tx) => {
    const time = now();
    keepCosigned(tx, orgId, witnessId, cosigned, time);
    const details = { name: witness.name, size: cosigned.size };
    const target = { targetType: 'witness', targetId: witnessId, details };
    recordAdminEvent(tx, { orgId, actor: userId, action: 'witness.import', ...target }, time);
    const kept = cosignatureOf(tx, orgId, witnessId, cosigned.size);
    if (kept === null) throw new Error('a cosignature was kept and is not there');
    return kept;
  });
}

const place = z.tuple([z.int(), z.string()]);

export function witnessRoutes(context: WitnessContext) {
  const { store, key } = context;
  return {
    listWitnesses: ({ caller }) => ({ body: listWitnesses(context, caller.orgId) }),
    addWitness: async ({ caller, body }) => ({ body: { witness: await addWitness(context, caller, body) } }),
    removeWitness: async ({ caller, param }) => {
      await removeWitness(context, caller, param('witness_id'));
      return { body: { success: true } };
    },
    witnessRequest: async ({ caller: { orgId }, param, query }) => {
      const from = askedFrom(context, orgId, param('witness_id'));
      return { plainText: await witnessRequestOf(store, key, orgId, { from: query.from ?? from }) };
    },
    importCosignatures: async ({ caller, param, body }) => ({
      body: { cosignature: await importCosignatures(context, caller, param('witness_id'), body.answer) },
    }),
    listCosignatures: ({ caller, query }) => ({
      body: askedPage(
        query,
        place,
        (before, most) => listCosignatures(store, caller.orgId, before, most),
        ({ size, witness_id }): [number, string] => [size, witness_id],
      ),
    }),
    cosignedCheckpoint: async ({ caller, query }) => ({
      plainText: await cosignedCheckpointOf(store, key, caller.orgId, query.size),
    }),
    operationStanding: async (call) => ({
      body: await standingOf(context, call, call.param('operation_id'), activeWitnesses(store)),
    }),
    serviceKeysFile: () => ({ plainText: new TextDecoder().decode(serviceKeysBytes(listServiceKeys(store))) }),
  } satisfies Partial<Handlers>;
}
