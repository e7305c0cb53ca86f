import { hash } from 'node:crypto';
import type { Caller } from '../../http/caller.ts';
import { mayUse, type Presented } from '../../http/page-binding.ts';
import { LookupCache } from '../../store/lookup-cache.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import type { Writer } from '../../store/writer.ts';
import { LAST_USE_STEP_MS, noteUse } from './api-tokens.ts';
import { noteSessionUse } from './sessions.ts';
import { type CallerWithEnd, findCaller } from './tokens.ts';

const MAX_NOTED = 10_000;

/** Who callers are: asked with every request, so remembered until anything about accounts or tokens changes. */
export class Callers {
  readonly #store: Store;
  readonly #writer: Writer;
  readonly #onError: (error: unknown) => void;
  readonly #known: LookupCache<CallerWithEnd>;
  /** When the use of a token was noted last, by its hash. */
  readonly #noted = new Map<string, number>();

  /** @param onError told where it cannot be noted that a token was used, which keeps nobody out */
  constructor(store: Store, writer: Writer, onError: (error: unknown) => void) {
    this.#store = store;
    this.#writer = writer;
    this.#onError = onError;
    this.#known = new LookupCache(writer);
  }

  /** As findCaller, and null where the session may not be used that way. @param now milliseconds */
  find(token: string, presented: Presented, now: number): Caller | null {
    // Under the token's hash: nothing that is kept in memory for long holds a token.
    const name = hash('sha256', token);
    let found = this.#known.get(name) ?? null;
    if (found === null) {
      found = findCaller(this.#store, token, now);
      if (found !== null) this.#known.set(name, found);
    }
    if (found === null || (found.endsAt !== null && found.endsAt <= now) || !mayUse(found.page, presented)) return null;
    this.#noteUse(name, token, found.caller.by, presented, now);
    return found.caller;
  }

  /** Not waited for; a crash before it leaves a time that is a little older. */
  #noteUse(name: string, token: string, by: Caller['by'], { from, browser }: Presented, now: number): void {
    if (now - (this.#noted.get(name) ?? Number.NEGATIVE_INFINITY) < LAST_USE_STEP_MS) return;
    if (this.#noted.size >= MAX_NOTED) this.#noted.clear();
    this.#noted.set(name, now);
    const note = (store: WritableStore): void =>
      by === 'token' ? noteUse(store, token, from, now) : noteSessionUse(store, token, { from, browser }, now);
    // Who the caller is stays as it was.
    this.#writer.aside(note).catch(this.#onError);
  }
}
