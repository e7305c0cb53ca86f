import { fromHex, type HostCrypto, nobleCrypto, type SignatureCheck, utf8 } from '../../protocol/index.ts';

const PROBE = {
  publicKey: fromHex('ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c', 32),
  message: utf8('countersign'),
} as const;
const SOUND =
  'de0220d3cc606ea23c474f2372430e3490be9a8635ffcf9c684353ac1a56daf78a3cae9bdec490dbb975c1e8181549373037ee7d3a62d6bb9adf464cc613ba04';
/** R has a component of small order: holds by the cofactored equation, and not by the one that the protocol wants. */
const COFACTORED =
  '843b249eaa8f01e9b9a69f1b441947e3c2cc2f5c077ec8501525a479ce7220f1f71393db5e206e32bb61667bf4a0e1e229be9b790ef96f11e622a096d7142201';

const MAX_REMEMBERED_KEYS = 1000;

/** Ed25519 by WebCrypto. A key is imported once and remembered. */
class WebEquations {
  readonly #keys = new Map<string, Promise<CryptoKey>>();

  #key(raw: Uint8Array): Promise<CryptoKey> {
    const name = raw.join();
    let key = this.#keys.get(name);
    if (key === undefined) {
      key = crypto.subtle.importKey('raw', owned(raw), 'Ed25519', false, ['verify']);
      if (this.#keys.size >= MAX_REMEMBERED_KEYS) this.#keys.clear();
      this.#keys.set(name, key);
    }
    return key;
  }

  async holds({ publicKey, message, signature }: SignatureCheck): Promise<boolean> {
    return crypto.subtle.verify('Ed25519', await this.#key(publicKey), owned(signature), owned(message));
  }
}

/** WebCrypto takes no view of memory that may be shared. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/**
 * The crypto that every browser and Node have, for the verifier: WebCrypto where it knows Ed25519 and checks the equation that the protocol
 * wants, which is tried out first; else noble, ten times slower.
 */
export async function webCrypto(): Promise<HostCrypto> {
  const equations = new WebEquations();
  try {
    const sound = await equations.holds({ ...PROBE, signature: fromHex(SOUND, 64) });
    const cofactored = await equations.holds({ ...PROBE, signature: fromHex(COFACTORED, 64) });
    if (!sound || cofactored) return nobleCrypto;
  } catch {
    // Not a secure context, or a browser without Ed25519.
    return nobleCrypto;
  }
  return {
    sha256: nobleCrypto.sha256,
    verifyEquations: (checks) => Promise.all(checks.map((check) => equations.holds(check))),
  };
}
