import { z } from 'zod';

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
  SECOND_STEP_REQUIRED: 401,
  FORBIDDEN: 403,
  FRESH_SIGN_IN_REQUIRED: 403,
  NOT_FOUND: 404,
  VALIDATION_ERROR: 400,
  CONFLICT: 409,
  QUOTA_EXCEEDED: 409,
  NOT_CONFIGURED: 501,
  OVERLOADED: 503,
  STORAGE_FULL: 507,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

export const errorCode = z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]);

/** The body of every answer that is an error. */
export const errorEnvelope = z.strictObject({
  error: z.strictObject({
    code: errorCode,
    message: z.string(),
    request_id: z.string(),
    expected_prev_chain_hash: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'with PREV_HASH_MISMATCH: what the service expects' }),
    step: z
      .string()
      .optional()
      .meta({ description: 'with SECOND_STEP_REQUIRED: names this sign-in to /v1/auth/passkey, for five minutes' }),
  }),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;
