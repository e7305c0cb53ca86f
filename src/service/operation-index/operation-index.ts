import type Database from 'better-sqlite3';
import type { NewOperationRow } from '../store/schema.ts';
import { isCorrupt } from '../store/sqlite-errors.ts';
import { type Buckets, type IssueSpan, OperationCounts } from './counts.ts';
import { disownIndexFile, openIndexFile, removeIndexFile } from './index-file.ts';
import { IndexThread } from './index-thread.ts';
import type { IndexReply } from './index-worker.ts';
import type { IndexCheck, IndexedUpTo } from './indexer.ts';
import { NameFilter } from './name-filter.ts';
import { NamedOperations } from './named-operations.ts';
import { type FoundOperation, type IndexedOrg, type OperationQuery, OperationSearch } from './search.ts';
import { StepSchedule } from './step-schedule.ts';
import { type TailEntry, UnindexedTail } from './tail.ts';
import { pathFromTiles } from './tiles.ts';

/** A record by what tells whether it was there before. */
export interface RecordNames {
  readonly seqNo: number;
  readonly operationId: string;
  readonly agentId: string;
  readonly nonce: string;
}

export interface OperationIndexOptions {
  /** The service's own connection to the ledger. */
  readonly ledger: Database.Database;
  readonly ledgerPath: string;
  readonly indexPath: string;
  /** Told of what fails with nobody to tell. */
  readonly onError: (error: unknown) => void;
  /** Told how far the making of an index is that is missing or far behind: records taken up, and records in all. */
  readonly onRebuild?: (done: number, total: number) => void;
  /** How many records may wait for the index in memory; by default a number that is never reached while it works. */
  readonly maxTail?: number;
}

/** How many records may be without index when the service begins: they are read into memory before it listens. */
const MAX_TAIL_AT_START = 8192;

/** Leaves of the largest tree that a proof is looked for in. */
const MAX_LEAVES = 2 ** 30;

/** More records than these are not held in memory for an index that does not come after: further ones have to wait. */
const MAX_TAIL = 200_000;

/**
 * The index of the ledger's operations (index-file.ts): where an operation with this id is, whether a nonce was used, which
 * operations a filter finds, and proofs of inclusion. What it has not taken up yet it finds in the ledger or in memory, so
 * that its answers are always those of the ledger as committed.
 */
export class OperationIndex {
  readonly #options: OperationIndexOptions;
  readonly #index: Database.Database;
  readonly #filter = new NameFilter();
  readonly #thread: IndexThread;
  readonly #names: NamedOperations;
  readonly #search: OperationSearch;
  readonly #counts: OperationCounts;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #tails = new Map<string, UnindexedTail>();
  #waiting = 0;
  readonly #schedule: StepSchedule;
  /** Whether the tails may lack records: a commit failed, and nobody knows whether it took place all the same. */
  #inDoubt = false;
  #disowned = false;
  #fillingBegan = false;

  private constructor(options: OperationIndexOptions, index: Database.Database) {
    this.#options = options;
    this.#index = index;
    const paths = { ledgerPath: options.ledgerPath, indexPath: options.indexPath };
    this.#thread = new IndexThread(paths, this.#filter);
    this.#names = new NamedOperations(options.ledger, index, this.#filter);
    this.#schedule = new StepSchedule({
      step: () => this.#step(),
      waiting: () => this.#waiting,
      onError: (error) => this.#failed(error),
    });
    this.#search = new OperationSearch(options.ledger, index);
    this.#counts = new OperationCounts(options.ledger, index);
    this.#statements = prepare(options.ledger, index);
  }

  /** Opens the index, makes it where it is missing, damaged, or belongs to another ledger, and takes up what it lacks. */
  static async open(options: OperationIndexOptions): Promise<OperationIndex> {
    try {
      return await OperationIndex.#opened(options);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      // The index or the ledger: with a new index it shows which.
      removeIndexFile(options.indexPath);
      return OperationIndex.#opened(options);
    }
  }

  static async #opened(options: OperationIndexOptions): Promise<OperationIndex> {
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
    this.#filter.cover(this.#segments(), false);
    for (;;) {
      const { behind, total } = this.#statements.behind.get(this.#marks()) as { behind: number; total: number };
      if (behind <= MAX_TAIL_AT_START) {
        // A thread keeps the memory that the making of an index took. The next job starts another.
        return this.#thread.close();
      }
      this.#options.onRebuild?.(total - behind, total);
      await this.#fillFilter();
      await this.#runStep();
    }
  }

  #segments(): number {
    return this.#statements.segments.get() as number;
  }

  #runStep(): Promise<IndexReply> {
    // A step may fill a segment and begin the next.
    this.#filter.cover(this.#segments() + 2, true);
    return this.#thread.run({ kind: 'step' });
  }

  /** Until this is done every segment may have every name, and is looked into: an answer takes longer, and is the same. */
  async #fillFilter(): Promise<void> {
    if (!this.#filter.isSettled) await this.#thread.run({ kind: 'load' });
  }

  /** Fills it when the first record is submitted: until then nobody needs it. Where that fails, the next start tries again. */
  #fillFilterOnce(): void {
    if (this.#fillingBegan) return;
    this.#fillingBegan = true;
    this.#fillFilter().catch((error: unknown) => this.#failed(error));
  }

  #marks(of: 'indexed_seq' | 'tiled_epoch' = 'indexed_seq'): string {
    const rows = this.#statements.marks.all() as { org_id: string; indexed_seq: number; tiled_epoch: number }[];
    return JSON.stringify(Object.fromEntries(rows.map((row) => [row.org_id, row[of]])));
  }

  #readTails(): void {
    for (const { orgId, ...entry } of this.#statements.tail.iterate(this.#marks()) as Iterable<
      TailEntry & { orgId: string }
    >) {
      this.#tail(orgId).add(entry);
      this.#waiting++;
    }
    const hasUntiled = this.#statements.untiled.get(this.#marks('tiled_epoch')) !== undefined;
    if (hasUntiled) this.#schedule.want();
    else if (this.#waiting > 0) this.#schedule.wake();
  }

  /** Whether as many records wait for the index as may: no more are to be taken in until it has come after. */
  get isBehind(): boolean {
    return this.#waiting >= (this.#options.maxTail ?? MAX_TAIL);
  }

  #tail(orgId: string): UnindexedTail {
    let tail = this.#tails.get(orgId);
    if (tail === undefined) {
      tail = new UnindexedTail(orgId);
      this.#tails.set(orgId, tail);
    }
    return tail;
  }

  /** Tells of records that were committed; they are found from now on. */
  committed(rows: readonly NewOperationRow[]): void {
    for (const row of rows) {
      const { seqNo, operationId, agentId, nonce, operationType, subject, issuedAtMs } = row;
      this.#tail(row.orgId).add({ seqNo, operationId, agentId, nonce, operationType, subject, issuedAtMs });
    }
    this.#waiting += rows.length;
    this.#schedule.wake();
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
    this.#schedule.want();
  }

  async #step(): Promise<boolean> {
    try {
      const { upTo, more } = await this.#runStep();
      this.#drop(upTo);
      return more;
    } catch (error) {
      // Some organizations may have been taken up before another one failed.
      this.#drop(this.#statements.upTo.all() as IndexedUpTo[]);
      throw error;
    }
  }

  /** Tells of what the thread failed at, with nobody waiting for it. */
  #failed(error: unknown): void {
    this.#options.onError(error);
    if (isCorrupt(error)) this.#disown();
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
    return this.#ask(this.#index.transaction(lookUps));
  }

  #ask<T>(lookUp: () => T): T {
    try {
      return lookUp();
    } catch (error) {
      if (isCorrupt(error)) this.#disown();
      throw error;
    }
  }

  /** The file says what is not so: the next start makes a new one. */
  #disown(): void {
    if (this.#disowned) return;
    this.#disowned = true;
    this.#options.onError(new Error('the index of operations is damaged: the next start makes it anew'));
    try {
      disownIndexFile(this.#index);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /**
   * Looks for every record of an organization whether it is found by all that it should be found by; where one is not, the
   * next start makes a new index. The index is no evidence; but what it hides no search finds, and may be accepted twice.
   * @returns whether it is sound
   */
  async check(orgId: string, signal: AbortSignal): Promise<boolean> {
    for (let after: number | null = 0; after !== null; ) {
      signal.throwIfAborted();
      let checked: IndexCheck | undefined;
      try {
        await this.#fillFilter();
        ({ checked } = await this.#thread.run({ kind: 'check', orgId, after }));
      } catch (error) {
        if (!isCorrupt(error)) throw error;
      }
      if (checked?.sound !== true) {
        this.#disown();
        return false;
      }
      after = checked.to;
    }
    return true;
  }

  /** The sequence number of the operation with this id, in any case of its letters. */
  findOperation(orgId: string, operationId: string): number | null {
    this.#readTailsAgain();
    return this.#ask(() => this.#names.withId(orgId, operationId, this.#tails.get(orgId)))[0] ?? null;
  }

  /** Whether a record of the agent has this nonce. */
  isNonceUsed(orgId: string, agentId: string, nonce: string): boolean {
    this.#readTailsAgain();
    this.#fillFilterOnce();
    return this.#ask(() => this.#names.withNonce(orgId, agentId, nonce, this.#tails.get(orgId))).length > 0;
  }

  /** Whether no other operation has this one's id, nor another of the agent its nonce. */
  isUnique(orgId: string, { operationId, agentId, nonce, seqNo }: RecordNames): boolean {
    this.#readTailsAgain();
    const tail = this.#tails.get(orgId);
    const found = this.#ask(() => [
      ...this.#names.withId(orgId, operationId, tail),
      ...this.#names.withNonce(orgId, agentId, nonce, tail),
    ]);
    return found.every((other) => other === seqNo);
  }

  /** The sequence number of the operation of an agent that follows on one. */
  nextOfAgent(orgId: string, agentId: string, seqNo: number): number | null {
    return this.following(orgId, agentId, seqNo, 1)[0] ?? null;
  }

  /** The first operations of an agent after one, oldest first. */
  following(orgId: string, agentId: string, seqNo: number, limit: number): number[] {
    return this.#ask(() => this.#search.following(orgId, this.#org(orgId), agentId, seqNo, limit));
  }

  /** When the first and the last of the operations were issued that a query finds; null where it finds none. */
  issueSpan(orgId: string, query: OperationQuery): Promise<IssueSpan | null> {
    return this.#counts.span(orgId, this.#org(orgId), query);
  }

  /** How many operations were issued in each of some stretches of time. */
  histogram(orgId: string, query: OperationQuery, buckets: Buckets): Promise<number[]> {
    return this.#counts.histogram(orgId, this.#org(orgId), query, buckets);
  }

  /** Operations before a sequence number, newest first. */
  search(orgId: string, query: OperationQuery, before: number | null, limit: number): FoundOperation[] {
    this.#readTailsAgain();
    const tail = this.#tail(orgId);
    return this.#ask(() => this.#search.page(orgId, this.#org(orgId), query, before, limit, tail));
  }

  /**
   * The audit path of a leaf of a sealed epoch from the epoch's tiles, hashes of 32 bytes from the leaf upward.
   * @returns null where the tiles are not made yet
   */
  inclusionPath(orgId: string, epochNo: number, treeSize: number, leafIndex: number): Uint8Array[] | null {
    // What no service writes: somebody changed the epoch.
    if (!(treeSize > leafIndex && treeSize <= MAX_LEAVES)) return null;
    return this.#ask(() => {
      const org = this.#org(orgId);
      if (org === null) return null;
      let missing = false;
      const path = pathFromTiles(treeSize, leafIndex, (level, tileNo) => {
        const tile = this.#statements.tile.get(org.org_no, epochNo, level, tileNo) as Buffer | undefined;
        missing ||= tile === undefined;
        return tile ?? new Uint8Array(0);
      });
      return missing ? null : path;
    });
  }

  /** Moves the ledger's write-ahead log into its database, in the index's thread. */
  async checkpoint(): Promise<void> {
    await this.#thread.run({ kind: 'checkpoint' });
  }

  async close(): Promise<void> {
    await this.#schedule.close();
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
    upTo: index.prepare('SELECT org_id AS orgId, indexed_seq AS seqNo FROM orgs'),
    marks: index.prepare('SELECT org_id, indexed_seq, tiled_epoch FROM orgs'),
    segments: index.prepare('SELECT coalesce(max(segment) + 1, 0) FROM segments').pluck(),
    tile: index
      .prepare('SELECT hashes FROM tiles WHERE org_no = ? AND epoch_no = ? AND level = ? AND tile_no = ?')
      .pluck(),
    behind: ledger.prepare(
      `SELECT coalesce(sum(last - indexed), 0) AS behind, coalesce(sum(last), 0) AS total FROM (
         SELECT coalesce((SELECT max(seq_no) FROM operations WHERE org_id = o.org_id), 0) AS last,
                coalesce(json_extract(?, '$."' || o.org_id || '"'), 0) AS indexed
         FROM organizations o)`,
    ),
    untiled: ledger.prepare(
      `SELECT 1 FROM organizations o WHERE (SELECT max(epoch_no) FROM epochs WHERE org_id = o.org_id)
         > coalesce(json_extract(?, '$."' || o.org_id || '"'), 0) LIMIT 1`,
    ),
    tail: ledger.prepare(
      `SELECT p.org_id AS orgId, p.seq_no AS seqNo, p.operation_id AS operationId, p.agent_id AS agentId, p.nonce AS nonce,
              p.operation_type AS operationType, p.subject AS subject, p.issued_at_ms AS issuedAtMs
       FROM organizations o CROSS JOIN operations p
       ON p.org_id = o.org_id AND p.seq_no > coalesce(json_extract(?, '$."' || o.org_id || '"'), 0)`,
    ),
  };
}
