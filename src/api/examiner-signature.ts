import { z } from 'zod';
import { text } from './fields.ts';

/** A signature that an examiner's own key made: over bytes that whoever takes it knows. */
export const examinerSignatureBody = z.strictObject({
  algorithm: z.literal('ed25519'),
  kid: text(43, 43).meta({ description: 'RFC 7638 thumbprint of the key' }),
  public_key: text(43, 43),
  value: text(86, 86),
});

/** What this service knows of a key that signed for a person. */
export const examinerKeyState = z.enum(['active', 'revoked', 'other', 'unknown']);
