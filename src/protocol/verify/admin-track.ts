import { HashListDigest } from '../bundle/digests.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { AdminLogHead } from '../statements/manifest.ts';
import { instantText, parseTime } from '../time.ts';
import { describeCorrected } from './describe.ts';
import type { FindingLog } from './finding-log.ts';
import type { LedgerOrder, PlacedCorrection } from './ledger-order.ts';
import type { NotedEvent } from './noted-event.ts';
import type { FindingPlace } from './report.ts';

/** Where a finding about an event is: at its id or, where that is withheld, nowhere nearer than the log. */
function placeOf({ whole }: NotedEvent): FindingPlace {
  return whole === null ? { member: 'admin_events' } : { event_id: whole.eventId };
}

/** The administrative log of an organization, from its first event on: one hash chain (protocol V70, V71). */
export class AdminTrack {
  readonly #log: FindingLog;
  readonly #order: LedgerOrder;
  readonly digest = new HashListDigest();
  /** Place of each event in the chain, by its hash. */
  readonly #positions = new Map<string, number>();
  readonly #ids = new Set<string>();
  #events: readonly NotedEvent[] = [];
  #head: string | null = null;
  /** The latest order time of an event; 0 where there is none. */
  latest = 0;
  count = 0;
  /** How many of them set the clock back, or say so. */
  corrections = 0;
  /** How many of them are withheld: of those only links and times are checked. */
  withheld = 0;

  constructor(log: FindingLog, order: LedgerOrder) {
    this.#log = log;
    this.#order = order;
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
      const at = this.#order.at('events', this.count + 1, event.createdAt);
      if (at < this.latest) {
        this.#log.add('ADMIN_CHAIN_BROKEN', {
          where,
          expected: `at the earliest ${instantText(this.latest - at + event.createdAt)}`,
          actual: instantText(event.createdAt),
          message: 'The administrative event is older than the one before it.',
        });
      }
      this.#checkClock(event, where);
      this.latest = Math.max(this.latest, at);
      this.#head = event.hash;
      this.#positions.set(event.hash, this.count);
      this.digest.add(event.hash);
      this.count++;
    }
  }

  /** Whether its time is one that the clock corrections of the log leave it; of a correction, whether it may be one. */
  #checkClock({ createdAt, whole }: NotedEvent, where: FindingPlace): void {
    const expected = this.#order.misfit('events', this.count + 1, createdAt);
    if (expected !== null) {
      this.#log.add('TIME_ORDER', {
        where,
        expected,
        actual: instantText(createdAt),
        message: 'The time of the administrative event is not one that the clock corrections of the log leave it.',
      });
    }
    if (whole?.correction == null) return;
    this.corrections++;
    const problem = this.#order.problems.get(whole.eventId);
    if (problem !== undefined) {
      this.#log.add('TIME_ORDER', { where, message: `The clock correction cannot be one: ${problem}.` });
      return;
    }
    const correction = this.#order.corrections.find(({ eventId }) => eventId === whole.eventId);
    if (correction !== undefined) this.#warn(correction, where);
  }

  #warn(correction: PlacedCorrection, where: FindingPlace): void {
    const { jumps, until, last_time: last, continued } = correction;
    const [first] = jumps;
    this.#log.add('CLOCK_CORRECTED', {
      severity: 'warning',
      where,
      message:
        `The service set its clock back from ${instantText(last)} to ${instantText(continued)}, because of ` +
        `${jumps.length === 1 ? 'a jump' : `${jumps.length} jumps`} forward that the ledger's times show at ${instantText(first.after)}` +
        `${jumps.length === 1 ? '' : ' and later'}. The times of ${describeCorrected({ after: first, until })} may not be when things happened.`,
    });
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
  checkEpochs(epochs: Iterable<{ readonly epoch: Epoch }>): void {
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
      const era = this.#order.before('epoch_no', epoch.epoch_no);
      this.#checkEpochClock(epoch, position, era, where);
      const end = parseTime(epoch.end_time) + this.#order.shift(era);
      const timeOf = (at: number): number | undefined => {
        const createdAt = this.#events[at]?.createdAt;
        return createdAt === undefined ? undefined : this.#order.at('events', at + 1, createdAt);
      };
      // Times never decrease along the log (above): the two beside the epoch's end speak for all.
      const [before, after] = [this.#events[position], this.#events[position + 1]];
      const wrong =
        before !== undefined && (timeOf(position) ?? end) > end
          ? before
          : after !== undefined && (timeOf(position + 1) ?? end) < end
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

  /** That an epoch lies on one side of each clock correction: its run, what it was sealed over, and its times. */
  #checkEpochClock(epoch: Epoch, position: number, era: number, where: FindingPlace): void {
    const order = this.#order;
    const isOnOneSide =
      order.before('events', position + 1) === era &&
      order.before('seq_no', epoch.first_seq_no) === era &&
      order.before('seq_no', epoch.last_seq_no) === era;
    const start = order.misfit('seq_no', epoch.first_seq_no, parseTime(epoch.start_time));
    const expected = start ?? order.misfit('epoch_no', epoch.epoch_no, parseTime(epoch.end_time));
    if (isOnOneSide && expected === null) return;
    this.#log.add('TIME_ORDER', {
      where,
      ...(expected === null ? {} : { expected, actual: start === null ? epoch.end_time : epoch.start_time }),
      message: 'The epoch does not lie where the clock corrections of the log say.',
    });
  }
}
