import { createHash } from 'node:crypto';
import { ServiceError } from './base/service-error.ts';

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
  /** Names it, with what the clock reads, to whoever confirms the clock; the same while the clock continues from this reading. */
  readonly id: string;
  readonly cause: 'jump' | 'gap' | 'submitters' | 'nodes';
  /** What it should read now, as far as is known. */
  readonly expected: number;
  /** What it reads now. */
  readonly reads: number;
}

/** Whose record came too late. */
export interface LateSubmitter {
  readonly orgId: string;
  readonly agentId: string;
  /** Whether it is an agent of the organization that runs the service. */
  readonly isHome: boolean;
}

/** A reading that was believed, and by how much the clock may be ahead of what follows from it. */
interface Line {
  readonly wall: number;
  readonly uptime: number;
  readonly tolerance: number;
}

/** What an agent's late records say: of how long ago, in milliseconds. */
interface Testimony {
  readonly orgId: string;
  readonly seen: readonly { readonly issuedAt: number; readonly late: number }[];
}

/** Clocks that are kept right are corrected by less than this at once, in milliseconds. */
const TOLERANCE_MS = 60_000;

/** A machine may be off for so long without anybody being asked whether its clock is right, in milliseconds. */
const LONG_GAP_MS = 14 * 24 * 3_600_000;

/**
 * Within this time, in milliseconds, a clock may be set to where it was expected before it stepped back or, from the start of the machine on, to
 * any time that it might have read then: many machines learn the time from the network only after their services have started.
 */
const SETTLES_MS = 3_600_000;

/** This many records of one agent that all come late by the same time tell of a clock. */
const WITNESSES = 3;

/** Their times of issue lie apart by more than this, and how late they are by less, in milliseconds. */
const APART_MS = 5_000;

/** An agent whose clock differs by no more than this agrees with the service's, in milliseconds. */
const AGREES_MS = 300_000;

/** How many agents that are late are kept in mind, the latest ones. */
const MOST_LATE = 100;

/** How soon a record that was held back is tried again, in seconds. */
const RETRY_SECONDS = 30;

/**
 * Notices that the machine's clock jumped forward before anything is signed under it. Times that were signed cannot be
 * taken back unseen, so where the clock is in doubt nothing is signed until it is right again, or a person confirms it. A clock that steps back
 * is no matter of this one: the ledger's times stand still then (protocol F64).
 */
export class ClockWatch {
  readonly #machine: MachineClock;
  /** Where it was known to be right. */
  #line: Line;
  /** Where else it may be until this uptime. */
  #beside: (Line & { readonly until: number }) | null = null;
  #cause: ClockDoubt['cause'];
  /** When the machine started, by the reading that is in doubt, and how this doubt is named. */
  #doubted: { readonly origin: number; readonly id: string } | null = null;
  /** Whether the start of the machine or an agent vouches for the clock, or a person confirmed it: then agents that are late are late. */
  #isWitnessed: boolean;
  readonly #late = new Map<string, Testimony>();
  readonly #told: () => KnownTime | null;
  /** Whether a person holds this clock for right though all others are behind it: until they are not. */
  #isUpheld = false;

  /**
   * @param last null where nothing is known of an earlier time
   * @param told the latest of what other nodes and the log of a ledger say, where there are any
   */
  constructor(machine: MachineClock, last: KnownTime | null, told: () => KnownTime | null = () => null) {
    this.#machine = machine;
    this.#told = told;
    const uptime = machine.uptime();
    const isSameStart = last?.uptime != null && last.uptime <= uptime;
    this.#line = {
      wall: last?.wall ?? machine.now(),
      uptime: (isSameStart ? last?.uptime : null) ?? uptime,
      tolerance: last === null || isSameStart ? TOLERANCE_MS : LONG_GAP_MS,
    };
    this.#cause = isSameStart ? 'jump' : 'gap';
    if (last !== null && !isSameStart) this.#beside = { ...this.#line, until: SETTLES_MS };
    // Where no time has passed unseen, there is nothing that agents could tell.
    this.#isWitnessed = last === null || isSameStart;
    this.look();
  }

  /** Looks at the clock now. @returns why it is in doubt, or null */
  look(): ClockDoubt | null {
    const reads = this.#machine.now();
    const uptime = this.#machine.uptime();
    const expected = expectedBy(this.#line, uptime);
    if (this.#beside !== null && uptime > this.#beside.until) this.#beside = null;
    const told = this.#told();
    const others = told?.uptime == null ? reads : expectedBy({ wall: told.wall, uptime: told.uptime }, uptime);
    const isAhead = reads - others > TOLERANCE_MS;
    this.#isUpheld &&= isAhead;
    const isBeside = this.#beside !== null && isWithin(this.#beside, reads, uptime);
    if (isWithin(this.#line, reads, uptime) || (isBeside && this.#cause !== 'submitters')) {
      // Before it is believed: what was known of it before may be as wrong.
      if (isAhead && !this.#isUpheld) return this.#doubt('nodes', others, reads, uptime);
      if (reads < expected - TOLERANCE_MS) this.#beside ??= { ...this.#line, until: uptime + SETTLES_MS };
      this.#trust(reads, uptime);
      return null;
    }
    return this.#doubt(this.#cause, expected, reads, uptime);
  }

  #doubt(cause: ClockDoubt['cause'], expected: number, reads: number, uptime: number): ClockDoubt {
    const origin = reads - uptime;
    if (this.#doubted === null || Math.abs(origin - this.#doubted.origin) > TOLERANCE_MS) {
      this.#doubted = { origin, id: this.#idOf(minuteOf(origin)) };
    }
    return { id: this.#doubted.id, cause, expected, reads };
  }

  /** What time it is, as far as is known: while the clock is in doubt, nobody's session or token ends by it. */
  time(): number {
    return this.look()?.expected ?? this.#machine.now();
  }

  #trust(wall: number, uptime: number): void {
    this.#line = { wall, uptime, tolerance: TOLERANCE_MS };
    this.#cause = 'jump';
    this.#doubted = null;
  }

  #idOf(minute: number): string {
    return createHash('sha256').update(`${this.#cause} ${this.#line.wall} ${minute}`).digest('hex').slice(0, 16);
  }

  /** @throws ServiceError CLOCK_IN_DOUBT */
  check(): void {
    const doubt = this.look();
    if (doubt === null) return;
    throw new ServiceError(
      'CLOCK_IN_DOUBT',
      `${doubtText(doubt)}: nothing is signed until it is set right, or an owner of the home organization confirms it. Try again later`,
      {},
      RETRY_SECONDS,
    );
  }

  /**
   * Whether an earlier start of the service named the present doubt so: with the same reading, but for what the clocks drifted apart in between.
   * @param id null where none was named
   */
  isNamed(id: string | null): boolean {
    if (id === null || this.look() === null || this.#doubted === null) return false;
    const minute = minuteOf(this.#doubted.origin);
    return [minute - 1, minute, minute + 1].some((near) => this.#idOf(near) === id);
  }

  /** A person says that the clock is right. @returns the doubt that this answers, with the reading; null where it is not there, or no longer */
  confirm(id: string): ClockDoubt | null {
    const doubt = this.look();
    if (doubt?.id !== id) return null;
    this.#isWitnessed = true;
    this.#isUpheld = true;
    this.#late.clear();
    this.#beside = null;
    this.#trust(doubt.reads, this.#machine.uptime());
    return doubt;
  }

  /**
   * What the next start may compare with, and names the same doubt by; null where the clock was not known to be right since the machine started, or
   * agents alone say what it should read.
   */
  get known(): { readonly wall: number; readonly uptime: number } | null {
    if (this.look() !== null && this.#cause !== 'jump') return null;
    const { wall, uptime } = this.#line;
    return { wall, uptime };
  }

  /**
   * A sound record came in time: if its agent's clock agrees with this machine's, no agent that is late tells anything of it, and what such agents told
   * before is over.
   * @param issuedAt milliseconds since the Unix epoch, by the agent's clock
   */
  inTime(issuedAt: number): void {
    if (this.#isWitnessed && this.#late.size === 0 && this.#cause !== 'submitters') return;
    const now = this.#machine.now();
    if (Math.abs(now - issuedAt) > AGREES_MS) return;
    this.#isWitnessed = true;
    this.#late.clear();
    if (this.#cause === 'submitters') this.#trust(now, this.#machine.uptime());
  }

  /**
   * A record that is sound but for its time came too late. Records that waited somewhere come all at once, each as late as it is
   * old; under a wrong clock they come one after the other, each late by the same. Heard only where nothing vouches for the clock, and no guest alone:
   * agents of the home organization, or of two others that are late by the same.
   * @param issuedAt milliseconds since the Unix epoch, by the agent's clock
   */
  expired({ orgId, agentId, isHome }: LateSubmitter, issuedAt: number): void {
    if (this.#isWitnessed || this.look() !== null) return;
    const name = `${orgId} ${agentId}`;
    const late = this.#machine.now() - issuedAt;
    const seen = [...(this.#late.get(name)?.seen ?? []), { issuedAt, late }].slice(-WITNESSES);
    this.#late.delete(name);
    this.#late.set(name, { orgId, seen });
    const [oldest] = this.#late.keys();
    if (this.#late.size > MOST_LATE && oldest !== undefined) this.#late.delete(oldest);
    if (!isTold(seen)) return;
    const agrees = (other: Testimony): boolean =>
      other.orgId !== orgId && isTold(other.seen) && other.seen.every((one) => Math.abs(one.late - late) <= APART_MS);
    if (!isHome && ![...this.#late.values()].some(agrees)) return;
    this.#line = { wall: issuedAt, uptime: this.#machine.uptime(), tolerance: TOLERANCE_MS };
    this.#cause = 'submitters';
  }
}

function expectedBy({ wall, uptime }: Pick<Line, 'wall' | 'uptime'>, now: number): number {
  return wall + (now - uptime);
}

function isWithin(line: Line, reads: number, uptime: number): boolean {
  return reads - expectedBy(line, uptime) <= line.tolerance;
}

function minuteOf(time: number): number {
  return Math.round(time / TOLERANCE_MS);
}

/** Whether an agent's records were issued one after the other, and were each late by the same. */
function isTold(seen: Testimony['seen']): boolean {
  const [first, last] = [seen[0], seen.at(-1)];
  if (first === undefined || last === undefined || seen.length < WITNESSES) return false;
  const lates = seen.map(({ late }) => late);
  return last.issuedAt - first.issuedAt >= APART_MS && Math.max(...lates) - Math.min(...lates) <= APART_MS;
}

/** What is known of a clock in doubt, as the first part of a sentence. */
export function doubtText({ cause, reads, expected }: ClockDoubt): string {
  const [read, other] = [reads, expected].map((time) => new Date(time).toISOString());
  const why = {
    jump: `and by the time since it was last known to be right it should read about ${other}`,
    gap: `and would read about ${other} if no time had passed while the service could not watch it`,
    submitters: `and by the records of agents it is about ${other}`,
    nodes: `and by the other nodes and the shared log it is about ${other}`,
  }[cause];
  return `the service's clock reads ${read}, ${why}`;
}
