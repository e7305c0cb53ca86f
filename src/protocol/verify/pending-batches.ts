import type { HostCrypto } from '../crypto.ts';
import type { PreparedRecord } from './prepared-record.ts';
import type { PendingBatch, RecordTrack, Remark } from './record-track.ts';

/** How many records' signatures go to the host at once. */
const BATCH = 128;

/**
 * Records on their way through the record track: gathered into batches, several of which a host may have under way at
 * once, and judged in their order. Holds no more of them than the host can use.
 */
export class PendingBatches {
  readonly #records: RecordTrack;
  readonly #most: number;
  #batch: (PreparedRecord | Remark)[] = [];
  /** Batches whose signatures are being checked, oldest first. */
  readonly #begun: PendingBatch[] = [];

  constructor(records: RecordTrack, { batchesUnderWay = 1 }: HostCrypto) {
    this.#records = records;
    this.#most = batchesUnderWay;
  }

  /** Takes the next record, or what is to be said at this place once everything before it has been. */
  async add(next: PreparedRecord | Remark): Promise<void> {
    this.#batch.push(next);
    if (this.#batch.length < BATCH) return;
    this.#begin();
    if (this.#begun.length >= this.#most) await this.#concludeFirst();
  }

  /** Judges everything that was added. */
  async flush(): Promise<void> {
    if (this.#batch.length > 0) this.#begin();
    while (this.#begun.length > 0) await this.#concludeFirst();
  }

  /** Hands the records gathered so far to the host, whose answers are awaited later, in order. */
  #begin(): void {
    this.#begun.push(this.#records.begin(this.#batch));
    this.#batch = [];
  }

  async #concludeFirst(): Promise<void> {
    const first = this.#begun.shift();
    if (first !== undefined) await this.#records.conclude(first);
  }
}
