import { nodeCrypto } from '../../node/index.ts';
import { epochHash, epochSignedBytes, formatDigest, fromBase64Url } from '../../protocol/index.ts';
import { and, desc, eq, gt, sql } from '../store/drizzle.ts';
import { LookupCache } from '../store/lookup-cache.ts';
import type { Store, WritableStore } from '../store/open.ts';
import { epochs, type NewOperationRow, type OperationRow, operations } from '../store/schema.ts';
import type { NoteRow, Writer } from '../store/writer.ts';
import { adminHead } from './admin-log/admin-events.ts';
import { keepSubtrees, logTreeAt } from './epochs/log-subtrees.ts';
import type { LedgerStore, LedgerTail, SealedEpoch, SubmissionKey } from './ledger-store.ts';
import type { OperationIndex } from './operation-index/operation-index.ts';
import { keepDisclosures } from './operations/disclosures-table.ts';
import { sizeOf } from './record-room.ts';
import { epoch as epochView } from './views.ts';

interface AgentKeyState {
  readonly publicKey: Uint8Array;
  readonly status: string;
}

/** An agent that exists, as submissions are judged by it. */
interface AgentState {
  readonly status: string;
  /** Chain hash of its newest record. */
  readonly headChainHash: string | null;
  /** The person whose own agent it is; null for all others. */
  readonly userId: string | null;
}

interface Held extends AgentState {
  headChainHash: string | null;
  readonly keys: Map<string, AgentKeyState>;
}

/** What some rows add to an agent: the last of them, which its head moves to, and what they take together, in bytes. */
interface AgentGrowth {
  readonly newest: NewOperationRow;
  readonly bytes: number;
}

function growthOfAgents(rows: readonly NewOperationRow[]): readonly AgentGrowth[] {
  const agents = new Map<string, AgentGrowth>();
  for (const row of rows) {
    const name = nameOf(row.orgId, row.agentId);
    agents.set(name, { newest: row, bytes: (agents.get(name)?.bytes ?? 0) + sizeOf(row) });
  }
  return [...agents.values()];
}

function nameOf(orgId: string, agentId: string): string {
  return `${orgId}\0${agentId}`;
}

/**
 * Agents, their keys and where their chains end: asked twice for each submission, so remembered until the writer may have
 * changed them. The ledger's own commits move the heads, here as in the database.
 */
class AgentStates {
  readonly #store: Store;
  readonly #held: LookupCache<Held>;

  constructor(store: Store, writer: Writer) {
    this.#store = store;
    this.#held = new LookupCache(writer);
  }

  /** The agent, or null where there is none, or none any more. */
  find(orgId: string, agentId: string): AgentState | null {
    return this.#find(orgId, agentId);
  }

  /** The agent's key with this kid. */
  findKey(orgId: string, agentId: string, kid: string): AgentKeyState | null {
    const agent = this.#find(orgId, agentId);
    const known = agent?.keys.get(kid);
    if (agent === null || known !== undefined) return known ?? null;
    const row = this.#store
      .statement('SELECT public_key, status FROM agent_keys WHERE org_id = ? AND agent_id = ? AND kid = ?')
      .get(orgId, agentId, kid) as { public_key: string; status: string } | undefined;
    if (row === undefined) return null;
    const key = { publicKey: fromBase64Url(row.public_key, 32), status: row.status };
    agent.keys.set(kid, key);
    return key;
  }

  #find(orgId: string, agentId: string): Held | null {
    const name = nameOf(orgId, agentId);
    const known = this.#held.get(name);
    if (known !== undefined) return known;
    const row = this.#store
      .statement(
        'SELECT status, head_chain_hash, user_id FROM agents WHERE org_id = ? AND agent_id = ? AND deleted_at IS NULL',
      )
      .get(orgId, agentId) as { status: string; head_chain_hash: Buffer | null; user_id: string | null } | undefined;
    if (row === undefined) return null;
    const headChainHash = row.head_chain_hash && formatDigest(row.head_chain_hash);
    const agent = { status: row.status, headChainHash, userId: row.user_id, keys: new Map<string, AgentKeyState>() };
    this.#held.set(name, agent);
    return agent;
  }

  /** Adopts the heads of records that were committed. */
  committed(agents: readonly AgentGrowth[]): void {
    for (const { orgId, agentId, chainHash } of agents.map(({ newest }) => newest)) {
      const agent = this.#held.get(nameOf(orgId, agentId));
      if (agent !== undefined) agent.headChainHash = formatDigest(chainHash);
    }
  }

  /** After a commit of which nobody knows whether it took place: everything is read again. */
  forget(): void {
    this.#held.clear();
  }
}

const MOVE_HEAD =
  'UPDATE agents SET head_seq_no = ?, head_chain_hash = ?, record_bytes = record_bytes + ? WHERE org_id = ? AND agent_id = ? RETURNING record_bytes';
const COUNT_BYTES = 'UPDATE organizations SET record_bytes = record_bytes + ? WHERE org_id = ? RETURNING record_bytes';

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
  const names = [...columns.map(([, { name }]) => name), 'disclosures_no'];
  const insertOperation = `INSERT INTO operations (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  const appendAll = (
    tx: WritableStore,
    rows: readonly NewOperationRow[],
    grown: readonly AgentGrowth[],
    note?: NoteRow,
  ): void => {
    const insert = tx.statement(insertOperation);
    for (const row of rows) {
      const text = row.disclosures ?? null;
      const disclosuresNo = text === null ? null : keepDisclosures(tx, text);
      const values = [...keys.map((key) => row[key]), disclosuresNo];
      insert.run(values);
      if (note === undefined) continue;
      if (text !== null) note({ table: 'disclosures', key: null, row: { disclosures_no: disclosuresNo, text } });
      note({ table: 'operations', key: null, row: Object.fromEntries(names.map((name, at) => [name, values[at]])) });
    }
    const move = tx.statement(MOVE_HEAD).pluck();
    const byOrganization = new Map<string, number>();
    for (const { newest, bytes } of grown) {
      const { seqNo, chainHash, orgId, agentId } = newest;
      const recordBytes = move.get(seqNo, chainHash, bytes, orgId, agentId);
      const row = { head_seq_no: seqNo, head_chain_hash: chainHash, record_bytes: recordBytes };
      note?.({ table: 'agents', key: [orgId, agentId], row });
      byOrganization.set(orgId, (byOrganization.get(orgId) ?? 0) + bytes);
    }
    const count = tx.statement(COUNT_BYTES).pluck();
    for (const [orgId, bytes] of byOrganization) {
      const recordBytes = count.get(bytes, orgId);
      note?.({ table: 'organizations', key: [orgId], row: { record_bytes: recordBytes } });
    }
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
      // A record counts once the commit of this transaction is on disk. A crash before it leaves no trace of the batch, or the
      // whole of it, and a client that got no answer gets the same receipt by sending again.
      try {
        const grown = growthOfAgents(rows);
        await writer.commitFlushedBeside((tx, note) => appendAll(tx, rows, grown, note));
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
      await writer.commit((tx) => {
        tx.db.insert(epochs).values(epochRow(epoch)).run();
        keepSubtrees(tx, epoch.statement.org_id, epoch.subtrees);
      });
    },
  };
}
