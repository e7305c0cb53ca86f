import { type HostCrypto, type SignatureCheck, StrictVerifier } from '../../../protocol/index.ts';

/** Answers whether signatures verify, and remembers it: after each new entry its whole log is checked again. */
export class KnownSignatures {
  readonly #verifier: StrictVerifier;
  readonly #sha256: HostCrypto['sha256'];
  /** By the digest of what was checked: texts of signatures are longer, and whoever made a case file chose them. */
  readonly #known = new Map<string, boolean>();

  constructor(crypto: HostCrypto) {
    this.#verifier = new StrictVerifier(crypto);
    this.#sha256 = crypto.sha256;
  }

  async verify(checks: readonly (SignatureCheck | null)[]): Promise<boolean[]> {
    const names = checks.map((check) => (check === null ? '' : this.#nameOf(check)));
    const open = checks.flatMap((check, index) => {
      const name = names[index] ?? '';
      return check === null || this.#known.has(name) ? [] : [{ name, check }];
    });
    const holds = await this.#verifier.verify(open.map(({ check }) => check));
    open.forEach(({ name }, index) => void this.#known.set(name, holds[index] === true));
    return checks.map((check, index) => check !== null && this.#known.get(names[index] ?? '') === true);
  }

  #nameOf({ publicKey, signature, message }: SignatureCheck): string {
    // The first two have a fixed length: no two checks have the same bytes.
    return Buffer.from(this.#sha256(Buffer.concat([publicKey, signature, message]))).toString('latin1');
  }
}
