import type { OperationTerms } from './posting-keys.ts';

/** What tells whether a record was there before. */
export interface RecordNames {
  readonly seqNo: number;
  readonly operationId: string;
  readonly agentId: string;
  readonly nonce: string;
}

/** A record by what it is found by. */
export interface TailEntry extends RecordNames {
  readonly operationType: string;
  readonly subject: string;
  readonly issuedAtMs: number;
}

/** What of the tail is searched for; times in milliseconds, the end exclusive. */
export interface TailQuery extends OperationTerms {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

function nonceName(agentId: string, nonce: string): string {
  // An agent_id holds no NUL.
  return `${agentId}\0${nonce}`;
}

/** Records by a name that each should have for itself; in a ledger that somebody changed several may have the same. */
class Names {
  readonly #first = new Map<string, number>();
  readonly #further = new Map<string, number[]>();

  add(name: string, seqNo: number): void {
    if (!this.#first.has(name)) this.#first.set(name, seqNo);
    else this.#further.set(name, [...(this.#further.get(name) ?? []), seqNo]);
  }

  first(name: string): number | undefined {
    return this.#first.get(name);
  }

  all(name: string): readonly number[] {
    const first = this.#first.get(name);
    return first === undefined ? [] : [first, ...(this.#further.get(name) ?? [])];
  }

  /** Takes a record away, the first of those with its name. */
  drop(name: string): void {
    this.#first.delete(name);
    const [next, ...others] = this.#further.get(name) ?? [];
    if (next === undefined) return;
    this.#first.set(name, next);
    this.#further.set(name, others);
    if (others.length === 0) this.#further.delete(name);
  }
}

/** The newest records of an organization, which the index has not taken up yet, by what must not be used twice. */
export class UnindexedTail {
  readonly #operationIds = new Names();
  readonly #nonces = new Names();
  #entries: TailEntry[] = [];

  get size(): number {
    return this.#entries.length;
  }

  /** Adds a record; they come in their order. */
  add(entry: TailEntry): void {
    this.#entries.push(entry);
    this.#operationIds.add(entry.operationId.toLowerCase(), entry.seqNo);
    this.#nonces.add(nonceName(entry.agentId, entry.nonce), entry.seqNo);
  }

  /** The sequence number of the record with an operation_id. */
  find(operationId: string): number | undefined {
    return this.#operationIds.first(operationId.toLowerCase());
  }

  /** The sequence number of the record with a nonce of an agent. */
  findNonce(agentId: string, nonce: string): number | undefined {
    return this.#nonces.first(nonceName(agentId, nonce));
  }

  allWithId(operationId: string): readonly number[] {
    return this.#operationIds.all(operationId.toLowerCase());
  }

  allWithNonce(agentId: string, nonce: string): readonly number[] {
    return this.#nonces.all(nonceName(agentId, nonce));
  }

  /** The newest records that a query finds, between two sequence numbers without these. */
  search(query: TailQuery, after: number, before: number, limit: number): number[] {
    const { agentId, operationType, subject, from, to } = query;
    const found: number[] = [];
    for (let at = this.#entries.length - 1; at >= 0 && found.length < limit; at--) {
      const entry = this.#entries[at] as TailEntry;
      if (entry.seqNo >= before) continue;
      if (entry.seqNo <= after) break;
      if (agentId !== undefined && entry.agentId !== agentId) continue;
      if (operationType !== undefined && entry.operationType !== operationType) continue;
      if (subject !== undefined && entry.subject !== subject) continue;
      if (from !== undefined && entry.issuedAtMs < from) continue;
      if (to !== undefined && entry.issuedAtMs >= to) continue;
      found.push(entry.seqNo);
    }
    return found;
  }

  /** Forgets the records up to a number, which are in the index now. */
  drop(upTo: number): void {
    const kept = this.#entries.findIndex(({ seqNo }) => seqNo > upTo);
    const dropped = this.#entries.splice(0, kept === -1 ? this.#entries.length : kept);
    for (const { operationId, agentId, nonce } of dropped) {
      this.#operationIds.drop(operationId.toLowerCase());
      this.#nonces.drop(nonceName(agentId, nonce));
    }
  }
}
