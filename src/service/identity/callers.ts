import { hash } from 'node:crypto';
import type { Store } from '../store/open.ts';
import { Remembered } from '../store/remembered.ts';
import type { Writer } from '../store/writer.ts';
import { type Caller, type CallerWithEnd, findCaller } from './tokens.ts';

/** Who callers are: asked with every request, so remembered until anything about accounts or tokens changes. */
export class Callers {
  readonly #store: Store;
  readonly #known: Remembered<CallerWithEnd>;

  constructor(store: Store, writer: Writer) {
    this.#store = store;
    this.#known = new Remembered(writer);
  }

  /** As findCaller. @param now milliseconds */
  find(token: string, now: number): Caller | null {
    // Under the token's hash: nothing that is kept in memory for long holds a token.
    const name = hash('sha256', token);
    let found = this.#known.get(name) ?? null;
    if (found === null) {
      found = findCaller(this.#store, token, now);
      if (found !== null) this.#known.set(name, found);
    }
    return found !== null && (found.endsAt === null || found.endsAt > now) ? found.caller : null;
  }
}
