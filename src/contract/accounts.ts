import { z } from 'zod';
import { email, name, text } from './fields.ts';
import { LIMITS } from './limits.ts';
import type { Role } from './roles.ts';

const password = text(LIMITS.password.min, LIMITS.password.max);

export const signUpBody = z.strictObject({
  email,
  password,
  name: name(LIMITS.personName),
  org_name: name(LIMITS.orgName),
});

/** The limits of a password are not told to whoever tries to sign in. */
export const signInBody = z.strictObject({ email: z.string().max(LIMITS.email), password: z.string().max(1024) });

export const createTokenBody = z.strictObject({
  ttl_seconds: z.int().min(1).max(LIMITS.tokenTtlSeconds).nullable().default(null),
});

/** A user as sign-up answers; the session adds when it was created. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly orgId: string | null;
  readonly role: Role | null;
}

export interface SignUpAnswer {
  readonly token: string;
  readonly user: User;
}

export interface SessionAnswer extends User {
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface TokenAnswer {
  readonly token: string;
  /** Seconds since the Unix epoch, or null where it never expires. */
  readonly expires_at: number | null;
}
