import type Database from 'better-sqlite3';
import type { NameFilter } from './name-filter.ts';
import { nonceKey, operationIdKey } from './posting-keys.ts';

/** Finds operations by what only one of them should have, in the index: its id, and a nonce of its agent. */
export class PostedNames {
  readonly #filter: NameFilter;
  readonly #statements: ReturnType<typeof prepare>;

  /** @param filter that of the index: only segments that may have a name are looked at */
  constructor(ledger: Database.Database, index: Database.Database, filter: NameFilter) {
    this.#filter = filter;
    this.#statements = prepare(ledger, index);
  }

  /** Sequence numbers of the operations with this id, in any case of its letters. */
  withId(orgId: string, operationId: string): number[] {
    const { operationId: idOf } = this.#statements;
    const wanted = operationId.toLowerCase();
    return this.#under(operationIdKey(orgId, operationId)).filter(
      (seqNo) => (idOf.get(orgId, seqNo) as string | undefined)?.toLowerCase() === wanted,
    );
  }

  /** Sequence numbers of the operations of an agent with this nonce. */
  withNonce(orgId: string, agentId: string, nonce: string): number[] {
    return this.#under(nonceKey(orgId, agentId, nonce)).filter(
      (seqNo) => this.#statements.hasNonce.get(orgId, seqNo, agentId, nonce) !== undefined,
    );
  }

  /** Keys are digests: what a row of the ledger says counts. */
  #under(key: number): number[] {
    return this.#filter.segmentsOf(key).flatMap((segment) => this.#statements.named.all(segment, key) as number[]);
  }
}

function prepare(ledger: Database.Database, index: Database.Database) {
  return {
    named: index.prepare('SELECT seq_no FROM names WHERE segment = ? AND key = ?').pluck(),
    operationId: ledger.prepare('SELECT operation_id FROM operations WHERE org_id = ? AND seq_no = ?').pluck(),
    hasNonce: ledger.prepare('SELECT 1 FROM operations WHERE org_id = ? AND seq_no = ? AND agent_id = ? AND nonce = ?'),
  };
}
