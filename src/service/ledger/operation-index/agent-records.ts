import type Database from 'better-sqlite3';
import { agentKey } from './record-keys.ts';
import type { UnindexedTail } from './tail.ts';

/** An organization as the index knows it. */
export interface IndexedOrg {
  readonly org_no: number;
  readonly indexed_seq: number;
}

/** The sequence numbers of the records of an agent, in the index and, for what is not in it yet, in memory. */
export class AgentRecords {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(ledger: Database.Database, index: Database.Database) {
    this.#statements = prepare(ledger, index);
  }

  /** The last ones before a sequence number, newest first. @param org null where the index knows nothing of it yet */
  before(
    orgId: string,
    org: IndexedOrg | null,
    agentId: string,
    end: number,
    limit: number,
    tail?: UnindexedTail,
  ): number[] {
    const indexed = org?.indexed_seq ?? 0;
    const found = tail?.ofAgent(agentId, indexed, end).slice(-limit).reverse() ?? [];
    if (org === null) return found;
    const { segmentsBefore, postedBefore } = this.#statements;
    const key = agentKey(orgId, agentId);
    let from = Math.min(end, indexed + 1);
    for (const segment of segmentsBefore.all(org.org_no, from) as number[]) {
      from = this.#take(orgId, agentId, found, limit, from, (next, most) => postedBefore.all(segment, key, next, most));
      if (found.length === limit) break;
    }
    return found;
  }

  /** The first ones after a sequence number, oldest first. */
  after(
    orgId: string,
    org: IndexedOrg | null,
    agentId: string,
    start: number,
    limit: number,
    tail?: UnindexedTail,
  ): number[] {
    const indexed = org?.indexed_seq ?? 0;
    const found: number[] = [];
    if (org !== null) {
      const { segmentsFrom, postedAfter } = this.#statements;
      const key = agentKey(orgId, agentId);
      for (const segment of segmentsFrom.all(org.org_no, org.org_no, start + 1) as number[]) {
        const posted = (next: number, most: number): unknown[] => postedAfter.all(segment, key, next, indexed, most);
        this.#take(orgId, agentId, found, limit, start, posted);
        if (found.length === limit) return found;
      }
    }
    const recent = tail?.ofAgent(agentId, Math.max(start, indexed), Number.MAX_SAFE_INTEGER) ?? [];
    return [...found, ...recent.slice(0, limit - found.length)];
  }

  /** Takes what a segment has under the key of an agent: keys are digests, and what a row of the ledger says counts. */
  #take(
    orgId: string,
    agentId: string,
    found: number[],
    limit: number,
    from: number,
    posted: (next: number, most: number) => unknown[],
  ): number {
    for (let next = from; ; ) {
      const most = limit - found.length;
      const candidates = posted(next, most) as number[];
      for (const seqNo of candidates) if (this.#statements.agentOf.get(orgId, seqNo) === agentId) found.push(seqNo);
      next = candidates.at(-1) ?? next;
      if (candidates.length < most || found.length === limit) return next;
    }
  }
}

function prepare(ledger: Database.Database, index: Database.Database) {
  return {
    agentOf: ledger.prepare('SELECT agent_id FROM operations WHERE org_id = ? AND seq_no = ?').pluck(),
    segmentsBefore: index
      .prepare('SELECT segment FROM stretches WHERE org_no = ? AND first_seq < ? ORDER BY first_seq DESC')
      .pluck(),
    segmentsFrom: index
      .prepare(
        `SELECT segment FROM stretches WHERE org_no = ? AND first_seq >= coalesce(
           (SELECT max(first_seq) FROM stretches WHERE org_no = ? AND first_seq <= ?), 0)
         ORDER BY first_seq`,
      )
      .pluck(),
    postedBefore: index
      .prepare('SELECT seq_no FROM agents WHERE segment = ? AND key = ? AND seq_no < ? ORDER BY seq_no DESC LIMIT ?')
      .pluck(),
    postedAfter: index
      .prepare(
        'SELECT seq_no FROM agents WHERE segment = ? AND key = ? AND seq_no > ? AND seq_no <= ? ORDER BY seq_no LIMIT ?',
      )
      .pluck(),
  };
}
