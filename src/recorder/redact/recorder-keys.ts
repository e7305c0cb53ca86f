import { createHmac, createSecretKey, type Hmac, type KeyObject } from 'node:crypto';

/** How many hex digits of a replaced secret's HMAC are shown: equal ones are told from others, and nothing can be found by trial. */
const SUFFIX_DIGITS = 4;

/**
 * What follows from the recorder's one secret key: each purpose has its own key, so that what is shown for one says nothing of
 * the others.
 */
export class RecorderKeys {
  /** The 32 bytes that all of it follows from: for a thread of this process, which makes the same keys of them. */
  readonly root: Uint8Array;
  /** By purpose. As objects: bytes would be turned into one for each digest, which takes far longer than the digest itself. */
  readonly #keys = new Map<string, KeyObject>();

  /** @param root 32 random bytes that stay on this machine */
  constructor(root: Uint8Array) {
    this.root = root;
  }

  #keyOf(purpose: string): KeyObject {
    const known = this.#keys.get(purpose);
    if (known !== undefined) return known;
    const bytes = createHmac('sha256', this.root).update(`countersign.recorder.${purpose}`).digest();
    const key = createSecretKey(bytes);
    this.#keys.set(purpose, key);
    return key;
  }

  #derive(purpose: string, text: string): Hmac {
    return createHmac('sha256', this.#keyOf(purpose)).update(text);
  }

  /** What stands at the end of a replaced secret: the same for the same secret. */
  suffix(secret: string): string {
    return this.#derive('suffix', secret).digest('hex').slice(0, SUFFIX_DIGITS);
  }

  /** Keyed digest of a value, 64 hex digits. @param canonical its canonical form */
  same(canonical: string): string {
    return this.#derive('same', canonical).digest('hex');
  }

  /**
   * The salt of all contents of one name of one action, in base64url.
   * @param content which content: `input`, `output`, ...
   */
  contentSalt(actionId: string, content: string): string {
    return this.#derive('content', `${actionId}\n${content}`).digest('base64url');
  }

  /** The salt under which the digest stands of what was left out of a text. Whoever has the text shows it together with it. @param sha256 of the text */
  leftOutSalt(sha256: string): string {
    return this.#derive('left-out', sha256).digest('base64url');
  }

  /** The salt under which the bytes of an event are digested, in base64url. Whoever kept the bytes shows it together with them. */
  rawSalt(eventId: string): string {
    return this.#derive('raw', eventId).digest('base64url');
  }
}
