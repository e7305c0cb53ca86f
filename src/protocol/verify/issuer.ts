import type { StrictVerifier } from '../crypto.ts';
import { isStrictPublicKey } from '../ed25519.ts';
import { fromBase64Url } from '../encoding.ts';
import { thumbprint } from '../fingerprint.ts';
import { publicKey as isKeyShape } from '../shape.ts';
import { type ServiceKey, serviceKeySignedBytes } from '../statements/service-key.ts';
import { instantText } from '../time.ts';
import { namesKey, parseTrustEntry, publicKeyIn, speaksFor, type TrustEntry } from '../trust-entry.ts';
import { FindingLog } from './finding-log.ts';
import { KeyLines } from './key-lines.ts';
import type { LedgerOrder } from './ledger-order.ts';
import type { FindingPlace } from './report.ts';

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
  /** Kids that rotations link, by kid. */
  readonly #linked = new Map<string, string[]>();
  #lines = new KeyLines(new Map(), new FindingLog());
  #log = new FindingLog();
  #orgId = '';

  readonly #order: LedgerOrder;

  /** @param pinned trust entries (trust-entry.ts) */
  constructor(pinned: readonly string[], order: LedgerOrder) {
    this.#order = order;
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
    this.#lines = new KeyLines(new Map([...this.#keys].map(([kid, { key }]) => [kid, key])), log);
    this.#log = log;
    this.#orgId = orgId;
    this.#linkKeys();
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
    if (!isStrictPublicKey(publicKey)) {
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
    if (!(await verifier.holds(self))) return invalid("The service key's own signature does not verify.");
    if ((key.prev_kid === null) !== (key.prev_signature === null)) {
      return invalid('A service key names the key before it exactly where that key signed it.');
    }
    const previous = key.prev_kid === null ? undefined : this.#keys.get(key.prev_kid);
    if (previous !== undefined && key.prev_signature !== null) {
      const handover = { publicKey: previous.publicKey, message, signature: fromBase64Url(key.prev_signature, 64) };
      if (!(await verifier.holds(handover))) {
        return invalid('The signature of the service key before it does not verify.');
      }
    }
    return true;
  }

  /** Sound keys and those that signed rotations link them with, both ways. */
  #linkKeys(): void {
    const link = (from: string, to: string): void => {
      const linked = this.#linked.get(from);
      if (linked === undefined) this.#linked.set(from, [to]);
      else linked.push(to);
    };
    for (const { key, sound } of this.#keys.values()) {
      const previous = key.prev_kid === null ? undefined : this.#keys.get(key.prev_kid);
      if (!sound || previous?.sound !== true) continue;
      link(key.kid, previous.key.kid);
      link(previous.key.kid, key.kid);
    }
  }

  /** All sound keys that links lead to from some of them, these included. */
  #reach(kids: readonly string[]): Set<string> {
    const reached = new Set(kids.filter((kid) => this.#keys.get(kid)?.sound === true));
    // A set yields what is added while it is iterated.
    for (const kid of reached) for (const next of this.#linked.get(kid) ?? []) reached.add(next);
    return reached;
  }

  /**
   * A pinned key vouches for the key it signed at a rotation and, because its own signed statement names it, for the key
   * before itself.
   */
  #spread(state: 'trusted' | 'known', pinned: readonly TrustEntry[]): void {
    const named = [...this.#keys.keys()].filter((kid) => pinned.some((entry) => namesKey(entry, kid)));
    const reached = this.#reach(named);
    for (const [kid, entry] of this.#keys) entry[state] = reached.has(kid);
  }

  /** The sound keys that signed rotations link with one of them, itself included: one issuer's, whoever trusts it. */
  linkedWith(kid: string): string[] {
    const linked = this.#reach([kid]);
    return [...this.#keys.keys()].filter((name) => linked.has(name));
  }

  /**
   * Whether a key signed in its time: not before it was made, and not after the next one was (protocol V24).
   * @param at what it signed says when it was signed, as an order time
   * @param options.isManifest whether that is the manifest of the bundle that the keys are from
   */
  checkTime(kid: string, at: number, where: FindingPlace, { isManifest = false } = {}): void {
    const entry = this.#keys.get(kid);
    if (entry?.sound !== true) return;
    const { created_at, retired_at } = entry.key;
    // A manifest is made after everything in its bundle: after the rotation too that it lists.
    // Where in the log it was replaced need not be shown: what corrections took back counts for it and not against it.
    const until = retired_at === null ? Number.POSITIVE_INFINITY : retired_at + this.#order.total;
    const isInTime = isManifest ? at < until : at <= until;
    if (at >= created_at && isInTime) return;
    const early = at < created_at;
    this.#log.add('SERVICE_KEY_MISUSED', {
      where: { ...where, kid },
      expected: `${early ? 'at the earliest' : isManifest ? 'before' : 'at the latest'} ${instantText(early || retired_at === null ? created_at : retired_at)}`,
      actual: instantText(at),
      message: early
        ? 'The service key signed this before it was made.'
        : 'The service key signed this after the next one had taken over.',
    });
  }

  /** Whether what was signed later was signed by the same key, or by one behind it in its line (protocol V25). */
  checkOrder(earlier: string | null, later: string, where: FindingPlace): void {
    if (earlier === null || earlier === later || this.#lines.goesForward(earlier, later)) return;
    if (this.#keys.get(earlier)?.sound !== true || this.#keys.get(later)?.sound !== true) return;
    this.#log.add('SERVICE_KEY_MISUSED', {
      where: { ...where, kid: later },
      expected: `${earlier} or a later key`,
      actual: later,
      message: 'The service key signed this although a later one had signed before.',
    });
  }

  /** The 32 bytes of a sound service key, which from now on counts as used; null where the bundle has no such key. */
  keyFor(kid: string): Uint8Array | null {
    const publicKey = this.soundKey(kid);
    if (publicKey !== null) this.#used.add(kid);
    return publicKey;
  }

  /** The same for what is not in the bundle: it makes no key used. */
  soundKey(kid: string): Uint8Array | null {
    const entry = this.#keys.get(kid);
    return entry?.sound === true ? entry.publicKey : null;
  }

  /** A key that the reader trusts for the organization and named by itself, and that the bundle does not have; null for any other. */
  absentKey(kid: string): Uint8Array | null {
    if (this.soundKey(kid) !== null) return null;
    for (const entry of this.#pinned) {
      const key = speaksFor(entry, this.#orgId) ? publicKeyIn(entry, kid) : null;
      if (key !== null && isStrictPublicKey(key)) return key;
    }
    return null;
  }

  /** All such keys. */
  absentKeys(): { readonly kid: string; readonly publicKey: Uint8Array }[] {
    const kids = this.#pinned.flatMap(({ key }) =>
      isKeyShape(key) === null ? [thumbprint(fromBase64Url(key, 32))] : [],
    );
    return [...new Set(kids)].flatMap((kid) => {
      const publicKey = this.absentKey(kid);
      return publicKey === null ? [] : [{ kid, publicKey }];
    });
  }

  /** The sound keys in the order of the bundle, for what is not in it. */
  soundKeys(): { readonly kid: string; readonly publicKey: Uint8Array }[] {
    return [...this.#keys].flatMap(([kid, { publicKey, sound }]) => (sound ? [{ kid, publicKey }] : []));
  }

  /** Each key of the bundle, whether sound or not, with its times. */
  publicKeys(): ServiceKey[] {
    return [...this.#keys.values()].map(({ key }) => key);
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
