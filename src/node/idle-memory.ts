import { getHeapStatistics } from 'node:v8';

/** How long nothing has to come before, in milliseconds: giving back stops the thread for some tens of milliseconds. */
const QUIET_MS = 2000;

/** What the heap has to have grown by to be worth it, in bytes. */
const WORTH_BYTES = 4 * 1024 * 1024;

/**
 * Gives back what this thread's heap holds and does not need. V8 does so only while a program runs on and asks for more: one that
 * waits keeps what its largest piece of work took. Only where the process was started with `--expose-gc`.
 */
export function giveBackMemory(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** Gives a thread's memory back whenever it has had nothing to do for a while. */
export class IdleMemory {
  #timer: NodeJS.Timeout | null = null;
  #floor = 0;

  /** Says that there was something to do. */
  busy(): void {
    if (this.#timer === null) this.#timer = setTimeout(() => this.#rest(), QUIET_MS).unref();
    else this.#timer.refresh();
  }

  #rest(): void {
    if (getHeapStatistics().total_heap_size < this.#floor + WORTH_BYTES) return;
    giveBackMemory();
    this.#floor = getHeapStatistics().total_heap_size;
  }
}
