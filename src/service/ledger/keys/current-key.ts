import type { KeyHolder } from './key-holder.ts';

/**
 * The key that the service signs with now. Everybody holds this one object, so that a rotation reaches them all at once;
 * who signs more than one thing that must be of one key takes the holder of the moment.
 */
export class CurrentKey implements KeyHolder {
  #holder: KeyHolder;

  constructor(holder: KeyHolder) {
    this.#holder = holder;
  }

  get kid(): string {
    return this.#holder.kid;
  }

  get publicKey(): Uint8Array {
    return this.#holder.publicKey;
  }

  get createdAt(): number {
    return this.#holder.createdAt;
  }

  get isNew(): boolean {
    return this.#holder.isNew;
  }

  sign(message: Uint8Array): Uint8Array {
    return this.#holder.sign(message);
  }

  /** The key as it is now, which no rotation changes. */
  get ofThisMoment(): KeyHolder {
    return this.#holder;
  }

  /** Continues with another key. Within the writer, once the ledger names it as the active one. */
  replace(next: KeyHolder): void {
    this.#holder = next;
  }
}
