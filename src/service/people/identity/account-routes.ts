import type { Caller } from '../../http/caller.ts';
import type { Call, Handlers } from '../../http/handler.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { eq } from '../../store/drizzle.ts';
import { users } from '../../store/schema.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import type { AddressCodes } from './address-codes.ts';
import { revokeAllApiTokens } from './api-tokens.ts';
import { isFresh } from './authenticate.ts';
import { isPageOf } from './known-pages.ts';
import type { Ceremonies } from './passkeys/ceremonies.ts';
import { needsSecondStep, passkeysOf, passkeyView } from './passkeys/passkeys.ts';
import { checkNewPassword } from './password-policy.ts';
import type { Passwords } from './passwords.ts';
import { endOneSession, endOtherSessions, listSessions } from './sessions.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import { noteProof, replaceSession } from './tokens.ts';

interface AccountDeps extends WriteAccess {
  readonly settings: Settings;
  readonly passwords: Passwords;
  readonly ceremonies: Ceremonies;
  readonly addressCodes: AddressCodes;
  readonly signInLimits: SignInLimits;
}

type From = Pick<Call<'fresh'>, 'address' | 'credentials'>;

/** What a person does about their own account. A program's token can do nothing of it. */
export function accountRoutes(context: AccountDeps) {
  const { store, writer, now, passwords, ceremonies, settings } = context;

  function userOf({ userId }: Caller) {
    const user = store.db.select().from(users).where(eq(users.userId, userId)).get();
    if (user === undefined) throw new ServiceError('UNAUTHORIZED', 'the user no longer exists');
    return user;
  }

  /** Guesses count as attempts to sign in. @throws ServiceError UNAUTHORIZED, RATE_LIMITED */
  async function checkPassword(
    caller: Caller,
    password: string,
    { address, credentials: { page } }: From,
    member: string,
  ): Promise<void> {
    const { email, passwordHash } = userOf(caller);
    // Whoever stole a session that is bound to no page can name any, a new one with each guess.
    const isKnown = page !== null && isPageOf(store, email, page);
    const attempt = { email, address, browser: isKnown ? page.toString('base64url') : null };
    context.signInLimits.attempt(attempt);
    if (!(await passwords.verify(passwordHash, password))) {
      throw new ServiceError('FORBIDDEN', `${member}: the password is wrong`);
    }
    context.signInLimits.succeeded(attempt);
  }

  function hasEnded(): ServiceError {
    return new ServiceError('UNAUTHORIZED', 'the session has ended');
  }

  return {
    account: ({ caller }) => {
      const user = userOf(caller);
      return {
        body: {
          email: user.email,
          email_verified: user.emailVerifiedAt !== null,
          can_mail: context.addressCodes.isAvailable,
          has_password: user.passwordHash !== null,
          passkeys: passkeysOf(store, caller.userId).map(passkeyView),
          passkeys_at: ceremonies.origin,
          is_fresh: isFresh(caller, now()),
        },
      };
    },

    mailAddressCode: async ({ caller }) => {
      const expiresAt = await context.addressCodes.send(caller);
      return { body: { expires_at: new Date(expiresAt).toISOString() } };
    },

    verifyAddress: async ({ caller, body: { code } }) => {
      await context.addressCodes.take(caller, code);
      return { body: { success: true } };
    },

    changePassword: async ({ caller, body, token, address, credentials }) => {
      if (userOf(caller).passwordHash !== null) {
        if (body.current_password === undefined) {
          throw new ServiceError('VALIDATION_ERROR', 'current_password: is missing');
        }
        await checkPassword(caller, body.current_password, { address, credentials }, 'current_password');
      } else if (!isFresh(caller, now())) {
        // Who only ever signed in with a provider has nothing else to show.
        throw new ServiceError('FRESH_SIGN_IN_REQUIRED', 'confirm who you are before you set a password');
      }
      await checkNewPassword(settings, body.new_password, 'new_password');
      const passwordHash = await passwords.hash(body.new_password);
      // A crash after it leaves the password changed and every session ended: the person signs in with the new one.
      const done = await writer.transact((store) => {
        const time = now();
        const ended = endOtherSessions(store, caller, token ?? '', time);
        // The one that asks continues under another token: a copy of the old one is worth nothing.
        const next = replaceSession(store, token ?? '', time, time);
        if (next === null) throw hasEnded();
        store.db.update(users).set({ passwordHash }).where(eq(users.userId, caller.userId)).run();
        const tokens = body.end_tokens ? revokeAllApiTokens(store, caller.userId, caller, time) : 0;
        if (caller.orgId !== null) {
          const details = { sessions: ended, tokens };
          const target = { targetType: 'member', targetId: caller.userId, details };
          recordAdminEvent(
            store,
            { orgId: caller.orgId, actor: caller.userId, action: 'password.change', ...target },
            time,
          );
        }
        return { next, ended, tokens };
      });
      const counts = { ended_sessions: done.ended, ended_tokens: done.tokens };
      return {
        body: credentials.authorization !== null ? { token: done.next, ...counts } : counts,
        sessionToken: done.next,
      };
    },

    listSessions: ({ caller, token }) => {
      return { body: { sessions: listSessions(store, caller.userId, token ?? '', now()) } };
    },

    endSession: async ({ caller, param }) => {
      const ended = await writer.transact((store) => endOneSession(store, caller, param('session_id'), now()));
      if (!ended) throw new ServiceError('NOT_FOUND', 'there is no such session');
      return { body: { success: true } };
    },

    endOtherSessions: async ({ caller, token }) => {
      const ended = await writer.transact((store) => endOtherSessions(store, caller, token ?? '', now()));
      return { body: { ended_sessions: ended } };
    },

    freshOptions: async ({ caller }) => {
      return { body: { options: await ceremonies.beginToSign({ kind: 'fresh', userId: caller.userId }) } };
    },

    fresh: async ({ caller, body, token, address, credentials }) => {
      if (body.response !== undefined) {
        await ceremonies.signed(
          body.response,
          (purpose, passkey) =>
            purpose.kind === 'fresh' && purpose.userId === caller.userId && passkey.userId === caller.userId,
        );
      } else {
        await checkPassword(caller, body.password ?? '', { address, credentials }, 'password');
        if (needsSecondStep(store, caller.userId)) {
          throw new ServiceError('FORBIDDEN', 'response: this account is confirmed with its passkey');
        }
      }
      if (!(await writer.transact((tx) => noteProof(tx, token ?? '', now())))) throw hasEnded();
      return { body: { success: true } };
    },
  } satisfies Partial<Handlers>;
}
