import { createHash } from 'node:crypto';
import type { BundleSource } from '../protocol/index.ts';
import { ReportError } from './report-error.ts';

/** What identifies the bytes of a bundle. */
export interface BundleDigests {
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
  /** 16 bytes: what PDF calls the checksum of an attachment. */
  readonly md5: Uint8Array;
}

/**
 * Watches a bundle being read: it is read several times, to be verified, surveyed, shown and attached, and all of that
 * must be of the same bytes.
 */
export class Witness {
  readonly #source: BundleSource;
  #first: BundleDigests | null = null;

  constructor(source: BundleSource) {
    this.#source = source;
  }

  /**
   * The bundle; a reading that stops before the end is not judged.
   * @throws ReportError BUNDLE_CHANGED at the end of a reading that differs from the first one
   */
  readonly source: BundleSource = () => this.#read();

  async *#read(): AsyncGenerator<Uint8Array> {
    const sha256 = createHash('sha256');
    const md5 = createHash('md5');
    let size = 0;
    for await (const chunk of this.#source()) {
      sha256.update(chunk);
      md5.update(chunk);
      size += chunk.length;
      yield chunk;
    }
    const digests = { size, sha256: sha256.digest('hex'), md5: md5.digest() };
    this.#first ??= digests;
    if (digests.sha256 !== this.#first.sha256) {
      throw new ReportError('BUNDLE_CHANGED', 'the bundle changed while the report was made');
    }
  }

  /** Reads the bundle to its end, where nobody has yet. */
  async digests(): Promise<BundleDigests> {
    if (this.#first === null) for await (const _ of this.#read());
    return this.#first as unknown as BundleDigests;
  }
}
