import { randomUUID } from 'node:crypto';
import { LIMITS, type Provider, ROUTES } from '../../../../api/index.ts';
import type { PageHash } from '../../../http/page-binding.ts';
import { recordAdminEvent } from '../../../ledger/admin-log/admin-events.ts';
import { ServiceError } from '../../../store/base/service-error.ts';
import { and, eq, gt } from '../../../store/drizzle.ts';
import type { Store, WritableStore } from '../../../store/open.ts';
import { invitations, members, oauthIdentities, users } from '../../../store/schema.ts';
import type { WriteAccess } from '../../../store/write-access.ts';
import { roleIn } from '../../members/inviter-rights.ts';
import { homeOf } from '../../organizations/home.ts';
import { takesSignUps } from '../accounts.ts';
import { createSession } from '../tokens.ts';
import { noteAddress, proveAddress } from '../verified-address.ts';
import type { Person } from './provider.ts';

interface Context0 extends WriteAccess {
  readonly signUpIsOpen: boolean;
}

type Context = Context0;

/** An address as sign-up takes it. */
const emailForm = ROUTES.signUp.body.shape.email;

/**
 * Begins a session for whoever signed in at a provider: the user of this identity; else the user with the same e-mail
 * address, who from then on has this identity; else a new user, without an organization until onboarding.
 *
 * An address opens an account here, so it counts only where the provider has verified it: at most providers anybody can
 * write anybody's address into a profile.
 * @param begun by which page it was begun, to which the session is bound, and by whom who was signed in there
 * @throws ServiceError UNAUTHORIZED, FORBIDDEN where a new user may not sign up
 */
export function signInPerson(
  context: Context,
  provider: Provider,
  person: Person,
  { page, signedInAs }: { readonly page: PageHash | null; readonly signedInAs: string | null },
): Promise<string> {
  const { writer, now } = context;
  // A crash after it leaves the user signed up, with a session whose token was never delivered: signing in again makes another.
  return writer.transact((store) => {
    const time = now();
    const { subject } = person;
    const known = store.db
      .select()
      .from(oauthIdentities)
      .where(and(eq(oauthIdentities.provider, provider), eq(oauthIdentities.subject, subject)))
      .get();
    if (known !== undefined) return createSession(store, known.userId, page, time);
    const email = emailForm.safeParse(person.verifiedEmail);
    if (!email.success) {
      throw new ServiceError('UNAUTHORIZED', `${provider} has no verified e-mail address of this account`);
    }
    const user = store.db.select().from(users).where(eq(users.email, email.data)).get();
    const userId =
      user === undefined ? addUser({ ...context, store }, email.data, person.name ?? email.data, time) : user.userId;
    if (user !== undefined) prepareLink(store, provider, user, signedInAs, time);
    store.db.insert(oauthIdentities).values({ provider, subject, userId, createdAt: time }).run();
    return createSession(store, userId, page, time);
  });
}

/**
 * Prepares an account for an identity that has its address, and records it.
 *
 * An account that nobody has shown to be the address's goes to whoever the provider says has it, and what opened it until
 * then ends (proveAddress). One with a verified address and a password is opened by the password alone until its holder, signed
 * in, wants it otherwise; so is one of the home organization, whose owner showed the set-up code and may have mistyped the
 * address. An address may also pass on to another person (a new employee), who then has another account at the same provider:
 * that must not open the account of the person before.
 * @throws ServiceError UNAUTHORIZED
 */
function prepareLink(
  store: WritableStore,
  provider: Provider,
  { userId, passwordHash, emailVerifiedAt }: typeof users.$inferSelect,
  signedInAs: string | null,
  time: number,
): void {
  if (emailVerifiedAt === null && !isOfHome(store, userId)) {
    proveAddress(store, { userId, proof: provider, keep: null }, time);
    recordLink(store, provider, userId, time);
    return;
  }
  const other = store.db
    .select()
    .from(oauthIdentities)
    .where(and(eq(oauthIdentities.provider, provider), eq(oauthIdentities.userId, userId)))
    .get();
  if (other !== undefined) {
    throw new ServiceError(
      'UNAUTHORIZED',
      `the user with this e-mail address signs in with another ${provider} account`,
    );
  }
  if (passwordHash !== null && signedInAs !== userId) {
    throw new ServiceError(
      'UNAUTHORIZED',
      `the account with this e-mail address has a password: sign in with it first, then with ${provider}`,
    );
  }
  noteAddress(store, userId, time);
  recordLink(store, provider, userId, time);
}

function isOfHome(store: Store, userId: string): boolean {
  const home = homeOf(store);
  return home !== null && roleIn(store, home, userId) !== null;
}

/** The log is an organization's: an account without one has none to write to. */
function recordLink(store: WritableStore, provider: Provider, userId: string, time: number): void {
  const member = store.db.select().from(members).where(eq(members.userId, userId)).get();
  if (member === undefined) return;
  const target = { targetType: 'user', targetId: userId, details: { provider } };
  recordAdminEvent(store, { orgId: member.orgId, actor: userId, action: 'account.link', ...target }, time);
}

/** A new user comes in under the rule of sign-up: where that is closed, only the first, or one who is invited. */
function addUser(
  context: Context & { readonly store: WritableStore },
  email: string,
  name: string,
  time: number,
): string {
  const { db } = context.store;
  if (!takesSignUps(context)) {
    const invitation = db
      .select()
      .from(invitations)
      .where(and(eq(invitations.email, email), eq(invitations.status, 'pending'), gt(invitations.expiresAt, time)))
      .get();
    if (invitation === undefined) {
      throw new ServiceError('FORBIDDEN', 'sign-up is closed: ask an administrator for an invitation');
    }
  }
  const userId = randomUUID();
  const known = { email, name: cleanName(name) || email, emailVerifiedAt: time };
  db.insert(users)
    .values({ userId, ...known, passwordHash: null, createdAt: time })
    .run();
  return userId;
}

/** A name from elsewhere, in the form that names of people have here. */
function cleanName(name: string): string {
  const line = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
  return [...line].slice(0, LIMITS.personName).join('').trim();
}
