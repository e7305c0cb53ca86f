import { HashListDigest } from '../bundle/digests.ts';
import type { Sha256 } from '../digest.ts';
import { type AdminEvent, adminEventHash } from '../statements/admin-event.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { FindingLog } from './finding-log.ts';

/** The administrative log of a bundle: a contiguous run of one hash chain (protocol §7). */
export class AdminTrack {
  readonly #log: FindingLog;
  readonly #hash: Sha256;
  readonly digest = new HashListDigest();
  /** Place of each event in the chain, by its hash. */
  readonly #positions = new Map<string, number>();
  readonly #ids = new Set<string>();
  #head: string | null = null;
  #first: AdminEvent | null = null;
  /** Of the events after the first, the one that says it is oldest: a dishonest service's times need not rise. */
  #oldestAfter: AdminEvent | null = null;
  /** Whether the run begins with the first event of all. */
  #fromTheFirst = true;
  count = 0;

  constructor(log: FindingLog, hash: Sha256) {
    this.#log = log;
    this.#hash = hash;
  }

  load(events: readonly AdminEvent[], orgId: string): void {
    for (const event of events) {
      const where = { event_id: event.event_id };
      const computed = adminEventHash(event, this.#hash);
      if (computed !== event.event_hash || event.org_id !== orgId) {
        this.#log.add('ADMIN_CHAIN_BROKEN', {
          where,
          expected: computed,
          actual: event.event_hash,
          message: 'The administrative event was changed: its hash does not follow from it.',
        });
      }
      if (this.count === 0) this.#fromTheFirst = event.prev_event_hash === null;
      else if (event.prev_event_hash !== this.#head) {
        this.#log.add('ADMIN_CHAIN_BROKEN', {
          where,
          expected: this.#head ?? 'null',
          actual: event.prev_event_hash ?? 'null',
          message: 'The administrative event does not follow the one before it.',
        });
      }
      if (this.#ids.has(event.event_id)) {
        this.#log.add('ADMIN_CHAIN_BROKEN', { where, message: 'Another administrative event has the same event_id.' });
      }
      this.#ids.add(event.event_id);
      if (this.count === 0) this.#first = event;
      else if (this.#oldestAfter === null || event.created_at < this.#oldestAfter.created_at) this.#oldestAfter = event;
      this.#head = event.event_hash;
      this.#positions.set(event.event_hash, this.count);
      this.digest.add(event.event_hash);
      this.count++;
    }
  }

  /**
   * The run begins with the event that was newest before the range, or with the first of all (protocol §8): neither later,
   * or what led to the state at its beginning is missing, nor earlier.
   * @param start of the range, in milliseconds
   */
  checkBeginning(start: number): void {
    const [first, oldest] = [this.#first, this.#oldestAfter];
    if (first === null) return;
    const tooLate = first.prev_event_hash !== null && first.created_at >= start;
    const tooEarly = oldest !== null && oldest.created_at < start;
    if (!tooLate && !tooEarly) return;
    this.#log.add('MANIFEST_MISMATCH', {
      check: 'admin_log',
      where: { member: 'manifest.filter', event_id: (tooLate ? first : (oldest ?? first)).event_id },
      expected: 'the event that was newest before the range, then those within it',
      message: `The administrative events begin too ${tooLate ? 'late' : 'early'} for the range of the bundle.`,
    });
  }

  /** Every epoch was sealed over a state of this log: its head must be one of the events, and never go back. */
  checkEpochs(epochs: readonly { readonly epoch: Epoch }[]): void {
    let newest = -1;
    for (const { epoch } of epochs) {
      const head = epoch.admin_head_hash;
      const position = head === null ? (this.#fromTheFirst ? -1 : undefined) : this.#positions.get(head);
      if (position === undefined || position < newest) {
        this.#log.add('ADMIN_CHAIN_BROKEN', {
          where: { epoch_id: epoch.epoch_id, epoch_no: epoch.epoch_no },
          expected: head ?? 'null',
          message: 'The epoch was sealed over another administrative log than the one in the bundle.',
        });
      } else newest = position;
    }
  }
}
