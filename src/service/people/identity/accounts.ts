import { randomUUID } from 'node:crypto';
import type { SessionAnswer, SignUpAnswer } from '../../../api/index.ts';
import type { Caller } from '../../http/caller.ts';
import type { PageHash } from '../../http/page-binding.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { eq } from '../../store/drizzle.ts';
import { users } from '../../store/schema.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { createOrganization, needRoomForOrganization } from '../organizations/create-organization.ts';
import type { Claim } from '../organizations/set-up.ts';
import type { Ceremonies } from './passkeys/ceremonies.ts';
import { needsSecondStep } from './passkeys/passkeys.ts';
import { checkNewPassword } from './password-policy.ts';
import type { Passwords } from './passwords.ts';
import { createSession } from './tokens.ts';

export interface SignUp {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly org_name: string;
}

/** What the identity functions work on. `now` is milliseconds since the Unix epoch. */
export interface IdentityContext extends WriteAccess {
  /** Whether anybody may sign up, or only the first user (docs/interface.md, Authentication). */
  readonly signUpIsOpen: boolean;
  readonly passwords: Passwords;
  readonly settings: Pick<Settings, 'commonPasswords' | 'quotaOrganizations'>;
}

/** Whether somebody who is not invited may sign up now. Whoever claims the service always may. */
export function takesSignUps({ store, signUpIsOpen }: Pick<IdentityContext, 'store' | 'signUpIsOpen'>): boolean {
  return signUpIsOpen || store.db.select().from(users).limit(1).get() === undefined;
}

/**
 * Makes an organization with its first user, as owner, and signs the user in.
 * @param claim by what it becomes the home organization; null for a guest
 * @param page what the session is bound to, or null
 * @throws ServiceError QUOTA_EXCEEDED, CONFLICT where the address has an account, FORBIDDEN where sign-up is closed
 */
export async function signUp(
  context: IdentityContext,
  { email, password, name, org_name }: SignUp,
  page: PageHash | null,
  claim: Claim | null = null,
): Promise<SignUpAnswer> {
  const { store, writer, now, passwords } = context;
  const { db } = store;
  const most = context.settings.quotaOrganizations;
  const check = (): void => {
    if (claim === null && !takesSignUps(context)) {
      throw new ServiceError('FORBIDDEN', 'sign-up is closed: ask an administrator for an invitation');
    }
    if (claim === null) needRoomForOrganization(store, most);
    const taken = db.select().from(users).where(eq(users.email, email)).get();
    if (taken !== undefined) throw new ServiceError('CONFLICT', 'email: there is an account with this address');
  };
  // Before the costly hash, which nobody shall have for nothing; and again when it counts.
  check();
  await checkNewPassword(context.settings, password, 'password');
  const passwordHash = await passwords.hash(password);
  // A crash after it leaves the account without its first session: a second sign-up is a CONFLICT, a sign-in works.
  return writer.transact((tx) => {
    check();
    const time = now();
    const userId = randomUUID();
    tx.db.insert(users).values({ userId, email, name, passwordHash, createdAt: time }).run();
    const orgId = createOrganization(tx, { userId, name: org_name, type: 'organization', claim, most }, time);
    return {
      token: createSession(tx, userId, page, time),
      user: { id: userId, email, orgId, role: 'org_owner' },
    };
  });
}

/**
 * Signs in with a password. Where the account has a passkey for that, the password is the first step only.
 * @throws ServiceError UNAUTHORIZED, the same whether the account or the password is wrong; SECOND_STEP_REQUIRED
 */
export async function signIn(
  { store, writer, now, passwords, ceremonies }: IdentityContext & { readonly ceremonies: Ceremonies },
  { email, password }: { email: string; password: string },
  page: PageHash | null,
): Promise<string> {
  const user = store.db.select().from(users).where(eq(users.email, email)).get();
  const right = await passwords.verify(user?.passwordHash, password);
  if (user === undefined || !right)
    throw new ServiceError('UNAUTHORIZED', 'the e-mail address or the password is wrong');
  if (needsSecondStep(store, user.userId)) {
    const step = ceremonies.steps.issue(user.userId, user.userId);
    throw new ServiceError('SECOND_STEP_REQUIRED', 'this account also needs its passkey', { step });
  }
  // A crash after it leaves a session whose token was never delivered, until it expires.
  return writer.transact((store) => createSession(store, user.userId, page, now()));
}

/** @throws ServiceError UNAUTHORIZED where the user is gone */
export function describeSession({ store }: IdentityContext, caller: Caller): SessionAnswer {
  const user = store.db.select().from(users).where(eq(users.userId, caller.userId)).get();
  if (user === undefined) throw new ServiceError('UNAUTHORIZED', 'the user no longer exists');
  return {
    id: user.userId,
    email: user.email,
    orgId: caller.orgId,
    role: caller.role,
    createdAt: new Date(user.createdAt).toISOString(),
  };
}
