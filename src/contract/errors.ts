/** Every error code there is, with its HTTP status (docs/interface.md, Errors). */
export const ERROR_STATUS = {
  INVALID_SIGNATURE: 400,
  UNKNOWN_AGENT: 404,
  KEY_REVOKED: 403,
  AGENT_FROZEN: 403,
  TTL_EXPIRED: 400,
  REPLAY_DETECTED: 409,
  PREV_HASH_MISMATCH: 409,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  VALIDATION_ERROR: 400,
  CONFLICT: 409,
  NOT_CONFIGURED: 501,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

/** The body of every answer that is an error. */
export interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly request_id: string;
    /** With PREV_HASH_MISMATCH: what the service expects, so that a client can resynchronise. */
    readonly expected_prev_chain_hash?: string | null;
  };
}
