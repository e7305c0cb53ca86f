/** What tells whether a record was there before. */
export interface TailEntry {
  readonly seqNo: number;
  readonly operationId: string;
  readonly agentId: string;
  readonly nonce: string;
}

function nonceName(agentId: string, nonce: string): string {
  // An agent_id holds no NUL.
  return `${agentId}\0${nonce}`;
}

/** The newest records of an organization, which the index has not taken up yet, by what must not be used twice. */
export class UnindexedTail {
  readonly #operationIds = new Map<string, number>();
  readonly #nonces = new Map<string, number>();
  #entries: TailEntry[] = [];

  get size(): number {
    return this.#entries.length;
  }

  add(entry: TailEntry): void {
    this.#entries.push(entry);
    this.#operationIds.set(entry.operationId.toLowerCase(), entry.seqNo);
    this.#nonces.set(nonceName(entry.agentId, entry.nonce), entry.seqNo);
  }

  /** The sequence number of the record with an operation_id. */
  find(operationId: string): number | undefined {
    return this.#operationIds.get(operationId.toLowerCase());
  }

  /** The sequence number of the record with a nonce of an agent. */
  findNonce(agentId: string, nonce: string): number | undefined {
    return this.#nonces.get(nonceName(agentId, nonce));
  }

  /** Forgets the records up to a number, which are in the index now. */
  drop(upTo: number): void {
    const kept = this.#entries.findIndex(({ seqNo }) => seqNo > upTo);
    const dropped = this.#entries.splice(0, kept === -1 ? this.#entries.length : kept);
    for (const { operationId, agentId, nonce } of dropped) {
      this.#operationIds.delete(operationId.toLowerCase());
      this.#nonces.delete(nonceName(agentId, nonce));
    }
  }
}
