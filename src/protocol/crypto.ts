import { type Sha256, sha256 } from './digest.ts';
import { isStrictPublicKey, isStrictSignatureEncoding, type SignatureCheck, verifyEquation } from './ed25519.ts';
import { toHex } from './encoding.ts';

/**
 * The fast crypto of the host. It is trusted for two things only: SHA-256, and the cofactorless Ed25519 equation with R
 * compared as bytes, as libsodium, OpenSSL and BoringSSL do it. Every strictness of protocol §2 beyond that is checked here.
 */
export interface HostCrypto {
  readonly sha256: Sha256;
  /** How many batches it can use at once; one where left out. Memory grows with it. */
  readonly batchesUnderWay?: number;
  /** One answer each, in order. May be asynchronous and may spread a batch over cores. */
  verifyEquations(checks: readonly SignatureCheck[]): readonly boolean[] | Promise<readonly boolean[]>;
}

/** @noble/* alone: works everywhere, some fifteen times slower than a native host. */
export const nobleCrypto: HostCrypto = {
  sha256,
  verifyEquations: (checks) => checks.map(verifyEquation),
};

const MAX_REMEMBERED_KEYS = 10_000;

/** Verifies batches under the strict rule, with a host's arithmetic, and remembers which keys passed the point checks. */
export class StrictVerifier {
  readonly #host: HostCrypto;
  readonly #keys = new Map<string, boolean>();

  constructor(host: HostCrypto) {
    this.#host = host;
  }

  /** isStrictPublicKey, remembered: the torsion check costs a scalar multiplication. */
  isStrictKey(publicKey: Uint8Array): boolean {
    const name = toHex(publicKey);
    let strict = this.#keys.get(name);
    if (strict === undefined) {
      strict = isStrictPublicKey(publicKey);
      // Whoever writes a bundle chooses how many keys it names: the memory for them must not grow without end.
      if (this.#keys.size >= MAX_REMEMBERED_KEYS) this.#keys.clear();
      this.#keys.set(name, strict);
    }
    return strict;
  }

  /** One answer each, in order; a check that fails the strict rule never reaches the host. */
  async verify(checks: readonly SignatureCheck[]): Promise<boolean[]> {
    const results = checks.map(
      ({ publicKey, signature }) => isStrictSignatureEncoding(signature) && this.isStrictKey(publicKey),
    );
    const sound = checks.filter((_, index) => results[index] === true);
    const answers = await this.#host.verifyEquations(sound);
    let next = 0;
    return results.map((strict) => strict && answers[next++] === true);
  }
}
