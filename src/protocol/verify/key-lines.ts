import type { ServiceKey } from '../statements/service-key.ts';
import { instantText } from '../time.ts';
import type { FindingLog } from './finding-log.ts';

/** Where a key stands: how many keys are known before it in its line, and the first of them. */
interface Place {
  readonly line: string;
  readonly depth: number;
}

/**
 * The lines that rotations put service keys into (protocol V21): each key hands over to at most one other. Whether signatures
 * prove that is the issuer's matter; this looks at who names whom, and at the times.
 */
export class KeyLines {
  readonly #keys: ReadonlyMap<string, ServiceKey>;
  /** The key that names this one as the key before it. */
  readonly #next = new Map<string, ServiceKey>();
  readonly #places = new Map<string, Place>();

  /** @param keys by kid, in the order of the bundle */
  constructor(keys: ReadonlyMap<string, ServiceKey>, log: FindingLog) {
    this.#keys = keys;
    for (const key of keys.values()) {
      if (key.prev_kid === null) continue;
      const other = this.#next.get(key.prev_kid);
      if (other === undefined) this.#next.set(key.prev_kid, key);
      else {
        log.add('SERVICE_KEY_INVALID', {
          where: { kid: key.kid },
          expected: other.kid,
          actual: key.kid,
          message: 'Another service key already follows the one that this key names as the key before it.',
        });
      }
    }
    for (const key of keys.values()) if (this.#isBeginning(key)) this.#walk(key);
    for (const key of keys.values()) this.#check(key, log);
  }

  #isBeginning({ prev_kid }: ServiceKey): boolean {
    return prev_kid === null || !this.#keys.has(prev_kid);
  }

  #walk(first: ServiceKey): void {
    let depth = 0;
    for (let key: ServiceKey | undefined = first; key !== undefined; key = this.#next.get(key.kid)) {
      this.#places.set(key.kid, { line: first.kid, depth: depth++ });
    }
  }

  /** Two of them in a circle, and state and times that are not those of a line. */
  #check(key: ServiceKey, log: FindingLog): void {
    const where = { kid: key.kid };
    const next = this.#next.get(key.kid);
    const isForked = key.prev_kid !== null && this.#next.get(key.prev_kid) !== key && this.#keys.has(key.prev_kid);
    if (!this.#places.has(key.kid) && !isForked) {
      log.add('SERVICE_KEY_INVALID', {
        where,
        message: 'The key before this one, and so on, never come to a first one.',
      });
    }
    if (next !== undefined && next.created_at < key.created_at) {
      log.add('SERVICE_KEY_INVALID', {
        where: { kid: next.kid },
        expected: `made at the earliest ${instantText(key.created_at)}`,
        actual: instantText(next.created_at),
        message: 'The service key is older than the key before it.',
      });
    }
    const [status, retiredAt] =
      next === undefined ? (['active', null] as const) : (['retired', next.created_at] as const);
    if (key.status !== status || key.retired_at !== retiredAt) {
      log.add('SERVICE_KEY_INVALID', {
        where,
        expected: `${status}${retiredAt === null ? '' : ` at ${retiredAt}`}`,
        actual: `${key.status}${key.retired_at === null ? '' : ` at ${key.retired_at}`}`,
        message: 'A service key is retired when the next one is made, and not otherwise.',
      });
    }
  }

  /** Whether the second key is the first, or stands behind it in its line. */
  goesForward(earlier: string, later: string): boolean {
    if (earlier === later) return true;
    const [a, b] = [this.#places.get(earlier), this.#places.get(later)];
    return a !== undefined && b !== undefined && a.line === b.line && a.depth < b.depth;
  }
}
