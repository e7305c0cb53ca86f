import { HashListDigest } from '../bundle/digests.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { AdminLogHead } from '../statements/manifest.ts';
import { instantText, parseTime } from '../time.ts';
import type { FindingLog } from './finding-log.ts';
import type { NotedEvent } from './noted-event.ts';
import type { FindingPlace } from './report.ts';

/** Where a finding about an event is: at its id or, where that is withheld, nowhere nearer than the log. */
function placeOf({ whole }: NotedEvent): FindingPlace {
  return whole === null ? { member: 'admin_events' } : { event_id: whole.eventId };
}

/** The administrative log of an organization, from its first event on: one hash chain (protocol §7). */
export class AdminTrack {
  readonly #log: FindingLog;
  readonly digest = new HashListDigest();
  /** Place of each event in the chain, by its hash. */
  readonly #positions = new Map<string, number>();
  readonly #ids = new Set<string>();
  #events: readonly NotedEvent[] = [];
  #head: string | null = null;
  /** The latest time of an event; 0 where there is none. */
  latest = 0;
  count = 0;
  /** How many of them are withheld: of those only links and times are checked. */
  withheld = 0;

  constructor(log: FindingLog) {
    this.#log = log;
  }

  get head(): AdminLogHead {
    return { count: this.count, head_hash: this.#head };
  }

  load(events: readonly NotedEvent[], orgId: string): void {
    this.#events = events;
    for (const event of events) {
      const where = placeOf(event);
      if (event.whole === null) this.withheld++;
      else this.#checkContent(event.whole, event.hash, orgId);
      if (event.prevHash !== this.#head) {
        this.#log.add('ADMIN_CHAIN_BROKEN', {
          where,
          expected: this.#head ?? 'null',
          actual: event.prevHash ?? 'null',
          message:
            this.#head === null
              ? 'The beginning of the administrative log is missing.'
              : 'The administrative event does not follow the one before it.',
        });
      }
      if (event.createdAt < this.latest) {
        this.#log.add('ADMIN_CHAIN_BROKEN', {
          where,
          expected: `at the earliest ${instantText(this.latest)}`,
          actual: instantText(event.createdAt),
          message: 'The administrative event is older than the one before it.',
        });
      }
      this.latest = Math.max(this.latest, event.createdAt);
      this.#head = event.hash;
      this.#positions.set(event.hash, this.count);
      this.digest.add(event.hash);
      this.count++;
    }
  }

  /** What a withheld event does not show: that its hash is its own, its organization, and its id. */
  #checkContent({ eventId, orgId: of, computed }: NonNullable<NotedEvent['whole']>, hash: string, orgId: string): void {
    const where = { event_id: eventId };
    if (computed !== hash || of !== orgId) {
      this.#log.add('ADMIN_CHAIN_BROKEN', {
        where,
        expected: computed,
        actual: hash,
        message: 'The administrative event was changed: its hash does not follow from it.',
      });
    }
    if (this.#ids.has(eventId)) {
      this.#log.add('ADMIN_CHAIN_BROKEN', { where, message: 'Another administrative event has the same event_id.' });
    }
    this.#ids.add(eventId);
  }

  /**
   * Every epoch was sealed over a state of this log: its head must be one of the events, and never go back; and what was
   * logged before the epoch's end, and what after it, its times must say.
   */
  checkEpochs(epochs: readonly { readonly epoch: Epoch }[]): void {
    let newest = -1;
    for (const { epoch } of epochs) {
      const head = epoch.admin_head_hash;
      const where = { epoch_id: epoch.epoch_id, epoch_no: epoch.epoch_no };
      const position = head === null ? -1 : this.#positions.get(head);
      if (position === undefined || position < newest) {
        this.#log.add('ADMIN_CHAIN_BROKEN', {
          where,
          expected: head ?? 'null',
          message: 'The epoch was sealed over another administrative log than the one in the bundle.',
        });
        continue;
      }
      newest = position;
      const end = parseTime(epoch.end_time);
      // Times never decrease along the log (above): the two beside the epoch's end speak for all.
      const [before, after] = [this.#events[position], this.#events[position + 1]];
      const wrong =
        before !== undefined && before.createdAt > end
          ? before
          : after !== undefined && after.createdAt < end
            ? after
            : null;
      if (wrong === null) continue;
      this.#log.add('ADMIN_CHAIN_BROKEN', {
        where: { ...where, ...placeOf(wrong) },
        expected: `${wrong === before ? 'at the latest' : 'at the earliest'} ${epoch.end_time}`,
        actual: instantText(wrong.createdAt),
        message:
          wrong === before
            ? 'The epoch was sealed over an event that is later than its end.'
            : 'The event was logged after the epoch had been sealed, and says that it is older.',
      });
    }
  }
}
