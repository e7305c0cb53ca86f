import { type Sha256, sha256 } from './digest.ts';
import { isStrictPublicKey, isStrictSignatureEncoding, type SignatureCheck, verifyEquation } from './ed25519.ts';

/**
 * The fast crypto of the host. It is trusted for two things only: SHA-256, and the cofactorless Ed25519 equation with R
 * compared as bytes, as libsodium, OpenSSL and BoringSSL do it. Every strictness of protocol F20 beyond that is checked here.
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

/** Verifies batches under the strict rule, with a host's arithmetic. */
export class StrictVerifier {
  readonly #host: HostCrypto;

  constructor(host: HostCrypto) {
    this.#host = host;
  }

  /** One answer each, in order; a check that fails the strict rule never reaches the host. */
  async verify(checks: readonly SignatureCheck[]): Promise<boolean[]> {
    const results = checks.map(
      ({ publicKey, signature }) => isStrictSignatureEncoding(signature) && isStrictPublicKey(publicKey),
    );
    const sound = checks.filter((_, index) => results[index] === true);
    const answers = await this.#host.verifyEquations(sound);
    let next = 0;
    return results.map((strict) => strict && answers[next++] === true);
  }

  /** Whether a single signature holds. */
  async holds(check: SignatureCheck): Promise<boolean> {
    return (await this.verify([check]))[0] === true;
  }
}
