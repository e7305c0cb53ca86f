import type Database from 'better-sqlite3';
import type { OperationRow } from '../store/schema.ts';
import { type Buckets, type IssueSpan, OperationCounts } from './counts.ts';
import { openIndexFile } from './index-file.ts';
import { IndexThread } from './index-thread.ts';
import type { IndexedUpTo } from './indexer.ts';
import { nonceKey, operationIdKey } from './posting-keys.ts';
import { type FoundOperation, type IndexedOrg, type OperationQuery, OperationSearch } from './search.ts';
import { type TailEntry, UnindexedTail } from './tail.ts';
import { pathFromTiles } from './tiles.ts';

export interface OperationIndexOptions {
  /** The service's own connection to the ledger. */
  readonly ledger: Database.Database;
  readonly ledgerPath: string;
  readonly indexPath: string;
  /** Told of what fails with nobody to tell. */
  readonly onError: (error: unknown) => void;
  /** Told how far the making of an index is that is missing or far behind: records taken up, and records in all. */
  readonly onRebuild?: (done: number, total: number) => void;
}

/** So many records wait for the index before it takes them up at once; fewer wait for a while. */
const STEP_SIZE = 4096;
const STEP_DELAY_MS = 500;

/** How many records may be without index when the service begins to take submissions: they are held in memory. */
const MAX_TAIL_AT_START = 50_000;

/** After a failure, a full disk say, the index is tried again so much later. */
const RETRY_MS = 5000;

/**
 * The index of the ledger's operations (index-file.ts): where an operation with this id is, whether a nonce was used, which
 * operations a filter finds, and proofs of inclusion. What it has not taken up yet it finds in the ledger or in memory, so
 * that its answers are always those of the ledger as committed.
 */
export class OperationIndex {
  readonly #options: OperationIndexOptions;
  readonly #index: Database.Database;
  readonly #thread: IndexThread;
  readonly #search: OperationSearch;
  readonly #counts: OperationCounts;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #tails = new Map<string, UnindexedTail>();
  #waiting = 0;
  #timer: NodeJS.Timeout | null = null;
  #stepping: Promise<void> | null = null;
  #closed = false;
  /** Whether the tails may lack records: a commit failed, and nobody knows whether it took place all the same. */
  #inDoubt = false;

  private constructor(options: OperationIndexOptions, index: Database.Database) {
    this.#options = options;
    this.#index = index;
    this.#thread = new IndexThread({ ledgerPath: options.ledgerPath, indexPath: options.indexPath });
    this.#search = new OperationSearch(options.ledger, index);
    this.#counts = new OperationCounts(options.ledger, index);
    this.#statements = prepare(options.ledger, index);
  }

  /** Opens the index, makes it where it is missing or belongs to another ledger, and takes up what it lacks. */
  static async open(options: OperationIndexOptions): Promise<OperationIndex> {
    const file = openIndexFile(options.indexPath, (found) => isIndexOf(found, options.ledger));
    file.pragma('cache_size = -16384');
    const index = new OperationIndex(options, file);
    try {
      await index.#catchUp();
      index.#readTails();
    } catch (error) {
      await index.close();
      throw error;
    }
    return index;
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      const { behind, total } = this.#statements.behind.get(this.#marks()) as { behind: number; total: number };
      if (behind <= MAX_TAIL_AT_START) return;
      this.#options.onRebuild?.(total - behind, total);
      await this.#thread.run('step');
    }
  }

  #marks(): string {
    const rows = this.#statements.marks.all() as { org_id: string; indexed_seq: number }[];
    return JSON.stringify(Object.fromEntries(rows.map(({ org_id, indexed_seq }) => [org_id, indexed_seq])));
  }

  #readTails(): void {
    for (const { orgId, ...entry } of this.#statements.tail.iterate(this.#marks()) as Iterable<
      TailEntry & { orgId: string }
    >) {
      this.#tail(orgId).add(entry);
      this.#waiting++;
    }
    if (this.#waiting > 0) this.#wake();
  }

  #tail(orgId: string): UnindexedTail {
    let tail = this.#tails.get(orgId);
    if (tail === undefined) {
      tail = new UnindexedTail();
      this.#tails.set(orgId, tail);
    }
    return tail;
  }

  /** Tells of records that were committed; they are found from now on. */
  committed(rows: readonly OperationRow[]): void {
    for (const { orgId, seqNo, operationId, agentId, nonce } of rows) {
      this.#tail(orgId).add({ seqNo, operationId, agentId, nonce });
    }
    this.#waiting += rows.length;
    this.#wake();
  }

  /** Tells that a commit failed of which nobody knows whether it took place: what is in memory is read anew before its next use. */
  doubt(): void {
    this.#inDoubt = true;
  }

  #readTailsAgain(): void {
    if (!this.#inDoubt) return;
    this.#tails.clear();
    this.#waiting = 0;
    this.#readTails();
    this.#inDoubt = false;
  }

  /** Tells that an epoch was sealed: its tiles are made soon. */
  sealed(): void {
    this.#wake();
  }

  #wake(): void {
    if (this.#closed || this.#stepping !== null) return;
    if (this.#waiting >= STEP_SIZE) this.#step();
    else this.#later(STEP_DELAY_MS);
  }

  #later(delay: number): void {
    if (this.#timer !== null || this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#step();
    }, delay);
    this.#timer.unref();
  }

  #step(): void {
    if (this.#closed || this.#stepping !== null) return;
    this.#stepping = this.#thread
      .run('step')
      .then(({ upTo, more }) => {
        this.#stepping = null;
        this.#drop(upTo);
        if (more || this.#waiting >= STEP_SIZE) this.#step();
        else if (this.#waiting > 0) this.#later(STEP_DELAY_MS);
      })
      .catch((error: unknown) => {
        this.#stepping = null;
        if (this.#closed) return;
        this.#options.onError(error);
        this.#later(RETRY_MS);
      });
  }

  #drop(upTo: readonly IndexedUpTo[]): void {
    for (const { orgId, seqNo } of upTo) {
      const tail = this.#tail(orgId);
      const before = tail.size;
      tail.drop(seqNo);
      this.#waiting -= before - tail.size;
    }
  }

  #org(orgId: string): IndexedOrg | null {
    return (this.#statements.org.get(orgId) as IndexedOrg | undefined) ?? null;
  }

  /** Runs many look-ups in one transaction for reading, which spares them the taking of locks. */
  reading<T>(lookUps: () => T): T {
    return this.#index.transaction(lookUps)();
  }

  /** The sequence number of the operation with this id, in any case of its letters. */
  findOperation(orgId: string, operationId: string): number | null {
    this.#readTailsAgain();
    const recent = this.#tails.get(orgId)?.find(operationId);
    if (recent !== undefined) return recent;
    return this.#postedIds(orgId, operationId)[0] ?? null;
  }

  /** Whether a record of the agent has this nonce. */
  isNonceUsed(orgId: string, agentId: string, nonce: string): boolean {
    this.#readTailsAgain();
    if (this.#tails.get(orgId)?.findNonce(agentId, nonce) !== undefined) return true;
    return this.#postedNonces(orgId, agentId, nonce).length > 0;
  }

  /** Whether no other operation has this one's id, nor another of the agent its nonce. */
  isUnique(orgId: string, { operationId, agentId, nonce, seqNo }: TailEntry): boolean {
    this.#readTailsAgain();
    const tail = this.#tails.get(orgId);
    const recent = [tail?.find(operationId), tail?.findNonce(agentId, nonce)].filter((other) => other !== undefined);
    const older = [...this.#postedIds(orgId, operationId), ...this.#postedNonces(orgId, agentId, nonce)];
    return [...recent, ...older].every((other) => other === seqNo);
  }

  /** The sequence number of the operation of an agent that follows on one. */
  nextOfAgent(orgId: string, agentId: string, seqNo: number): number | null {
    return this.following(orgId, agentId, seqNo, 1)[0] ?? null;
  }

  /** The first operations of an agent after one, oldest first. */
  following(orgId: string, agentId: string, seqNo: number, limit: number): number[] {
    return this.#search.following(orgId, this.#org(orgId), agentId, seqNo, limit);
  }

  /** When the first and the last of the operations were issued that a query finds; null where it finds none. */
  issueSpan(orgId: string, query: OperationQuery): Promise<IssueSpan | null> {
    return this.#counts.span(orgId, this.#org(orgId), query);
  }

  /** How many operations were issued in each of some stretches of time. */
  histogram(orgId: string, query: OperationQuery, buckets: Buckets): Promise<number[]> {
    return this.#counts.histogram(orgId, this.#org(orgId), query, buckets);
  }

  #postedIds(orgId: string, operationId: string): number[] {
    const wanted = operationId.toLowerCase();
    return (this.#statements.posted.all(operationIdKey(orgId, operationId)) as number[]).filter(
      (seqNo) => (this.#statements.operationId.get(orgId, seqNo) as string | undefined)?.toLowerCase() === wanted,
    );
  }

  #postedNonces(orgId: string, agentId: string, nonce: string): number[] {
    return (this.#statements.posted.all(nonceKey(orgId, agentId, nonce)) as number[]).filter(
      (seqNo) => this.#statements.hasNonce.get(orgId, seqNo, agentId, nonce) !== undefined,
    );
  }

  /** Operations before a sequence number, newest first. */
  search(orgId: string, query: OperationQuery, before: number | null, limit: number): FoundOperation[] {
    return this.#search.page(orgId, this.#org(orgId), query, before, limit);
  }

  /**
   * The audit path of a leaf of a sealed epoch from the epoch's tiles, hashes of 32 bytes from the leaf upward.
   * @returns null where the tiles are not made yet
   */
  inclusionPath(orgId: string, epochNo: number, treeSize: number, leafIndex: number): Uint8Array[] | null {
    const org = this.#org(orgId);
    if (org === null) return null;
    let missing = false;
    const path = pathFromTiles(treeSize, leafIndex, (level, tileNo) => {
      const tile = this.#statements.tile.get(org.org_no, epochNo, level, tileNo) as Buffer | undefined;
      missing ||= tile === undefined;
      return tile ?? new Uint8Array(0);
    });
    return missing ? null : path;
  }

  /** Moves the ledger's write-ahead log into its database, in the index's thread. */
  async checkpoint(): Promise<void> {
    await this.#thread.run('checkpoint');
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#stepping;
    await this.#thread.close();
    this.#index.close();
  }
}

/** Whether what an index holds was taken from this ledger: compares the leaf hashes at its marks. */
function isIndexOf(index: Database.Database, ledger: Database.Database): boolean {
  const leafAt = ledger.prepare('SELECT leaf_hash FROM operations WHERE org_id = ? AND seq_no = ?').pluck();
  const marks = index.prepare('SELECT org_id, indexed_seq, leaf_hash FROM orgs').all() as {
    org_id: string;
    indexed_seq: number;
    leaf_hash: Buffer | null;
  }[];
  return marks.every(({ org_id, indexed_seq, leaf_hash }) => {
    if (indexed_seq === 0 || leaf_hash === null) return true;
    return (leafAt.get(org_id, indexed_seq) as Buffer | undefined)?.equals(leaf_hash) === true;
  });
}

function prepare(ledger: Database.Database, index: Database.Database) {
  return {
    org: index.prepare('SELECT org_no, indexed_seq FROM orgs WHERE org_id = ?'),
    marks: index.prepare('SELECT org_id, indexed_seq FROM orgs'),
    posted: index.prepare('SELECT seq_no FROM postings WHERE key = ?').pluck(),
    tile: index
      .prepare('SELECT hashes FROM tiles WHERE org_no = ? AND epoch_no = ? AND level = ? AND tile_no = ?')
      .pluck(),
    operationId: ledger.prepare('SELECT operation_id FROM operations WHERE org_id = ? AND seq_no = ?').pluck(),
    hasNonce: ledger.prepare('SELECT 1 FROM operations WHERE org_id = ? AND seq_no = ? AND agent_id = ? AND nonce = ?'),
    behind: ledger.prepare(
      `SELECT coalesce(sum(last - indexed), 0) AS behind, coalesce(sum(last), 0) AS total FROM (
         SELECT coalesce((SELECT max(seq_no) FROM operations WHERE org_id = o.org_id), 0) AS last,
                coalesce(json_extract(?, '$."' || o.org_id || '"'), 0) AS indexed
         FROM organizations o)`,
    ),
    tail: ledger.prepare(
      `SELECT p.org_id AS orgId, p.seq_no AS seqNo, p.operation_id AS operationId, p.agent_id AS agentId, p.nonce AS nonce
       FROM organizations o CROSS JOIN operations p
       ON p.org_id = o.org_id AND p.seq_no > coalesce(json_extract(?, '$."' || o.org_id || '"'), 0)`,
    ),
  };
}
