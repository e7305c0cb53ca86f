import type { Epoch } from '../protocol/index.ts';

/** A page of a list, newest first unless said otherwise (docs/interface.md, Pagination). */
export interface ListAnswer<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
}

/** An epoch as the list shows it. */
export type EpochRow = Omit<Epoch, 'org_id' | 'signature_by_service'>;

export interface JwksKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly alg: 'EdDSA';
  readonly use: 'sig';
  readonly x: string;
  readonly kid: string;
}

/** The service's public keys (RFC 7517), the active one first. */
export interface Jwks {
  readonly keys: readonly JwksKey[];
}

export interface HealthAnswer {
  readonly status: 'ok';
  readonly version: string;
}
