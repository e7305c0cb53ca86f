import {
  fromBase64Url,
  type HostCrypto,
  ProtocolError,
  type Receipt,
  receiptSignedBytes,
  type SignatureCheck,
  StrictVerifier,
  thumbprint,
} from '../protocol/light.ts';
import { AgentError } from './agent-error.ts';
import type { ServiceClient } from './service-client.ts';

/**
 * Checks receipts against the service's published keys. Without a pinned kid the first key set is taken on trust, as ssh
 * does with an unknown host; with one, only that key counts.
 */
export class IssuerKeys {
  readonly #client: ServiceClient;
  readonly #pinned: string | undefined;
  readonly #verifier: StrictVerifier;
  readonly #keys = new Map<string, Uint8Array>();

  constructor(client: ServiceClient, pinned: string | undefined, crypto: HostCrypto) {
    this.#client = client;
    this.#pinned = pinned;
    this.#verifier = new StrictVerifier(crypto);
  }

  /** @throws AgentError RECEIPT_INVALID where the service has no such key, or it is not the pinned one */
  async keyFor(kid: string): Promise<Uint8Array> {
    if (this.#pinned !== undefined && kid !== this.#pinned) {
      throw new AgentError('RECEIPT_INVALID', `the receipt is signed by the service key ${kid}, not by the pinned one`);
    }
    const known = this.#keys.get(kid);
    if (known !== undefined) return known;
    const body = await this.#client.get('/.well-known/countersign/jwks.json');
    const listed =
      typeof body === 'object' && body !== null && 'keys' in body && Array.isArray(body.keys) ? body.keys : [];
    for (const jwk of listed as { x?: unknown }[]) {
      if (typeof jwk.x !== 'string') continue;
      try {
        const publicKey = fromBase64Url(jwk.x, 32);
        // The name is computed, not taken: a key set could give one key the name of another.
        this.#keys.set(thumbprint(publicKey), publicKey);
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
      }
    }
    const key = this.#keys.get(kid);
    if (key === undefined) throw new AgentError('RECEIPT_INVALID', `the service publishes no key with the kid ${kid}`);
    return key;
  }

  /** @throws AgentError RECEIPT_INVALID where one of them is not signed with the service's key */
  async check(receipts: readonly Receipt[]): Promise<void> {
    const checks: SignatureCheck[] = [];
    for (const receipt of receipts) {
      const publicKey = await this.keyFor(receipt.service_kid);
      const signature = fromBase64Url(receipt.service_signature, 64);
      checks.push({ publicKey, message: receiptSignedBytes(receipt), signature });
    }
    const answers = await this.#verifier.verify(checks);
    if (answers.length === receipts.length && answers.every((isValid) => isValid)) return;
    throw new AgentError('RECEIPT_INVALID', "the service's signature on the receipt does not verify");
  }
}
