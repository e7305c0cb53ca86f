import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { nodeCrypto } from '../../host/index.ts';
import { epochHash, epochSignedBytes, formatDigest, fromBase64Url, parseTime } from '../../protocol/index.ts';
import { adminHead } from '../admin/events.ts';
import type { Store } from '../store/open.ts';
import { agentKeys, agents, epochs, operations } from '../store/schema.ts';
import type { LedgerStore, LedgerTail } from './ledger-store.ts';
import { epoch as epochView } from './views.ts';

/** The ledger's tables in SQLite. Queries of the hot path are prepared once. */
export function sqliteLedgerStore(store: Store): LedgerStore {
  const { db, sqlite } = store;
  const placeholder = sql.placeholder;

  const findAgent = db
    .select({ status: agents.status, head: agents.headChainHash })
    .from(agents)
    .where(
      and(eq(agents.orgId, placeholder('orgId')), eq(agents.agentId, placeholder('agentId')), isNull(agents.deletedAt)),
    )
    .prepare();
  const findKeyRow = db
    .select({ publicKey: agentKeys.publicKey, status: agentKeys.status })
    .from(agentKeys)
    .where(
      and(
        eq(agentKeys.orgId, placeholder('orgId')),
        eq(agentKeys.agentId, placeholder('agentId')),
        eq(agentKeys.kid, placeholder('kid')),
      ),
    )
    .prepare();
  const findOperation = db
    .select()
    .from(operations)
    .where(and(eq(operations.orgId, placeholder('orgId')), eq(operations.operationId, placeholder('operationId'))))
    .prepare();
  const findNonce = db
    .select({ seqNo: operations.seqNo })
    .from(operations)
    .where(
      and(
        eq(operations.orgId, placeholder('orgId')),
        eq(operations.agentId, placeholder('agentId')),
        eq(operations.nonce, placeholder('nonce')),
      ),
    )
    .prepare();
  const columns = Object.values(operations)
    .map((column) => column.name)
    .filter((name) => name !== undefined);
  // Drizzle builds an insert anew for each set of values; here the statement is always the same.
  const insertOperation = sqlite.prepare(
    `INSERT INTO operations (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const moveHead = sqlite.prepare(
    'UPDATE agents SET head_seq_no = ?, head_chain_hash = ? WHERE org_id = ? AND agent_id = ?',
  );
  const keys = Object.keys(operations) as (keyof typeof operations.$inferSelect)[];
  const appendAll = sqlite.transaction((rows: readonly (typeof operations.$inferSelect)[]) => {
    for (const row of rows) {
      insertOperation.run(keys.filter((key) => key in row).map((key) => row[key]));
      moveHead.run(row.seqNo, row.chainHash, row.orgId, row.agentId);
    }
  });

  return {
    orgsWithOpenLeaves: async () =>
      db
        .all<{ org_id: string }>(
          sql`SELECT org_id FROM organizations o
              WHERE (SELECT max(seq_no) FROM operations WHERE org_id = o.org_id)
                  > (SELECT coalesce(max(last_seq_no), 0) FROM epochs WHERE org_id = o.org_id)`,
        )
        .map(({ org_id }) => org_id),

    tail: async (orgId): Promise<LedgerTail> => {
      const operation = db
        .select({ seqNo: operations.seqNo, receivedAt: operations.receivedAt })
        .from(operations)
        .where(eq(operations.orgId, orgId))
        .orderBy(desc(operations.seqNo))
        .get();
      const row = db.select().from(epochs).where(eq(epochs.orgId, orgId)).orderBy(desc(epochs.epochNo)).get();
      return {
        lastSeqNo: operation?.seqNo ?? 0,
        notBefore: Math.max(operation?.receivedAt ?? 0, row === undefined ? 0 : parseTime(row.endTime)),
        lastEpoch: row
          ? {
              epochNo: row.epochNo,
              lastSeqNo: row.lastSeqNo,
              epochHash: epochHash(epochSignedBytes(epochView(row)), nodeCrypto.sha256),
            }
          : null,
      };
    },

    openLeaves: async (orgId) => {
      const sealed = db
        .select({ lastSeqNo: epochs.lastSeqNo })
        .from(epochs)
        .where(eq(epochs.orgId, orgId))
        .orderBy(desc(epochs.epochNo))
        .get();
      return db
        .select({ leafHash: operations.leafHash, receivedAt: operations.receivedAt })
        .from(operations)
        .where(and(eq(operations.orgId, orgId), gt(operations.seqNo, sealed?.lastSeqNo ?? 0)))
        .orderBy(operations.seqNo)
        .all();
    },

    findKey: async (orgId, agentId, kid) => {
      if (findAgent.get({ orgId, agentId }) === undefined) return 'no-agent';
      const key = findKeyRow.get({ orgId, agentId, kid });
      return key === undefined ? 'no-key' : { publicKey: fromBase64Url(key.publicKey, 32) };
    },

    lookUp: async (submissions) =>
      submissions.map(({ orgId, agentId, kid, operationId, nonce }) => {
        const agent = findAgent.get({ orgId, agentId });
        return {
          agent: agent ? { status: agent.status, headChainHash: agent.head && formatDigest(agent.head) } : null,
          keyStatus: findKeyRow.get({ orgId, agentId, kid })?.status ?? null,
          sameOperation: findOperation.get({ orgId, operationId }) ?? null,
          nonceUsed: findNonce.get({ orgId, agentId, nonce }) !== undefined,
        };
      }),

    append: async (rows) => {
      // The commit of this transaction is the moment a record counts. A crash before it leaves no trace of the batch;
      // after it the whole batch is there, and a client that got no answer gets the same receipt by sending again.
      appendAll(rows);
    },

    adminHeadHash: async (orgId) => adminHead(store, orgId)?.eventHash ?? null,

    appendEpoch: async ({ statement, signature }) => {
      // A crash before this leaves the leaves unsealed: the next start rebuilds the open epoch from them.
      db.insert(epochs)
        .values({
          orgId: statement.org_id,
          epochNo: statement.epoch_no,
          epochId: statement.epoch_id,
          startTime: statement.start_time,
          endTime: statement.end_time,
          firstSeqNo: statement.first_seq_no,
          lastSeqNo: statement.last_seq_no,
          leafCount: statement.leaf_count,
          rootHash: statement.root_hash,
          prevEpochHash: statement.prev_epoch_hash,
          adminHeadHash: statement.admin_head_hash,
          serviceKid: statement.service_kid,
          signatureByService: signature,
        })
        .run();
    },
  };
}
