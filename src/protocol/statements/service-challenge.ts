import { flatCanonicalBytes } from '../canonical.ts';

/** What the service signs to show that it has its key, to somebody who reaches it at an address (protocol F113). */
export interface ServiceChallenge {
  /** Scheme, IP address and port at which the service was reached, or its public origin. */
  readonly address: string;
  /** 256 random bits of whoever asks, in base64url. */
  readonly nonce: string;
  readonly service_kid: string;
}

/** The bytes the service signs: JCS(statement), type included. */
export function serviceChallengeSignedBytes({ address, nonce, service_kid }: ServiceChallenge): Uint8Array {
  return flatCanonicalBytes({ address, nonce, service_kid, type: 'countersign.service-challenge.v1' });
}
