import { KeyTable } from './key-table.ts';
import { type IndexedOperation, nonceKey, operationIdKey } from './record-keys.ts';

/** A record by what it is found by. */
export interface TailEntry extends IndexedOperation {
  readonly seqNo: number;
}

/**
 * The newest records of an organization, which the index has not taken up yet. There may be many, and they come and go with
 * each record: so they are held as columns of numbers and of texts that are shared, and their names by their keys. As
 * objects, the collector of garbage would go through them one by one.
 */
export class UnindexedTail {
  readonly #orgId: string;
  #names = new KeyTable();
  /** Of each agent the text that is held: they come again and again. */
  #texts = new Map<string, string>();
  #seqNos: number[] = [];
  #idKeys: number[] = [];
  #nonceKeys: number[] = [];
  #agentIds: string[] = [];

  constructor(orgId: string) {
    this.#orgId = orgId;
  }

  get size(): number {
    return this.#seqNos.length;
  }

  /** Adds a record; they come in their order. */
  add({ seqNo, operationId, agentId, nonce }: TailEntry): void {
    const idKey = operationIdKey(this.#orgId, operationId);
    const nonceKeyOf = nonceKey(this.#orgId, agentId, nonce);
    this.#seqNos.push(seqNo);
    this.#idKeys.push(idKey);
    this.#nonceKeys.push(nonceKeyOf);
    this.#agentIds.push(this.#shared(agentId));
    this.#names.add(idKey, seqNo);
    this.#names.add(nonceKeyOf, seqNo);
  }

  #shared(text: string): string {
    const held = this.#texts.get(text);
    if (held !== undefined) return held;
    this.#texts.set(text, text);
    return text;
  }

  /** The sequence numbers of records that may have a name, by its key (record-keys.ts). */
  named(key: number): readonly number[] {
    return this.#names.all(key);
  }

  /** The records of an agent between two sequence numbers without these, in their order. */
  ofAgent(agentId: string, after: number, before: number): number[] {
    return this.#seqNos.filter((seqNo, at) => seqNo > after && seqNo < before && this.#agentIds[at] === agentId);
  }

  /** Forgets the records up to a number, which are in the index now. */
  drop(upTo: number): void {
    const found = this.#seqNos.findIndex((seqNo) => seqNo > upTo);
    const kept = found === -1 ? this.size : found;
    if (kept === 0) return;
    this.#seqNos = this.#seqNos.slice(kept);
    this.#idKeys = this.#idKeys.slice(kept);
    this.#nonceKeys = this.#nonceKeys.slice(kept);
    this.#texts = new Map();
    this.#agentIds = this.#agentIds.slice(kept).map((text) => this.#shared(text));
    this.#names = new KeyTable();
    for (const [at, seqNo] of this.#seqNos.entries()) {
      this.#names.add(this.#idKeys[at] ?? 0, seqNo);
      this.#names.add(this.#nonceKeys[at] ?? 0, seqNo);
    }
  }
}
