import { HashListDigest } from '../bundle/digests.ts';
import type { Sha256 } from '../digest.ts';
import { type AdminEvent, adminEventHash, type BundledEvent, isWholeEvent } from '../statements/admin-event.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { FindingLog } from './finding-log.ts';
import type { FindingPlace } from './report.ts';

/** Where a finding about an event is: at its id or, where that is withheld, nowhere nearer than the log. */
function placeOf(event: BundledEvent): FindingPlace {
  return isWholeEvent(event) ? { event_id: event.event_id } : { member: 'admin_events' };
}

/** The administrative log of a bundle: a contiguous run of one hash chain (protocol §7). */
export class AdminTrack {
  readonly #log: FindingLog;
  readonly #hash: Sha256;
  readonly digest = new HashListDigest();
  /** Place of each event in the chain, by its hash. */
  readonly #positions = new Map<string, number>();
  readonly #ids = new Set<string>();
  #head: string | null = null;
  #first: BundledEvent | null = null;
  /** Of the events after the first, the one that says it is oldest: a dishonest service's times need not rise. */
  #oldestAfter: BundledEvent | null = null;
  /** Whether the run begins with the first event of all. */
  #fromTheFirst = true;
  count = 0;
  /** How many of them are withheld: of those only the links are checked. */
  withheld = 0;

  constructor(log: FindingLog, hash: Sha256) {
    this.#log = log;
    this.#hash = hash;
  }

  load(events: readonly BundledEvent[], orgId: string): void {
    for (const event of events) {
      const where = placeOf(event);
      if (isWholeEvent(event)) this.#checkContent(event, orgId);
      else this.withheld++;
      if (this.count === 0) this.#fromTheFirst = event.prev_event_hash === null;
      else if (event.prev_event_hash !== this.#head) {
        this.#log.add('ADMIN_CHAIN_BROKEN', {
          where,
          expected: this.#head ?? 'null',
          actual: event.prev_event_hash ?? 'null',
          message: 'The administrative event does not follow the one before it.',
        });
      }
      if (this.count === 0) this.#first = event;
      else if (this.#oldestAfter === null || event.created_at < this.#oldestAfter.created_at) this.#oldestAfter = event;
      this.#head = event.event_hash;
      this.#positions.set(event.event_hash, this.count);
      this.digest.add(event.event_hash);
      this.count++;
    }
  }

  /** What a withheld event does not show: that its hash is its own, its organization, and its id. */
  #checkContent(event: AdminEvent, orgId: string): void {
    const where = placeOf(event);
    const computed = adminEventHash(event, this.#hash);
    if (computed !== event.event_hash || event.org_id !== orgId) {
      this.#log.add('ADMIN_CHAIN_BROKEN', {
        where,
        expected: computed,
        actual: event.event_hash,
        message: 'The administrative event was changed: its hash does not follow from it.',
      });
    }
    if (this.#ids.has(event.event_id)) {
      this.#log.add('ADMIN_CHAIN_BROKEN', { where, message: 'Another administrative event has the same event_id.' });
    }
    this.#ids.add(event.event_id);
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
      where: { member: 'manifest.filter', ...placeOf(tooLate ? first : (oldest ?? first)) },
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
