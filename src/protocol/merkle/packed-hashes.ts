const HASH_BYTES = 32;

/** A list of SHA-256 hashes that takes 32 bytes for each, and at most as much again in reserve. */
export class PackedHashes {
  #bytes = new Uint8Array(HASH_BYTES);
  #count = 0;

  get length(): number {
    return this.#count;
  }

  /** @param hash 32 bytes, which are copied; of a damaged file's it may be more or fewer, and proves nothing then */
  push(hash: Uint8Array): void {
    const end = (this.#count + 1) * HASH_BYTES;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(hash.subarray(0, HASH_BYTES), end - HASH_BYTES);
    this.#count++;
  }

  /** A view of one hash, which is not to be changed. @throws RangeError where there is no such one */
  at(index: number): Uint8Array {
    if (index < 0 || index >= this.#count) throw new RangeError(`there is no hash ${index} of ${this.#count}`);
    return this.#bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
  }
}
