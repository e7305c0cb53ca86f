import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { atEnd } from '../support/cleanup.ts';

/**
 * The clocks of this process, for a ledger of some weeks that is made in seconds: the time of day, the monotonic clock and the uptime of the
 * machine move together, so that a service sees a machine that runs, and no clock that jumps. The real ones are back at the end of the test file.
 */
export class SetClock {
  readonly #real = { date: Date, now: Date.now, monotonic: performance.now.bind(performance), uptime: os.uptime };
  readonly #began: { readonly wall: number; readonly monotonic: number; readonly uptime: number };
  /** What the time of day was set to, and the real monotonic clock at which it began to run; null while it stands. */
  #at: number;
  #runsFrom: number | null = null;

  /** @param at milliseconds since the Unix epoch */
  constructor(at: number) {
    this.#at = at;
    const { monotonic, uptime } = this.#real;
    this.#began = { wall: at, monotonic: monotonic(), uptime: uptime() };
    Date.now = () => this.now();
    globalThis.Date = new Proxy(this.#real.date, {
      construct: (date, given: [], target) =>
        given.length === 0 ? new date(this.now()) : Reflect.construct(date, given, target),
    });
    performance.now = () => this.#began.monotonic + this.now() - this.#began.wall;
    os.uptime = () => this.#began.uptime + (this.now() - this.#began.wall) / 1000;
    syncBuiltinESMExports();
    atEnd(() => this.#restore());
  }

  now(): number {
    return this.#at + (this.#runsFrom === null ? 0 : Math.floor(this.#real.monotonic() - this.#runsFrom));
  }

  /** Sets it to a later time, where it stands still. */
  set(at: number): void {
    if (at < this.#at) throw new Error(`the clock would go back from ${this.#at} to ${at}`);
    this.#at = at;
  }

  /** Lets it run as fast as the real one from now on. */
  run(): void {
    this.#runsFrom ??= this.#real.monotonic();
  }

  #restore(): void {
    globalThis.Date = this.#real.date;
    Date.now = this.#real.now;
    os.uptime = this.#real.uptime;
    // Its own is that of the prototype.
    Reflect.deleteProperty(performance, 'now');
    syncBuiltinESMExports();
  }
}
