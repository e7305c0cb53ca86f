import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { nodeCrypto } from '../node/light.ts';
import { fromBase64Url, ProtocolError, StrictVerifier, serviceChallengeSignedBytes } from '../protocol/light.ts';
import { AgentError } from './agent-error.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { ServiceClient } from './service-client.ts';

/** How long a service that answers is taken for the one that showed its key, in milliseconds. */
const PROVEN_MS = 5000;

/**
 * Where a service can show that it is the one: over plain HTTP at an IP address. Whoever listens under a name may pass the
 * question on to the service; with TLS the certificate says who it is.
 */
export function canProve(serviceUrl: string): boolean {
  const { protocol, hostname } = new URL(serviceUrl);
  return protocol === 'http:' && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

/**
 * Has the service show the pinned key before a token goes to it. While the service is stopped, any program of the machine can
 * listen at its port, and would be sent the token. The question names the address, so that the answer of the service
 * elsewhere does not fit.
 */
export class ServiceIdentity {
  readonly #client: ServiceClient;
  readonly #issuer: IssuerKeys;
  readonly #address: string;
  readonly #kid: string;
  readonly #verifier = new StrictVerifier(nodeCrypto);
  #provenAt = Number.NEGATIVE_INFINITY;

  /** @param client without a token, which does not try again */
  constructor(client: ServiceClient, issuer: IssuerKeys, { serviceUrl, kid }: { serviceUrl: string; kid: string }) {
    this.#client = client;
    this.#issuer = issuer;
    this.#address = new URL(serviceUrl).origin;
    this.#kid = kid;
  }

  /** The service answered: it is still the one that showed its key. */
  answered(): void {
    if (this.#isProven()) this.#provenAt = performance.now();
  }

  /** The service did not answer: who does next may be another one. */
  failed(): void {
    this.#provenAt = Number.NEGATIVE_INFINITY;
  }

  #isProven(): boolean {
    return performance.now() - this.#provenAt < PROVEN_MS;
  }

  /** @throws AgentError SERVICE_UNKNOWN where it is not the service with the pinned key, SERVICE_UNAVAILABLE */
  async prove(): Promise<void> {
    if (this.#isProven()) return;
    const challenge = { address: this.#address, nonce: randomBytes(32).toString('base64url'), service_kid: this.#kid };
    const { address, nonce } = challenge;
    try {
      const body = await this.#client.post('/v1/service/challenge', { address, nonce });
      const text = typeof body === 'object' && body !== null && 'signature' in body ? body.signature : undefined;
      const signature = fromBase64Url(typeof text === 'string' ? text : '', 64);
      const publicKey = await this.#issuer.keyFor(this.#kid);
      const message = serviceChallengeSignedBytes(challenge);
      const [valid] = await this.#verifier.verify([{ publicKey, message, signature }]);
      if (!valid) throw this.#unknown('its signature does not verify');
    } catch (error) {
      if (error instanceof ProtocolError) throw this.#unknown('it does not answer as the service does');
      if (!(error instanceof AgentError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
      throw error.code === 'SERVICE_UNKNOWN' ? error : this.#unknown(error.message);
    }
    this.#provenAt = performance.now();
  }

  #unknown(why: string): AgentError {
    const what = `what answers at ${this.#address} has not shown the service key ${this.#kid}`;
    return new AgentError('SERVICE_UNKNOWN', `${what}, the token was not sent: ${why}`);
  }
}
