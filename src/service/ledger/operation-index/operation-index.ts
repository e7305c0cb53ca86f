import type Database from 'better-sqlite3';
import { isCorrupt } from '../../store/sqlite-errors.ts';
import { AgentRecords, type IndexedOrg } from './agent-records.ts';
import { IndexDamage } from './index-damage.ts';
import { isIndexOf, openIndexFile, removeIndexFile } from './index-file.ts';
import { IndexUpkeep } from './index-upkeep.ts';
import type { IndexCheck } from './indexer.ts';
import { NameFilter } from './name-filter.ts';
import { NamedOperations } from './named-operations.ts';
import { type CommittedRecord, UnindexedRecords } from './unindexed-records.ts';

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
  /** Gets errors of work in the background, which has no caller. */
  readonly onError: (error: unknown) => void;
  /** Told how far the making of an index is that is missing or far behind: records taken up, and records in all. */
  readonly onRebuild?: (done: number, total: number) => void;
  /** How many records may wait for the index in memory; by default a number that is never reached while it works. */
  readonly maxTail?: number;
}

/** More records than these are not held in memory for an index that does not come after: further ones have to wait. */
const MAX_TAIL = 200_000;

/**
 * The index of the ledger's operations (docs/operation-index.md): where the operation with an id is, whether a nonce is
 * used, and which records an agent has. What is not indexed yet it finds in memory or in the ledger, so
 * that its answers are always those of the ledger as committed.
 */
export class OperationIndex {
  readonly #maxTail: number;
  readonly #index: Database.Database;
  readonly #damage: IndexDamage;
  readonly #unindexed: UnindexedRecords;
  readonly #upkeep: IndexUpkeep;
  readonly #names: NamedOperations;
  readonly #agents: AgentRecords;
  readonly #org: Database.Statement;
  /** Made once: making a transaction of a function costs more than what it spares. */
  readonly #reading: (lookUps: () => unknown) => unknown;

  private constructor(options: OperationIndexOptions, index: Database.Database) {
    const { ledger, ledgerPath, indexPath, onError } = options;
    const filter = new NameFilter();
    this.#maxTail = options.maxTail ?? MAX_TAIL;
    this.#index = index;
    this.#damage = new IndexDamage(index, onError);
    this.#unindexed = new UnindexedRecords(ledger, index);
    this.#upkeep = new IndexUpkeep({
      paths: { ledgerPath, indexPath },
      index,
      filter,
      unindexed: this.#unindexed,
      damage: this.#damage,
    });
    this.#names = new NamedOperations(ledger, index, filter);
    this.#agents = new AgentRecords(ledger, index);
    this.#reading = index.transaction((lookUps: () => unknown) => lookUps());
    this.#org = index.prepare('SELECT org_no, indexed_seq FROM orgs WHERE org_id = ?');
  }

  /** Opens the index, makes it where it is missing, damaged, or belongs to another ledger, and adds what it lacks. */
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
    file.pragma('cache_size = -4096');
    const index = new OperationIndex(options, file);
    try {
      await index.#upkeep.catchUp(options.onRebuild);
      index.#unindexed.read();
      index.#upkeep.scheduleAll();
    } catch (error) {
      await index.close();
      throw error;
    }
    return index;
  }

  /** Whether as many records wait for the index as may: no more are to be taken in until it has come after. */
  get isBehind(): boolean {
    return this.#unindexed.count >= this.#maxTail;
  }

  /** Tells of records that were committed; they are found from now on. */
  committed(rows: readonly CommittedRecord[]): void {
    this.#unindexed.add(rows);
    this.#upkeep.scheduleRecords();
  }

  /** Tells that a commit failed of which nobody knows whether it took place: what is in memory is read again before its next use. */
  doubt(): void {
    this.#unindexed.doubt();
  }

  #resolveDoubt(): void {
    if (this.#unindexed.resolveDoubt()) this.#upkeep.scheduleAll();
  }

  #indexedOrg(orgId: string): IndexedOrg | null {
    return (this.#org.get(orgId) as IndexedOrg | undefined) ?? null;
  }

  /** Runs many look-ups in one transaction for reading, which spares them the taking of locks. */
  reading<T>(lookUps: () => T): T {
    return this.#damage.ask(() => this.#reading(lookUps) as T);
  }

  /**
   * Looks for every record of an organization whether it is found by all that it should be found by; where one is not, the
   * next start makes a new index. The index is no evidence; but what it hides no search finds, and may be accepted twice.
   * @returns whether it is sound
   */
  async check(orgId: string, signal: AbortSignal): Promise<boolean> {
    for (let after: number | null = 0; after !== null; ) {
      signal.throwIfAborted();
      let checked: IndexCheck | null = null;
      try {
        checked = await this.#upkeep.check(orgId, after);
      } catch (error) {
        if (!isCorrupt(error)) throw error;
      }
      if (checked?.sound !== true) {
        this.#damage.disown();
        return false;
      }
      after = checked.to;
    }
    return true;
  }

  /** The sequence number of the operation with this id, in any case of its letters. */
  findOperation(orgId: string, operationId: string): number | null {
    this.#resolveDoubt();
    return (
      this.#damage.ask(() => this.#names.withId(orgId, operationId, this.#unindexed.existingTail(orgId)))[0] ?? null
    );
  }

  /** Whether a record of the agent has this nonce. */
  isNonceUsed(orgId: string, agentId: string, nonce: string): boolean {
    this.#resolveDoubt();
    this.#upkeep.fillFilterOnce();
    return (
      this.#damage.ask(() => this.#names.withNonce(orgId, agentId, nonce, this.#unindexed.existingTail(orgId))).length >
      0
    );
  }

  /** Whether no other operation has this one's id, nor another of the agent its nonce. */
  isUnique(orgId: string, { operationId, agentId, nonce, seqNo }: RecordNames): boolean {
    this.#resolveDoubt();
    const tail = this.#unindexed.existingTail(orgId);
    const found = this.#damage.ask(() => [
      ...this.#names.withId(orgId, operationId, tail),
      ...this.#names.withNonce(orgId, agentId, nonce, tail),
    ]);
    return found.every((other) => other === seqNo);
  }

  /** The first records of an agent after a sequence number, oldest first, or the last ones before one, newest first: their numbers. */
  ofAgent(
    orgId: string,
    agentId: string,
    from: { readonly after: number } | { readonly before: number },
    limit: number,
  ): number[] {
    this.#resolveDoubt();
    const tail = this.#unindexed.existingTail(orgId);
    const org = this.#indexedOrg(orgId);
    return this.#damage.ask(() =>
      'after' in from
        ? this.#agents.after(orgId, org, agentId, from.after, limit, tail)
        : this.#agents.before(orgId, org, agentId, from.before, limit, tail),
    );
  }

  /** Moves the ledger's write-ahead log into its database, in the index's thread. */
  async checkpoint(): Promise<void> {
    await this.#upkeep.checkpoint();
  }

  async close(): Promise<void> {
    await this.#upkeep.close();
    this.#index.close();
  }
}
