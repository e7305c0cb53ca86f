import type { StrictVerifier } from '../crypto.ts';
import { fromBase64Url } from '../encoding.ts';
import { thumbprint } from '../public-key.ts';
import { type ServiceKey, serviceKeySignedBytes } from '../statements/service-key.ts';
import { namesKey, parseTrustEntry, speaksFor, type TrustEntry } from '../trust-entry.ts';
import type { FindingLog } from './finding-log.ts';

interface KeyEntry {
  readonly key: ServiceKey;
  readonly publicKey: Uint8Array;
  sound: boolean;
  /** The reader trusts it for the organization at hand, or another key that is so trusted vouches for it. */
  trusted: boolean;
  /** The same for whatever organization: a key that is known and not trusted signs for others as well. */
  known: boolean;
}

/**
 * The service keys of a bundle and which of them the reader trusts. Everything here comes from the bundle, that is, from
 * whoever made it, but for `pinned`: only a path of signatures from a pinned key makes a key trusted.
 */
export class Issuer {
  readonly #pinned: readonly TrustEntry[];
  readonly #keys = new Map<string, KeyEntry>();
  /** Keys that signed something in the bundle. */
  readonly #used = new Set<string>();

  /** @param pinned trust entries (trust-entry.ts) */
  constructor(pinned: readonly string[]) {
    this.#pinned = pinned.map(parseTrustEntry);
  }

  /**
   * Checks every key's name, point, own signature and its predecessor's; then spreads trust along rotations.
   * @param orgId whose bundle it claims to be: trust that was given for another organization does not count
   */
  async load(keys: readonly ServiceKey[], orgId: string, verifier: StrictVerifier, log: FindingLog): Promise<void> {
    for (const key of keys) {
      const publicKey = fromBase64Url(key.public_key, 32);
      if (this.#keys.has(key.kid)) {
        log.add('SERVICE_KEY_INVALID', { where: { kid: key.kid }, message: 'The service key is listed twice.' });
        continue;
      }
      this.#keys.set(key.kid, { key, publicKey, sound: false, trusted: false, known: false });
    }
    for (const entry of this.#keys.values())
      entry.sound = await this.#isSound(entry.key, entry.publicKey, verifier, log);
    this.#spread('known', this.#pinned);
    this.#spread(
      'trusted',
      this.#pinned.filter((entry) => speaksFor(entry, orgId)),
    );
  }

  async #isSound(key: ServiceKey, publicKey: Uint8Array, verifier: StrictVerifier, log: FindingLog): Promise<boolean> {
    const where = { kid: key.kid };
    const invalid = (message: string, details: { expected?: string; actual?: string } = {}): false => {
      log.add('SERVICE_KEY_INVALID', { where, message, ...details });
      return false;
    };
    if (!verifier.isStrictKey(publicKey)) {
      log.add('KEY_WEAK', { where, check: 'issuer', message: 'The service key is not a point of prime order.' });
      return false;
    }
    const name = thumbprint(publicKey);
    if (name !== key.kid) {
      return invalid('The kid of the service key is not the thumbprint of its public key.', {
        expected: name,
        actual: key.kid,
      });
    }
    const message = serviceKeySignedBytes(key);
    const self = { publicKey, message, signature: fromBase64Url(key.self_signature, 64) };
    if (!(await verifier.verify([self]))[0]) return invalid("The service key's own signature does not verify.");
    if ((key.prev_kid === null) !== (key.prev_signature === null)) {
      return invalid('A service key names the key before it exactly where that key signed it.');
    }
    const previous = key.prev_kid === null ? undefined : this.#keys.get(key.prev_kid);
    if (previous !== undefined && key.prev_signature !== null) {
      const handover = { publicKey: previous.publicKey, message, signature: fromBase64Url(key.prev_signature, 64) };
      if (!(await verifier.verify([handover]))[0]) {
        return invalid('The signature of the service key before it does not verify.');
      }
    }
    return true;
  }

  /**
   * A pinned key vouches for the key it signed at a rotation and, because its own signed statement names it, for the key
   * before itself.
   */
  #spread(state: 'trusted' | 'known', pinned: readonly TrustEntry[]): void {
    for (const [kid, entry] of this.#keys) {
      entry[state] = entry.sound && pinned.some((named) => namesKey(named, kid));
    }
    for (let changed = true; changed; ) {
      changed = false;
      for (const entry of this.#keys.values()) {
        const previous = entry.key.prev_kid === null ? undefined : this.#keys.get(entry.key.prev_kid);
        if (previous === undefined || !entry.sound || !previous.sound || entry[state] === previous[state]) continue;
        entry[state] = true;
        previous[state] = true;
        changed = true;
      }
    }
  }

  /** The sound keys that signed rotations link with one of them, itself included: one issuer's, whoever trusts it. */
  linkedWith(kid: string): string[] {
    const linked = new Set(this.#keys.get(kid)?.sound === true ? [kid] : []);
    for (let size = -1; size !== linked.size; ) {
      size = linked.size;
      for (const { key, sound } of this.#keys.values()) {
        const previous = key.prev_kid === null ? undefined : this.#keys.get(key.prev_kid);
        if (!sound || previous?.sound !== true) continue;
        if (linked.has(key.kid)) linked.add(previous.key.kid);
        else if (linked.has(previous.key.kid)) linked.add(key.kid);
      }
    }
    return [...this.#keys.keys()].filter((name) => linked.has(name));
  }

  /** The 32 bytes of a sound service key, which from now on counts as used; null where the bundle has no such key. */
  keyFor(kid: string): Uint8Array | null {
    const entry = this.#keys.get(kid);
    if (entry?.sound !== true) return null;
    this.#used.add(kid);
    return entry.publicKey;
  }

  get anyPinned(): boolean {
    return this.#pinned.length > 0;
  }

  /** Whether the reader trusts a key for some organization, this one or another. */
  knows(kid: string): boolean {
    return this.#keys.get(kid)?.known === true;
  }

  /** Used keys that no pinned key vouches for, in a fixed order. */
  untrustedUsed(): string[] {
    return [...this.#used].filter((kid) => this.#keys.get(kid)?.trusted !== true).sort();
  }

  list(): { kid: string; trusted: boolean }[] {
    return [...this.#keys.values()].map(({ key, trusted }) => ({ kid: key.kid, trusted }));
  }
}
