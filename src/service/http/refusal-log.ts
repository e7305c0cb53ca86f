import type { Logger } from 'pino';

/** A stretch of time, in milliseconds, and how many lines it may have of one kind. */
const WINDOW_MS = 10_000;
const MAX_LINES = 50;

/** Kinds that are told apart: codes of errors, and what is no HTTP. */
const MAX_KINDS = 64;

/**
 * Lines about requests that were refused, of which anybody can make as many as they like: of each kind the first of a stretch of
 * time are written, the others only counted, and their number is written at its end.
 */
export class RefusalLog {
  readonly #log: Logger;
  readonly #written = new Map<string, number>();
  #window: NodeJS.Timeout | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  write(code: string, entry: object, message: string, level: 'info' | 'warn' | 'error' = 'warn'): void {
    const count = (this.#written.get(code) ?? 0) + 1;
    if (count === 1 && this.#written.size >= MAX_KINDS) return;
    this.#written.set(code, count);
    this.#window ??= setTimeout(() => this.flush(), WINDOW_MS).unref();
    if (count <= MAX_LINES) this.#log[level]({ ...entry, code }, message);
  }

  /** Ends the stretch of time: writes how many were not written. */
  flush(): void {
    if (this.#window !== null) clearTimeout(this.#window);
    this.#window = null;
    for (const [code, count] of this.#written) {
      if (count > MAX_LINES) this.#log.warn({ code, not_written: count - MAX_LINES }, 'further refusals');
    }
    this.#written.clear();
  }
}
