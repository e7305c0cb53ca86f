import { KeyTable } from './key-table.ts';
import { type IndexedOperation, nonceKey, type OperationTerms, operationIdKey } from './posting-keys.ts';

/** A record by what it is found by. */
export interface TailEntry extends IndexedOperation {
  readonly seqNo: number;
  readonly issuedAtMs: number;
}

/** What of the tail is searched for; times in milliseconds, the end exclusive. */
export interface TailQuery extends OperationTerms {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * The newest records of an organization, which the index has not taken up yet. There may be many, and they come and go with
 * each record: so they are held as columns of numbers and of texts that are shared, and their names by their keys. As
 * objects, the collector of garbage would go through them one by one.
 */
export class UnindexedTail {
  readonly #orgId: string;
  #names = new KeyTable();
  /** Of each text the one that is held: agents, types and subjects come again and again. */
  #texts = new Map<string, string>();
  #seqNos: number[] = [];
  #issuedAtMs: number[] = [];
  #idKeys: number[] = [];
  #nonceKeys: number[] = [];
  #agentIds: string[] = [];
  #operationTypes: string[] = [];
  #subjects: string[] = [];

  constructor(orgId: string) {
    this.#orgId = orgId;
  }

  get size(): number {
    return this.#seqNos.length;
  }

  /** Adds a record; they come in their order. */
  add({ seqNo, issuedAtMs, operationId, agentId, nonce, operationType, subject }: TailEntry): void {
    const idKey = operationIdKey(this.#orgId, operationId);
    const nonceKeyOf = nonceKey(this.#orgId, agentId, nonce);
    this.#seqNos.push(seqNo);
    this.#issuedAtMs.push(issuedAtMs);
    this.#idKeys.push(idKey);
    this.#nonceKeys.push(nonceKeyOf);
    this.#agentIds.push(this.#shared(agentId));
    this.#operationTypes.push(this.#shared(operationType));
    this.#subjects.push(this.#shared(subject));
    this.#names.add(idKey, seqNo);
    this.#names.add(nonceKeyOf, seqNo);
  }

  #shared(text: string): string {
    const held = this.#texts.get(text);
    if (held !== undefined) return held;
    this.#texts.set(text, text);
    return text;
  }

  /** The sequence numbers of records that may have a name, by its key (posting-keys.ts). */
  named(key: number): readonly number[] {
    return this.#names.all(key);
  }

  /** The newest records that a query finds, between two sequence numbers without these. */
  search(query: TailQuery, after: number, before: number, limit: number): number[] {
    const { agentId, operationType, subject, from, to } = query;
    const found: number[] = [];
    for (let at = this.size - 1; at >= 0 && found.length < limit; at--) {
      const seqNo = this.#seqNos[at] ?? 0;
      const issuedAtMs = this.#issuedAtMs[at] ?? 0;
      if (seqNo >= before) continue;
      if (seqNo <= after) break;
      if (agentId !== undefined && this.#agentIds[at] !== agentId) continue;
      if (operationType !== undefined && this.#operationTypes[at] !== operationType) continue;
      if (subject !== undefined && this.#subjects[at] !== subject) continue;
      if (from !== undefined && issuedAtMs < from) continue;
      if (to !== undefined && issuedAtMs >= to) continue;
      found.push(seqNo);
    }
    return found;
  }

  /** Forgets the records up to a number, which are in the index now. */
  drop(upTo: number): void {
    const found = this.#seqNos.findIndex((seqNo) => seqNo > upTo);
    const kept = found === -1 ? this.size : found;
    if (kept === 0) return;
    this.#seqNos = this.#seqNos.slice(kept);
    this.#issuedAtMs = this.#issuedAtMs.slice(kept);
    this.#idKeys = this.#idKeys.slice(kept);
    this.#nonceKeys = this.#nonceKeys.slice(kept);
    this.#texts = new Map();
    this.#agentIds = this.#agentIds.slice(kept).map((text) => this.#shared(text));
    this.#operationTypes = this.#operationTypes.slice(kept).map((text) => this.#shared(text));
    this.#subjects = this.#subjects.slice(kept).map((text) => this.#shared(text));
    this.#names = new KeyTable();
    for (const [at, seqNo] of this.#seqNos.entries()) {
      this.#names.add(this.#idKeys[at] ?? 0, seqNo);
      this.#names.add(this.#nonceKeys[at] ?? 0, seqNo);
    }
  }
}
