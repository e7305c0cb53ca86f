import { createHash } from 'node:crypto';
import type { BundleSource } from '../protocol/index.ts';

/** A bundle that is hashed as it is read: the digest is known without reading it once more. */
export class DigestedSource {
  readonly #source: BundleSource;
  #digest: string | null = null;

  constructor(source: BundleSource) {
    this.#source = source;
  }

  readonly source: BundleSource = () => this.#read();

  async *#read(): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    for await (const chunk of this.#source()) {
      hash.update(chunk);
      yield chunk;
    }
    this.#digest = `sha256:${hash.digest('hex')}`;
  }

  /** Of the last reading that came to the end; null where none did. */
  get digest(): string | null {
    return this.#digest;
  }
}
