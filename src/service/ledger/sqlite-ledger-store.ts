import { nodeCrypto } from '../../node/index.ts';
import { epochHash, epochSignedBytes } from '../../protocol/index.ts';
import { and, desc, eq, gt, sql } from '../store/drizzle.ts';
import type { Store, WritableStore } from '../store/open.ts';
import { epochs, type NewOperationRow, type OperationRow, operations } from '../store/schema.ts';
import type { Writer } from '../store/writer.ts';
import { adminHead } from './admin-log/admin-events.ts';
import { type AgentGrowth, AgentStates, growthOfAgents } from './agent-states.ts';
import { keepSubtrees, logTreeAt } from './epochs/log-subtrees.ts';
import type { LedgerStore, LedgerTail, SealedEpoch, SubmissionKey } from './ledger-store.ts';
import type { OperationIndex } from './operation-index/operation-index.ts';
import { keepDisclosures } from './operations/disclosures-table.ts';
import { epoch as epochView } from './views.ts';

const MOVE_HEAD =
  'UPDATE agents SET head_seq_no = ?, head_chain_hash = ?, record_bytes = record_bytes + ? WHERE org_id = ? AND agent_id = ?';
const COUNT_BYTES = 'UPDATE organizations SET record_bytes = record_bytes + ? WHERE org_id = ?';

function epochRow({ statement, signature }: SealedEpoch): typeof epochs.$inferInsert {
  return {
    orgId: statement.org_id,
    epochNo: statement.epoch_no,
    epochId: statement.epoch_id,
    startTime: statement.start_time,
    endTime: statement.end_time,
    firstSeqNo: statement.first_seq_no,
    lastSeqNo: statement.last_seq_no,
    leafCount: statement.leaf_count,
    rootHash: statement.root_hash,
    logRoot: statement.log_root,
    prevEpochHash: statement.prev_epoch_hash,
    adminHeadHash: statement.admin_head_hash,
    serviceKid: statement.service_kid,
    signatureByService: signature,
  };
}

/**
 * The ledger's tables in SQLite. Statements of the hot path are prepared once and run without drizzle, which builds each
 * query and maps each row again.
 */
export function sqliteLedgerStore(store: Store, index: OperationIndex, writer: Writer): LedgerStore {
  const { db, sqlite } = store;
  const agents = new AgentStates(store, writer);
  const findOperation = db
    .select()
    .from(operations)
    .where(and(eq(operations.orgId, sql.placeholder('orgId')), eq(operations.seqNo, sql.placeholder('seqNo'))))
    .prepare();
  const columns = Object.entries(operations).filter(
    ([key, column]) => column.name !== undefined && key !== 'disclosuresNo',
  );
  const keys = columns.map(([key]) => key as Exclude<keyof OperationRow, 'disclosuresNo'>);
  const insertOperation = `INSERT INTO operations (${columns.map(([, { name }]) => name).join(', ')}, disclosures_no) VALUES (${keys.map(() => '?, ').join('')}?)`;
  const appendAll = (tx: WritableStore, rows: readonly NewOperationRow[], grown: readonly AgentGrowth[]): void => {
    const insert = tx.statement(insertOperation);
    for (const row of rows) {
      insert.run(
        keys.map((key) => row[key]),
        row.disclosures == null ? null : keepDisclosures(tx, row.disclosures),
      );
    }
    const move = tx.statement(MOVE_HEAD);
    const byOrganization = new Map<string, number>();
    for (const { newest, bytes } of grown) {
      const { seqNo, chainHash, orgId, agentId } = newest;
      move.run(seqNo, chainHash, bytes, orgId, agentId);
      byOrganization.set(orgId, (byOrganization.get(orgId) ?? 0) + bytes);
    }
    const count = tx.statement(COUNT_BYTES);
    for (const [orgId, bytes] of byOrganization) count.run(bytes, orgId);
  };

  // In one transaction for reading: taking and leaving SQLite's lock costs more than a look-up.
  const lookUpAll = sqlite.transaction((submissions: readonly SubmissionKey[]) =>
    index.reading(() =>
      submissions.map(({ orgId, agentId, kid, operationId, nonce }) => {
        const seqNo = index.findOperation(orgId, operationId);
        return {
          agent: agents.find(orgId, agentId),
          keyStatus: agents.findKey(orgId, agentId, kid)?.status ?? null,
          sameOperation: seqNo === null ? null : (findOperation.get({ orgId, seqNo }) ?? null),
          nonceUsed: index.isNonceUsed(orgId, agentId, nonce),
        };
      }),
    ),
  );

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
        .select({ seqNo: operations.seqNo })
        .from(operations)
        .where(eq(operations.orgId, orgId))
        .orderBy(desc(operations.seqNo))
        .get();
      const row = db.select().from(epochs).where(eq(epochs.orgId, orgId)).orderBy(desc(epochs.epochNo)).get();
      return {
        lastSeqNo: operation?.seqNo ?? 0,
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

    logTree: async (orgId, size) => {
      const log = logTreeAt(store, orgId, size);
      if (log === null) throw new Error(`the stored trees of the log of ${orgId} are incomplete`);
      return log;
    },

    findKey: (orgId, agentId, kid) => {
      const agent = agents.find(orgId, agentId);
      if (agent === null) return 'no-agent';
      const key = agents.findKey(orgId, agentId, kid);
      return key === null ? 'no-key' : { publicKey: key.publicKey, userId: agent.userId };
    },

    lookUp: async (submissions) => lookUpAll(submissions),

    append: async (rows) => {
      // The commit of this transaction is the moment a record counts. A crash before it leaves no trace of the batch;
      // after it the whole batch is there, and a client that got no answer gets the same receipt by sending again.
      try {
        const grown = growthOfAgents(rows);
        writer.commit((tx) => appendAll(tx, rows, grown));
        agents.committed(grown);
        // A crash before this, or in it, loses nothing: the index adds what the ledger has beyond its mark.
        index.committed(rows);
      } catch (error) {
        // It may have been kept all the same: what is in memory is read again.
        index.doubt();
        agents.forget();
        throw error;
      }
    },

    adminHeadHash: async (orgId) => adminHead(store, orgId)?.eventHash ?? null,

    appendEpoch: async (epoch) => {
      // A crash before this leaves the leaves unsealed: the next start rebuilds the open epoch from them. After it the
      // epoch is sealed, and the next start reads it as the newest one.
      writer.commit((tx) => {
        tx.db.insert(epochs).values(epochRow(epoch)).run();
        keepSubtrees(tx, epoch.statement.org_id, epoch.subtrees);
      });
    },
  };
}
