import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { nodeCrypto } from '../../host/index.ts';
import { epochHash, epochSignedBytes, formatDigest, fromBase64Url, parseTime } from '../../protocol/index.ts';
import { adminHead } from '../admin/events.ts';
import type { OperationIndex } from '../operation-index/operation-index.ts';
import type { Store } from '../store/open.ts';
import { Remembered } from '../store/remembered.ts';
import { epochs, type OperationRow, operations } from '../store/schema.ts';
import type { Writer } from '../store/writer.ts';
import type { LedgerStore, LedgerTail, RegisteredKey, SubmissionKey } from './ledger-store.ts';
import { epoch as epochView } from './views.ts';

/** An agent that exists and, where it has the key in question, the key. */
interface AgentWithKey {
  readonly status: string;
  readonly head: Buffer | null;
  readonly publicKey: string | null;
  readonly keyStatus: string | null;
}

/**
 * The ledger's tables in SQLite. Statements of the hot path are prepared once and run without drizzle, which builds each
 * query and maps each row anew.
 */
export function sqliteLedgerStore(store: Store, index: OperationIndex, writer: Writer): LedgerStore {
  const { db, sqlite } = store;
  const findAgentWithKey = sqlite.prepare(
    `SELECT a.status AS status, a.head_chain_hash AS head, k.public_key AS publicKey, k.status AS keyStatus
     FROM agents a LEFT JOIN agent_keys k ON k.org_id = a.org_id AND k.agent_id = a.agent_id AND k.kid = ?
     WHERE a.org_id = ? AND a.agent_id = ? AND a.deleted_at IS NULL`,
  );
  const agentWithKey = (orgId: string, agentId: string, kid: string): AgentWithKey | undefined =>
    findAgentWithKey.get(kid, orgId, agentId) as AgentWithKey | undefined;
  const findOperation = db
    .select()
    .from(operations)
    .where(and(eq(operations.orgId, sql.placeholder('orgId')), eq(operations.seqNo, sql.placeholder('seqNo'))))
    .prepare();
  const columns = Object.entries(operations).filter(([, column]) => column.name !== undefined);
  const keys = columns.map(([key]) => key as keyof OperationRow);
  const insertOperation = sqlite.prepare(
    `INSERT INTO operations (${columns.map(([, { name }]) => name).join(', ')}) VALUES (${keys.map(() => '?').join(', ')})`,
  );
  const moveHead = sqlite.prepare(
    'UPDATE agents SET head_seq_no = ?, head_chain_hash = ? WHERE org_id = ? AND agent_id = ?',
  );
  const appendAll = sqlite.transaction((rows: readonly OperationRow[]) => {
    const heads = new Map<string, OperationRow>();
    for (const row of rows) {
      insertOperation.run(keys.map((key) => row[key]));
      heads.set(`${row.orgId}\0${row.agentId}`, row);
    }
    for (const { seqNo, chainHash, orgId, agentId } of heads.values()) moveHead.run(seqNo, chainHash, orgId, agentId);
  });

  const knownKeys = new Remembered<RegisteredKey>(writer);
  // In one transaction for reading: taking and leaving SQLite's lock costs more than a look-up.
  const lookUpAll = sqlite.transaction((submissions: readonly SubmissionKey[]) =>
    index.reading(() =>
      submissions.map(({ orgId, agentId, kid, operationId, nonce }) => {
        const agent = agentWithKey(orgId, agentId, kid);
        const seqNo = index.findOperation(orgId, operationId);
        return {
          agent: agent ? { status: agent.status, headChainHash: agent.head && formatDigest(agent.head) } : null,
          keyStatus: agent?.keyStatus ?? null,
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

    findKey: (orgId, agentId, kid) => {
      // A kid may hold anything: it stands last.
      const name = `${orgId}\0${agentId}\0${kid}`;
      const known = knownKeys.get(name);
      if (known !== undefined) return known;
      const found = agentWithKey(orgId, agentId, kid);
      if (found === undefined) return 'no-agent';
      if (found.publicKey === null) return 'no-key';
      const key = { publicKey: fromBase64Url(found.publicKey, 32) };
      knownKeys.set(name, key);
      return key;
    },

    lookUp: async (submissions) => lookUpAll(submissions),

    append: async (rows) => {
      // The commit of this transaction is the moment a record counts. A crash before it leaves no trace of the batch;
      // after it the whole batch is there, and a client that got no answer gets the same receipt by sending again.
      try {
        appendAll(rows);
      } catch (error) {
        index.doubt();
        throw error;
      }
      // A crash before this, or in it, loses nothing: the index takes up what the ledger has beyond its mark.
      index.committed(rows);
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
      index.sealed();
    },
  };
}
