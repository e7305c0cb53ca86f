import type { Writer } from './writer.ts';

const MAX_REMEMBERED = 10_000;

/**
 * Remembers what was looked up, until the writer may have changed it: nothing stale is ever answered, for every change goes
 * through the writer.
 */
export class LookupCache<T> {
  readonly #writer: Writer;
  readonly #values = new Map<string, T>();
  #generation = -1;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  get(name: string): T | undefined {
    if (this.#generation !== this.#writer.generation) {
      this.#generation = this.#writer.generation;
      this.#values.clear();
    }
    return this.#values.get(name);
  }

  clear(): void {
    this.#values.clear();
  }

  /** To be called right after a get that found nothing, with no wait in between. */
  set(name: string, value: T): void {
    if (this.#values.size >= MAX_REMEMBERED) this.#values.clear();
    this.#values.set(name, value);
  }
}
