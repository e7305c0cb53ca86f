import { z } from 'zod';
import { anyJson, id, isoTime, name, text } from './fields.ts';
import { LIMITS } from './limits.ts';

/* What a person does about their own account: password, sessions, passkeys. */

const password = text(LIMITS.password.min, LIMITS.password.max);

/** As at sign-in, the limits are not told to whoever guesses. */
const currentPassword = z.string().max(1024);

export const changePasswordBody = z.strictObject({
  current_password: currentPassword.optional().meta({ description: 'where the account has a password' }),
  new_password: password,
  end_tokens: z.boolean().default(false).meta({ description: 'whether the API tokens of the account end as well' }),
});

/** The session that asks continues under a new token: in the cookie, and in the body where the old one was no cookie. */
export const changePasswordAnswer = z.strictObject({
  token: z.string().optional(),
  ended_sessions: z.int(),
  ended_tokens: z.int(),
});

/** A session as its person sees it. */
export const sessionRow = z.strictObject({
  id,
  is_current: z.boolean(),
  begun_at: isoTime,
  last_used_at: isoTime.nullable().meta({ description: 'to a minute' }),
  last_used_from: z.string().nullable().meta({ description: 'the address of its last use' }),
  browser: z.string().nullable().meta({ description: 'the family of the program, as its User-Agent says' }),
  expires_at: isoTime,
});
export const sessionsAnswer = z.strictObject({ sessions: z.array(sessionRow) });
export const endedAnswer = z.strictObject({ ended_sessions: z.int() });
export type SessionRow = z.infer<typeof sessionRow>;

/** A second step after the password, or enough by itself. */
const passkeyUse = z.enum(['second_step', 'alone']);
export type PasskeyUse = z.infer<typeof passkeyUse>;

const passkeyName = name(LIMITS.passkeyName);

export const passkeyRow = z.strictObject({
  id,
  name: z.string(),
  use: passkeyUse,
  created_at: isoTime,
  last_used_at: isoTime.nullable(),
});
export type PasskeyRow = z.infer<typeof passkeyRow>;
export const passkeyAnswer = z.strictObject({ passkey: passkeyRow });

/** The account of whoever is signed in. */
export const accountAnswer = z.strictObject({
  email: z.string(),
  email_verified: z
    .boolean()
    .meta({ description: 'whether anything but the sign-up shows that the address is theirs' }),
  can_mail: z.boolean().meta({ description: 'whether the service has a mail server' }),
  has_password: z.boolean(),
  passkeys: z.array(passkeyRow),
  passkeys_at: z
    .string()
    .nullable()
    .meta({ description: 'the one origin whose pages can use passkeys; null where the service has none' }),
  is_fresh: z.boolean().meta({ description: 'whether the last proof of who this is counts for acts that ask for one' }),
});

export const addressCodeAnswer = z.strictObject({ expires_at: isoTime });
export const verifyAddressBody = z.strictObject({ code: text(1, 256) });

/** What goes to and comes from the browser's WebAuthn functions, as WebAuthn Level 3 §5.1 has it in JSON. */
export const webauthnOptions = z.strictObject({ options: z.record(z.string(), anyJson) });

const encoded = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]*$/, 'must be base64url');
const credential = {
  id: encoded(2048),
  rawId: encoded(2048),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(64).optional(),
  clientExtensionResults: z.looseObject({}),
} as const;

export const attestationResponse = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: encoded(8192),
    attestationObject: encoded(16_384),
    transports: z.array(z.string().max(64)).max(16).optional(),
  }),
});
export type AttestationResponse = z.infer<typeof attestationResponse>;

export const assertionResponse = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: encoded(8192),
    authenticatorData: encoded(8192),
    signature: encoded(4096),
    userHandle: encoded(256).optional(),
  }),
});
export type AssertionResponse = z.infer<typeof assertionResponse>;

export const addPasskeyBody = z.strictObject({ name: passkeyName, use: passkeyUse, response: attestationResponse });
export const changePasskeyBody = z
  .strictObject({ name: passkeyName.optional(), use: passkeyUse.optional() })
  .refine(({ name, use }) => name !== undefined || use !== undefined, 'name or use is needed');

const step = z
  .string()
  .max(128)
  .optional()
  .meta({ description: 'from SECOND_STEP_REQUIRED; without it a passkey alone' });
export const passkeyOptionsBody = z.strictObject({ step });
export const passkeySignInBody = z.strictObject({ step, response: assertionResponse });

export const freshBody = z
  .strictObject({ password: currentPassword.optional(), response: assertionResponse.optional() })
  .refine(({ password: given, response }) => given !== undefined || response !== undefined, {
    message: 'password or response is needed',
  });
