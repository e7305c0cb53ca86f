import { expect } from 'vitest';
import type { Receipt, SubmittedRecord } from '../../src/protocol/index.ts';
import type { Answer, Client } from './client.ts';
import type { SeededRandom } from './random.ts';
import { chainHashOf, type Signer } from './signer.ts';

/** What an agent sends at most: records in a request, and characters in the payload of one. */
export interface LoadSize {
  readonly batch: number;
  readonly characters: number;
}

/**
 * An agent that sends as fast as it is answered, keeps every receipt that it is given, and finds its way again after the
 * service was killed while it waited.
 */
export class AgentLoad {
  readonly signer: Signer;
  /** Every receipt that was answered, by operation_id. */
  readonly receipts = new Map<string, Receipt>();
  /** Records with a receipt, for what may not be used again. */
  readonly accepted: SubmittedRecord[] = [];
  /** Records that were given up before they were accepted. */
  readonly givenUp: string[] = [];
  readonly #random: SeededRandom;
  readonly #size: LoadSize;
  #unanswered: SubmittedRecord[] = [];
  #answeredHead: string | null = null;
  #onReceipt = () => {};

  constructor(signer: Signer, size: LoadSize, random: SeededRandom) {
    this.signer = signer;
    this.#size = size;
    this.#random = random;
  }

  /**
   * Takes up what had no answer, then sends until the service is gone.
   *
   * @param onReceipt called for each receipt that is answered
   */
  async run(client: Client, isGone: () => boolean, onReceipt: () => void = () => {}): Promise<void> {
    this.#onReceipt = onReceipt;
    try {
      await this.settle(client);
      while (!isGone()) {
        this.#unanswered = Array.from({ length: 1 + this.#random.below(this.#size.batch) }, () =>
          // Good for as long as it takes: on a busy machine many a service is killed before it answers at all.
          this.signer.next({ payload: this.#payload(), ttl_ms: 86_400_000 }),
        );
        await this.#send(client);
      }
    } catch (error) {
      if (!isGone()) throw error;
    }
  }

  #payload() {
    // Mostly small ones.
    return { text: 'x'.repeat(Math.floor(this.#size.characters * this.#random.next() ** 8)), n: this.#random.next() };
  }

  /**
   * Asks where the chain ends. It ends with what was answered last or with something sent after it, never before; what was
   * sent and not answered is sent again, or the agent goes on from what it is told.
   */
  async settle(client: Client): Promise<void> {
    const { agentId: agent_id } = this.signer;
    const { chain_hash: head } = await client.ok('agentHead', { params: { agent_id } });
    const sent = [this.#answeredHead, ...this.#unanswered.map(chainHashOf)];
    expect(sent, `the head of ${agent_id}`).toContain(head);
    if (this.#unanswered.length === 0) return;
    if (this.#random.next() < 0.5) return this.#send(client, sent.indexOf(head));
    const kept = this.#unanswered.slice(0, sent.indexOf(head));
    const found = await Promise.all(
      kept.map(({ operation_id }) => client.ok('getOperation', { params: { operation_id } })),
    );
    // Only now, for it may be killed again in between.
    for (const [index, record] of kept.entries()) this.#keep(record, found[index]?.ear);
    this.givenUp.push(...this.#unanswered.slice(kept.length).map(({ operation_id }) => operation_id));
    this.#unanswered = [];
    this.signer.head = head;
  }

  /** @param kept how many of the records the ledger has already */
  async #send(client: Client, kept = 0): Promise<void> {
    const records = [...this.#unanswered];
    const results = await (records.length === 1 ? this.#submitOne(client, records) : this.#submitAll(client, records));
    const said = JSON.stringify(results.find(({ status }) => status >= 400));
    expect(
      results.map(({ status }) => status),
      said,
    ).toEqual(records.map((_, index) => (index < kept ? 200 : 201)));
    for (const [index, record] of records.entries()) this.#keep(record, results[index]?.receipt);
    this.#unanswered = [];
  }

  async #submitOne(client: Client, [body]: readonly SubmittedRecord[]) {
    const answer: Answer<Receipt> = await client.call('submitOperation', { body });
    return [{ status: answer.status, receipt: answer.body }];
  }

  async #submitAll(client: Client, records: readonly SubmittedRecord[]) {
    const { results } = await client.ok('submitBatch', { body: { records } });
    return results.map((result) => ({
      status: result.status,
      receipt: 'receipt' in result ? result.receipt : undefined,
    }));
  }

  #keep(record: SubmittedRecord, receipt: Receipt | undefined): void {
    const hash = chainHashOf(record);
    if (receipt === undefined) throw new Error(`no receipt for ${record.operation_id}`);
    expect(receipt).toMatchObject({ operation_id: record.operation_id, chain_hash: hash });
    const before = this.receipts.get(record.operation_id);
    if (before !== undefined) expect(receipt).toEqual(before);
    this.receipts.set(record.operation_id, receipt);
    this.accepted.push(record);
    this.#answeredHead = hash;
    this.#onReceipt();
  }
}
