import type { StrictVerifier } from '../crypto.ts';
import { fromBase64Url } from '../encoding.ts';
import { thumbprint } from '../public-key.ts';
import { type ServiceKey, serviceKeySignedBytes } from '../statements/service-key.ts';
import type { FindingLog } from './finding-log.ts';

/**
 * The service keys of a bundle and which of them the reader trusts. Everything here comes from the bundle, that is, from
 * whoever made it, but for `pinned`: only a path of signatures from a pinned key makes a key trusted.
 */
export class Issuer {
  readonly #pinned: ReadonlySet<string>;
  readonly #keys = new Map<string, { key: ServiceKey; publicKey: Uint8Array; sound: boolean; trusted: boolean }>();
  /** Keys that signed something in the bundle. */
  readonly #used = new Set<string>();

  constructor(pinned: readonly string[]) {
    this.#pinned = new Set(pinned);
  }

  /** Checks every key's name, point, own signature and its predecessor's; then spreads trust along rotations. */
  async load(keys: readonly ServiceKey[], verifier: StrictVerifier, log: FindingLog): Promise<void> {
    for (const key of keys) {
      const publicKey = fromBase64Url(key.public_key, 32);
      if (this.#keys.has(key.kid)) {
        log.add('SERVICE_KEY_INVALID', { where: { kid: key.kid }, message: 'The service key is listed twice.' });
        continue;
      }
      this.#keys.set(key.kid, { key, publicKey, sound: false, trusted: false });
    }
    for (const entry of this.#keys.values())
      entry.sound = await this.#isSound(entry.key, entry.publicKey, verifier, log);
    this.#spreadTrust();
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
  #spreadTrust(): void {
    for (const [kid, entry] of this.#keys) entry.trusted = entry.sound && this.#pinned.has(kid);
    for (let changed = true; changed; ) {
      changed = false;
      for (const entry of this.#keys.values()) {
        const previous = entry.key.prev_kid === null ? undefined : this.#keys.get(entry.key.prev_kid);
        if (previous === undefined || !entry.sound || !previous.sound || entry.trusted === previous.trusted) continue;
        entry.trusted = true;
        previous.trusted = true;
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
    return this.#pinned.size > 0;
  }

  /** Used keys that no pinned key vouches for, in a fixed order. */
  untrustedUsed(): string[] {
    return [...this.#used].filter((kid) => this.#keys.get(kid)?.trusted !== true).sort();
  }

  list(): { kid: string; trusted: boolean }[] {
    return [...this.#keys.values()].map(({ key, trusted }) => ({ kid: key.kid, trusted }));
  }
}
