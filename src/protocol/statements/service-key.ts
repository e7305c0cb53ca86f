import { canonicalBytes } from '../canonical.ts';
import * as shape from '../shape.ts';

/** What a service key says of itself, less the type (protocol F111). created_at is milliseconds since the epoch. */
export interface ServiceKeyStatement {
  readonly kid: string;
  readonly public_key: string;
  readonly created_at: number;
  readonly prev_kid: string | null;
}

export interface ServiceKey extends ServiceKeyStatement {
  readonly algorithm: 'ed25519';
  readonly status: 'active' | 'retired';
  readonly retired_at: number | null;
  readonly self_signature: string;
  readonly prev_signature: string | null;
}

const SERVICE_KEY_SHAPE: shape.Shape<ServiceKey> = {
  kid: shape.identifier,
  algorithm: shape.constant('ed25519'),
  public_key: shape.publicKey,
  status: shape.identifier,
  created_at: shape.integer(),
  retired_at: shape.nullable(shape.integer()),
  prev_kid: shape.nullable(shape.identifier),
  self_signature: shape.signature,
  prev_signature: shape.nullable(shape.signature),
};

/** @throws ProtocolError SHAPE_INVALID */
export function parseServiceKey(value: unknown): ServiceKey {
  return shape.parseShape(value, SERVICE_KEY_SHAPE, 'service_key');
}

/** The bytes that a service key signs itself, and the key before it after a rotation (protocol F111). */
export function serviceKeySignedBytes(key: ServiceKeyStatement): Uint8Array {
  return canonicalBytes({
    type: 'countersign.service-key.v1',
    kid: key.kid,
    public_key: key.public_key,
    created_at: key.created_at,
    prev_kid: key.prev_kid,
  });
}
