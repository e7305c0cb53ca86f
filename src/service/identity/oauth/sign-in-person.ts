import { randomUUID } from 'node:crypto';
import { and, eq, gt } from 'drizzle-orm';
import { LIMITS, type Provider, ROUTES } from '../../../contract/index.ts';
import type { ServiceContext } from '../../context.ts';
import { ServiceError } from '../../errors.ts';
import type { Store } from '../../store/open.ts';
import { invitations, oauthIdentities, users } from '../../store/schema.ts';
import type { PageHash } from '../page-binding.ts';
import { createSession } from '../tokens.ts';
import type { Person } from './provider.ts';

type Context = Pick<ServiceContext, 'store' | 'writer' | 'now' | 'signUpIsOpen'>;

/** An address as sign-up takes it. */
const emailForm = ROUTES.signUp.body.shape.email;

/**
 * Begins a session for whoever signed in at a provider: the user of this identity; else the user with the same e-mail
 * address, who from then on has this identity; else a new user, without an organization until onboarding.
 *
 * An address opens an account here, so it counts only where the provider has verified it: at most providers anybody can
 * write anybody's address into a profile.
 * @param page what the session is bound to, or null
 * @throws ServiceError UNAUTHORIZED, FORBIDDEN where a new user may not sign up
 */
export function signInPerson(
  context: Context,
  provider: Provider,
  person: Person,
  page: PageHash | null,
): Promise<string> {
  const { store, writer, now } = context;
  // A crash after it leaves the user signed up, with a session that nobody was told of: signing in again makes another.
  return writer.transact(() => {
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
    const userId =
      userToLink(store, provider, email.data) ?? addUser(context, email.data, person.name ?? email.data, time);
    store.db.insert(oauthIdentities).values({ provider, subject, userId, createdAt: time }).run();
    return createSession(store, userId, page, time);
  });
}

/**
 * The user with an address, if there is one. An address may pass on to another person (a new employee), who then has
 * another account at the same provider: that must not open the account of the person before.
 */
function userToLink({ db }: Store, provider: Provider, email: string): string | null {
  const user = db.select().from(users).where(eq(users.email, email)).get();
  if (user === undefined) return null;
  const other = db
    .select()
    .from(oauthIdentities)
    .where(and(eq(oauthIdentities.provider, provider), eq(oauthIdentities.userId, user.userId)))
    .get();
  if (other !== undefined) {
    throw new ServiceError(
      'UNAUTHORIZED',
      `the user with this e-mail address signs in with another ${provider} account`,
    );
  }
  return user.userId;
}

/** A new user comes in under the rule of sign-up: where that is closed, only the first, or one who is invited. */
function addUser({ store: { db }, signUpIsOpen }: Context, email: string, name: string, time: number): string {
  if (!signUpIsOpen && db.select().from(users).limit(1).get() !== undefined) {
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
  db.insert(users)
    .values({ userId, email, name: cleanName(name) || email, passwordHash: null, createdAt: time })
    .run();
  return userId;
}

/** A name from elsewhere, in the form that names of people have here. */
function cleanName(name: string): string {
  const line = name
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return [...line].slice(0, LIMITS.personName).join('').trim();
}
