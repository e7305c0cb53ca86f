import type Database from 'better-sqlite3';
import type { NameFilter } from './name-filter.ts';
import { nonceKey, operationIdKey } from './record-keys.ts';
import type { UnindexedTail } from './tail.ts';

/** Finds operations by what only one of them should have: its id, and a nonce of its agent. */
export class NamedOperations {
  readonly #filter: NameFilter;
  readonly #statements: ReturnType<typeof prepare>;

  /** @param filter that of the index: only segments that may have a name are looked at */
  constructor(ledger: Database.Database, index: Database.Database, filter: NameFilter) {
    this.#filter = filter;
    this.#statements = prepare(ledger, index);
  }

  /**
   * Sequence numbers of the operations with this id, in any case of its letters.
   * @param tail the records that the index has not taken up; one may be given twice while it takes them up
   */
  withId(orgId: string, operationId: string, tail?: UnindexedTail): number[] {
    const { operationId: idOf } = this.#statements;
    const wanted = operationId.toLowerCase();
    return this.#under(operationIdKey(orgId, operationId), tail).filter(
      (seqNo) => (idOf.get(orgId, seqNo) as string | undefined)?.toLowerCase() === wanted,
    );
  }

  /** Sequence numbers of the operations of an agent with this nonce. */
  withNonce(orgId: string, agentId: string, nonce: string, tail?: UnindexedTail): number[] {
    return this.#under(nonceKey(orgId, agentId, nonce), tail).filter(
      (seqNo) => this.#statements.hasNonce.get(orgId, seqNo, agentId, nonce) !== undefined,
    );
  }

  /** Keys are digests: what a row of the ledger says counts. */
  #under(key: number, tail: UnindexedTail | undefined): readonly number[] {
    const recent = tail?.named(key) ?? NONE;
    const segments = this.#filter.segmentsOf(key);
    if (segments.length === 0) return recent;
    return [...recent, ...segments.flatMap((segment) => this.#statements.named.all(segment, key) as number[])];
  }
}

const NONE: readonly number[] = [];

function prepare(ledger: Database.Database, index: Database.Database) {
  return {
    named: index.prepare('SELECT seq_no FROM names WHERE segment = ? AND key = ?').pluck(),
    operationId: ledger.prepare('SELECT operation_id FROM operations WHERE org_id = ? AND seq_no = ?').pluck(),
    hasNonce: ledger.prepare('SELECT 1 FROM operations WHERE org_id = ? AND seq_no = ? AND agent_id = ? AND nonce = ?'),
  };
}
