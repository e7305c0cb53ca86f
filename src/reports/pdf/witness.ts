import { createHash } from 'node:crypto';
import { type BundleSource, type RunningHash, sameBytes } from '../../protocol/index.ts';
import { ReportError } from './report-error.ts';

/** What identifies the bytes of a bundle. */
export interface BundleDigests {
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
  /** 16 bytes: what PDF calls the checksum of an attachment. */
  readonly md5: Uint8Array;
}

/** All digests of one reading at once. */
class Digesting implements RunningHash {
  readonly #sha256 = createHash('sha256');
  readonly #md5 = createHash('md5');
  readonly #done: (digests: BundleDigests) => void;
  #size = 0;

  constructor(done: (digests: BundleDigests) => void) {
    this.#done = done;
  }

  update(bytes: Uint8Array): void {
    this.#sha256.update(bytes);
    this.#md5.update(bytes);
    this.#size += bytes.length;
  }

  digest(): Uint8Array {
    const sha256 = this.#sha256.digest();
    this.#done({ size: this.#size, sha256: sha256.toString('hex'), md5: this.#md5.digest() });
    return sha256;
  }
}

/** Watches a bundle being read: it is verified, surveyed, shown and attached. */
export class Witness {
  #first: BundleDigests | null = null;

  /**
   * The bundle; a reading that stops before the end is not judged.
   * @throws ReportError BUNDLE_CHANGED at the end of a reading that differs from the first one
   */
  readonly source: BundleSource;

  constructor(source: BundleSource) {
    const changed = (): Error => new ReportError('BUNDLE_CHANGED', 'the bundle changed while the report was made');
    const note = (digests: BundleDigests): void => {
      this.#first ??= digests;
    };
    this.source = sameBytes(source, changed, () => new Digesting(note));
  }

  /** Reads the bundle to its end, where nobody has yet. */
  async digests(): Promise<BundleDigests> {
    if (this.#first === null) for await (const _ of this.source());
    return this.#first as unknown as BundleDigests;
  }
}
