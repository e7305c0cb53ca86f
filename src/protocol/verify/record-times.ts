import { MAX_CLOCK_LEAD_MS } from '../statements/record.ts';
import { instantText } from '../time.ts';
import type { AgentHistory } from './agent-history.ts';
import type { KnownAgentKey } from './directory.ts';
import type { FindingLog } from './finding-log.ts';
import type { Issuer } from './issuer.ts';
import type { LedgerOrder } from './ledger-order.ts';
import type { PreparedRecord } from './prepared-record.ts';
import type { FindingPlace } from './report.ts';

/** First and last instants of receipt, with the places to point at. */
interface Extreme {
  readonly instant: number;
  readonly where: FindingPlace;
}

/** Whether a record was received before it was issued, by more than clocks may differ. All in milliseconds. */
export function isTooEarly(issuedAt: number, receivedAt: number): boolean {
  return issuedAt > receivedAt + MAX_CLOCK_LEAD_MS;
}

/** Whether a record was received after its time to live. */
export function isTooLate(issuedAt: number, ttlMs: number, receivedAt: number): boolean {
  return receivedAt > issuedAt + ttlMs;
}

/** Whether records came when they could: in order, in time, under keys that were valid, from agents that could submit. */
export class RecordTimes {
  readonly #issuer: Issuer;
  readonly #history: AgentHistory;
  readonly #order: LedgerOrder;
  readonly #log: FindingLog;
  #receivedAt = Number.NEGATIVE_INFINITY;
  #serviceKid: string | null = null;
  /** By the times that place them in a range. */
  earliest: Extreme | null = null;
  latest: Extreme | null = null;
  /** The latest order time. */
  newest = 0;

  constructor(issuer: Issuer, history: AgentHistory, order: LedgerOrder, log: FindingLog) {
    this.#issuer = issuer;
    this.#history = history;
    this.#order = order;
    this.#log = log;
  }

  /**
   * Takes the next record.
   * @param key of its agent; undefined where there is none of that kid
   * @param ascending whether its number continues the run
   */
  check(record: PreparedRecord, key: KnownAgentKey | undefined, ascending: boolean, where: FindingPlace): void {
    const at = this.#order.at('seq_no', record.ear.seq_no, record.receivedAt);
    if (key !== undefined) this.#checkKey(record, key, at, where);
    this.#checkService(record, at, ascending, where);
    this.#checkTime(record, at, ascending, where);
  }

  #checkTime(record: PreparedRecord, at: number, ascending: boolean, where: FindingPlace): void {
    const log = this.#log;
    const { eor, ear, issuedAt: issued, receivedAt: received } = record;
    if (ascending && at < this.#receivedAt) {
      log.add('TIME_ORDER', { where, message: 'The record was received earlier than the one before it.' });
    }
    if (ascending) this.#receivedAt = at;
    const corrected = this.#order.misfit('seq_no', ear.seq_no, received);
    if (corrected !== null) {
      log.add('TIME_ORDER', {
        where,
        expected: corrected,
        actual: ear.server_received_at,
        message: 'The record was received at a time that the clock corrections of the log do not leave it.',
      });
    }
    if (isTooEarly(issued, received)) {
      log.add('TIME_ORDER', {
        where,
        expected: `issued at the latest five minutes after ${ear.server_received_at}`,
        actual: eor.issued_at,
        message: 'The record was issued long after it was received.',
      });
    }
    if (isTooLate(issued, eor.ttl_ms, received)) {
      log.add('TTL_VIOLATED', {
        where,
        expected: `received within ${eor.ttl_ms} ms of ${eor.issued_at}`,
        actual: ear.server_received_at,
        message: 'The record was received after its time to live had passed.',
      });
    }
    const instant = this.#order.inRange(ear.seq_no, received, this.#order.corrections.length);
    if (this.earliest === null || instant < this.earliest.instant) this.earliest = { instant, where };
    if (this.latest === null || instant > this.latest.instant) this.latest = { instant, where };
    this.newest = Math.max(this.newest, at);
  }

  /** Whether the agent's key was one when the record came, and one that the reader wants; and whether the agent could submit. */
  #checkKey({ eor, ear }: PreparedRecord, key: KnownAgentKey, at: number, place: FindingPlace): void {
    const log = this.#log;
    const { from, to } = this.#history.spanOf(eor, key);
    const where = { ...place, kid: eor.agent_pubkey_kid };
    if (at < from) {
      log.add('KEY_NOT_YET_VALID', {
        where,
        expected: `received at the earliest ${instantText(key.createdAt)}`,
        actual: ear.server_received_at,
        message: 'The record was accepted before its key was given to the agent.',
      });
    }
    if (key.retiredAt !== null && at > to) {
      log.add('KEY_USED_AFTER_REVOCATION', {
        where,
        expected: `received at the latest ${instantText(key.retiredAt)}`,
        actual: ear.server_received_at,
        message: 'The record was accepted after its key had been revoked.',
      });
    }
    if (key.unwanted) {
      log.add('AGENT_KEY_NOT_TRUSTED', {
        where,
        expected: 'a key that you named for the agent',
        actual: eor.agent_pubkey_kid,
        message: 'The record is signed by another key than those that you named for its agent.',
      });
    }
    if (this.#history.isBarred(eor.agent_id, at)) {
      log.add('AGENT_BARRED', {
        where: place,
        actual: ear.server_received_at,
        message: 'The record was accepted while its agent was frozen, or after it had been deleted.',
      });
    }
  }

  /** The key that countersigned: in its time, and none that had handed over before. */
  #checkService({ ear }: PreparedRecord, at: number, ascending: boolean, where: FindingPlace): void {
    this.#issuer.checkTime(ear.service_kid, at, where);
    if (!ascending) return;
    this.#issuer.checkOrder(this.#serviceKid, ear.service_kid, where);
    this.#serviceKid = ear.service_kid;
  }
}
