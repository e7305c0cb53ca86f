import { CodedError } from '../../protocol/index.ts';

/** Why a trust store or a thing to trust was refused. A closed set: tests and callers go by it. */
export type TrustErrorCode =
  /** The file is there and cannot be read or written. */
  | 'STORE_UNREACHABLE'
  /** The file is not a trust store; nothing in it is used. */
  | 'STORE_INVALID'
  /** What should be trusted is neither a kid nor a key set of sound Ed25519 keys. */
  | 'KEY_INVALID'
  /** No such key is trusted. */
  | 'KEY_UNKNOWN';

export class TrustError extends CodedError<TrustErrorCode> {
  override readonly name = 'TrustError';
}
