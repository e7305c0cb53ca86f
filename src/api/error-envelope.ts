import { z } from 'zod';
import { caseFileCode } from './case-file-codes.ts';
import { ERROR_STATUS, type ErrorCode } from './errors/index.ts';

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
    finding: caseFileCode.optional().meta({ description: 'with CASE_FILE_REFUSED: what does not hold, the first' }),
    active: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'with NOT_ACTIVE: address of the node to ask; null while there is none' }),
    step: z
      .string()
      .optional()
      .meta({ description: 'with SECOND_STEP_REQUIRED: names this sign-in to /v1/auth/passkey, for five minutes' }),
  }),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;
