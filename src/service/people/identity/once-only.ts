import { randomBytes } from 'node:crypto';

/** Five minutes, in milliseconds: as long as somebody may take to find their key. */
const LIFETIME_MS = 5 * 60_000;

/** Anybody can ask for challenges: beyond these the oldest go. */
const MAX_KEPT = 10_000;

/**
 * Secrets that are worth something once and for a short time: challenges of WebAuthn, sign-ins that wait for their second
 * step, codes that were mailed. In memory alone: after a restart one starts again.
 */
export class OnceOnly<T> {
  readonly #kept = new Map<string, { readonly value: T; readonly endsAt: number }>();
  readonly #now: () => number;
  readonly #lifetimeMs: number;

  /** @param now milliseconds since the Unix epoch */
  constructor(now: () => number, lifetimeMs: number = LIFETIME_MS) {
    this.#now = now;
    this.#lifetimeMs = lifetimeMs;
  }

  /** @returns 256 random bits in base64url that stand for the value */
  issue(value: T): string {
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= MAX_KEPT) this.#kept.delete(oldest);
    const secret = randomBytes(32).toString('base64url');
    this.#kept.set(secret, { value, endsAt: this.#now() + this.#lifetimeMs });
    return secret;
  }

  /** What a secret stands for, without using it up; null where the secret is unknown, used up or too old. */
  look(secret: string): T | null {
    const found = this.#kept.get(secret);
    return found === undefined || found.endsAt <= this.#now() ? null : found.value;
  }

  /** The same, for good: asked again, there is nothing. */
  take(secret: string): T | null {
    const value = this.look(secret);
    this.#kept.delete(secret);
    return value;
  }
}
