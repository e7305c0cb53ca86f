import { createHash } from 'node:crypto';
import { ServiceError } from '../base/service-error.ts';

/** What the machine says of time. Both in milliseconds. */
export interface MachineClock {
  /** Since the Unix epoch: what people and programs set. */
  readonly now: () => number;
  /** Since the machine started, the time that it slept included: what nobody sets. */
  readonly uptime: () => number;
}

/** When the clock was last known to be right. */
export interface KnownTime {
  readonly wall: number;
  /** Of the same start of the machine; null where it was another one, so that the two cannot be compared. */
  readonly uptime: number | null;
}

/** Why nothing is signed: the clock reads what it should not. All times in milliseconds since the Unix epoch. */
export interface ClockDoubt {
  /** Names it to whoever confirms the clock; the same until somebody does. */
  readonly id: string;
  readonly cause: 'jump' | 'gap' | 'submitters';
  /** What it should read, as far as is known. */
  readonly expected: number;
  readonly reads: number;
}

/** Clocks that are kept right are corrected by less than this at once, in milliseconds. */
const TOLERANCE_MS = 60_000;

/** A machine may be off for so long without anybody being asked whether its clock is right, in milliseconds. */
const LONG_GAP_MS = 14 * 24 * 3_600_000;

/** This many records of one agent that all come late by the same time tell of a clock. */
const WITNESSES = 3;

/** Their times of issue lie apart by more than this, and how late they are by less, in milliseconds. */
const APART_MS = 5_000;

/** How soon a record that was held back is tried again, in seconds. */
const RETRY_SECONDS = 30;

/**
 * Notices that the machine's clock jumped forward before anything is signed under it. Times that were signed cannot be
 * taken back unseen, so where the clock is in doubt nothing is signed until it is right again, or a person confirms it. A clock that steps back
 * is no matter of this one: the ledger's times stand still then (protocol F64).
 */
export class ClockWatch {
  readonly #machine: MachineClock;
  /** When it was known to be right, by both. */
  #known: { readonly wall: number; readonly uptime: number };
  /** How much ahead of that the clock may be. */
  #tolerance: number;
  #cause: ClockDoubt['cause'];
  #doubt: ClockDoubt | null = null;
  /** Whether a record came in time since the start, or a person confirmed the clock: then agents that are late are late. */
  #isWitnessed: boolean;
  readonly #late = new Map<string, { readonly issuedAt: number; readonly late: number }[]>();

  /** @param last null where nothing is known of an earlier time */
  constructor(machine: MachineClock, last: KnownTime | null) {
    this.#machine = machine;
    const isSameStart = last?.uptime != null && last.uptime <= machine.uptime();
    this.#known = {
      wall: last?.wall ?? machine.now(),
      uptime: (isSameStart ? last?.uptime : null) ?? machine.uptime(),
    };
    this.#tolerance = last === null || isSameStart ? TOLERANCE_MS : LONG_GAP_MS;
    this.#cause = isSameStart ? 'jump' : 'gap';
    // Where no time has passed unseen, there is nothing that agents could tell.
    this.#isWitnessed = last === null;
    this.look();
  }

  /** Looks at the clock now. @returns why it is in doubt, or null */
  look(): ClockDoubt | null {
    const reads = this.#machine.now();
    const uptime = this.#machine.uptime();
    const expected = this.#known.wall + (uptime - this.#known.uptime);
    if (reads - expected <= this.#tolerance) {
      this.#trust(reads, uptime);
      return null;
    }
    this.#doubt ??= { id: idOf(this.#cause, this.#known.wall), cause: this.#cause, expected, reads };
    return this.#doubt;
  }

  /** What time it is, as far as is known: while the clock is in doubt, nobody's session or token ends by it. */
  time(): number {
    if (this.look() === null) return this.#machine.now();
    return this.#known.wall + (this.#machine.uptime() - this.#known.uptime);
  }

  #trust(wall: number, uptime: number): void {
    this.#known = { wall, uptime };
    this.#tolerance = TOLERANCE_MS;
    this.#cause = 'jump';
    this.#doubt = null;
  }

  /** @throws ServiceError CLOCK_IN_DOUBT */
  check(): void {
    const doubt = this.look();
    if (doubt === null) return;
    const [reads, expected] = [doubt.reads, doubt.expected].map((time) => new Date(time).toISOString());
    throw new ServiceError(
      'CLOCK_IN_DOUBT',
      `the service's clock reads ${reads} and should read about ${expected}: nothing is signed until it is set right, or ` +
        'an owner of the home organization confirms it. Try again later',
      {},
      RETRY_SECONDS,
    );
  }

  /** A person says that the clock is right. @returns whether this doubt is there to be answered */
  confirm(id: string): boolean {
    if (this.look()?.id !== id) return false;
    this.#isWitnessed = true;
    this.#late.clear();
    this.#trust(this.#machine.now(), this.#machine.uptime());
    return true;
  }

  /** What the next start may compare with; null while the clock is in doubt. */
  get known(): { readonly wall: number; readonly uptime: number } | null {
    return this.look() === null ? this.#known : null;
  }

  /** A record was accepted: its agent and this machine agree about the time. */
  accepted(): void {
    this.#isWitnessed = true;
    this.#late.clear();
  }

  /**
   * A record that is sound but for its time came too late. Records that waited somewhere come all at once, each as late as it is
   * old; under a wrong clock they come one after the other, each late by the same. Only before the first record that is in
   * time: no agent stops a service whose clock others agree with.
   * @param agent whose it is
   * @param issuedAt milliseconds since the Unix epoch, by the agent's clock
   */
  expired(agent: string, issuedAt: number): void {
    if (this.#isWitnessed) return;
    const late = this.#machine.now() - issuedAt;
    const seen = [...(this.#late.get(agent) ?? []), { issuedAt, late }].slice(-WITNESSES);
    this.#late.set(agent, seen);
    if (this.#late.size > 100) this.#late.clear();
    const [first] = seen;
    if (first === undefined || seen.length < WITNESSES || issuedAt - first.issuedAt < APART_MS) return;
    const lates = seen.map((one) => one.late);
    if (Math.max(...lates) - Math.min(...lates) > APART_MS) return;
    // A person who confirms the clock is asked no second time.
    this.#known = { wall: issuedAt, uptime: this.#machine.uptime() };
    this.#tolerance = TOLERANCE_MS;
    this.#cause = 'submitters';
  }
}

function idOf(cause: string, wall: number): string {
  return createHash('sha256').update(`${cause} ${wall}`).digest('hex').slice(0, 16);
}
