import { createHash } from 'node:crypto';
import { Serial } from '../../node/light.ts';
import { canonicalBytes } from '../../protocol/light.ts';
import type { ToldKind } from '../actions/action-types.ts';
import { plainJson } from '../actions/plain-json.ts';
import type { Session } from '../actions/session.ts';

interface Thing {
  readonly kind: ToldKind;
  readonly value: unknown;
}

/** Of how many different things it is known that they were told. */
const MAX_KNOWN = 10_000;

/** Records what a model is told, where it is told everything from the beginning each time: what is new alone. */
export class ToldOnce {
  readonly #session: Session;
  readonly #order = new Serial();
  /** How often each thing was in what was told at once, by its digest. */
  readonly #known = new Map<string, number>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** @param things all that the model is told now, from the beginning */
  told(things: readonly Thing[]): Promise<void> {
    return this.#order.run(() => this.#told(things));
  }

  async #told(things: readonly Thing[]): Promise<void> {
    const now = new Map<string, number>();
    const fresh = things.filter(({ kind, value }) => {
      const key = createHash('sha256')
        .update(canonicalBytes([kind, plainJson(value)]))
        .digest('base64url');
      const count = (now.get(key) ?? 0) + 1;
      now.set(key, count);
      return count > (this.#known.get(key) ?? 0);
    });
    if (fresh.length === 0) return;
    await this.#session.told(...fresh);
    for (const [key, count] of now) this.#known.set(key, Math.max(count, this.#known.get(key) ?? 0));
    for (const [key] of this.#known) {
      if (this.#known.size <= MAX_KNOWN) break;
      this.#known.delete(key);
    }
  }
}
