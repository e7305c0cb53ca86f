import { randomBytes } from 'node:crypto';

/** Five minutes, in milliseconds: as long as somebody may take to find their key. */
const LIFETIME_MS = 5 * 60_000;

/** Anybody can ask for challenges: beyond these the oldest go. */
const MAX_KEPT = 10_000;

/** What one owner can have of them: nobody has more sign-ins under way, and however many one asks for, others keep theirs. */
const MAX_OF_ONE = 8;

/**
 * Secrets that are worth something once and for a short time: challenges of WebAuthn, sign-ins that wait for their second
 * step, codes that were mailed. In memory alone: after a restart one starts again.
 */
export class OnceOnly<T> {
  readonly #kept = new Map<string, { readonly value: T; readonly endsAt: number }>();
  /** Of each owner the secrets that are kept, the oldest first. */
  readonly #ofOwner = new Map<string, Set<string>>();
  readonly #ownerOf = new Map<string, string>();
  readonly #now: () => number;
  readonly #lifetimeMs: number;

  /** @param now milliseconds since the Unix epoch */
  constructor(now: () => number, lifetimeMs: number = LIFETIME_MS) {
    this.#now = now;
    this.#lifetimeMs = lifetimeMs;
  }

  /**
   * @param owner whose secret it is, such as a user; null where nobody knows who asks
   * @returns 256 random bits in base64url that stand for the value
   */
  issue(value: T, owner: string | null): string {
    const own = owner === null ? undefined : this.#ofOwner.get(owner);
    const [oldest] = own !== undefined && own.size >= MAX_OF_ONE ? own : this.#kept.keys();
    const isFull = this.#kept.size >= MAX_KEPT || (own?.size ?? 0) >= MAX_OF_ONE;
    if (oldest !== undefined && isFull) this.#drop(oldest);
    const secret = randomBytes(32).toString('base64url');
    this.#kept.set(secret, { value, endsAt: this.#now() + this.#lifetimeMs });
    if (owner !== null) {
      this.#ownerOf.set(secret, owner);
      this.#ofOwner.set(owner, (this.#ofOwner.get(owner) ?? new Set()).add(secret));
    }
    return secret;
  }

  #drop(secret: string): void {
    this.#kept.delete(secret);
    const owner = this.#ownerOf.get(secret);
    if (owner === undefined) return;
    this.#ownerOf.delete(secret);
    const own = this.#ofOwner.get(owner);
    own?.delete(secret);
    if (own?.size === 0) this.#ofOwner.delete(owner);
  }

  /** What a secret stands for, without using it up; null where the secret is unknown, used up or too old. */
  look(secret: string): T | null {
    const found = this.#kept.get(secret);
    return found === undefined || found.endsAt <= this.#now() ? null : found.value;
  }

  /** The same, for good: asked again, there is nothing. */
  take(secret: string): T | null {
    const value = this.look(secret);
    this.#drop(secret);
    return value;
  }
}
