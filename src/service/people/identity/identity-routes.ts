import type { Handlers } from '../../http/handler.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import type { Refusals } from '../../ledger/admin-log/refusals/refusals.ts';
import { noted } from '../../ledger/admin-log/refusals/sign-in-refusals.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { homeOf } from '../organizations/home.ts';
import type { SetUp } from '../organizations/set-up.ts';
import { describeSession, signIn, signUp, takesSignUps } from './accounts.ts';
import { isPageOf } from './known-pages.ts';
import type { Ceremonies } from './passkeys/ceremonies.ts';
import type { Passwords } from './passwords.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import { endSession, replaceSession } from './tokens.ts';

interface IdentityDeps extends WriteAccess {
  readonly settings: Settings;
  /** Notes what is refused. */
  readonly refusals: Refusals;
  readonly signInLimits: SignInLimits;
  /** Sign-ups of guests, by address. */
  readonly signUpLimit: RateLimit;
  readonly signUpIsOpen: boolean;
  readonly setUp: SetUp;
  readonly passwords: Passwords;
  readonly ceremonies: Ceremonies;
  /** Somebody opens the page, and will ask about the records of their organization. */
  readonly onOpened: (orgId: string) => void;
}

export function identityRoutes(context: IdentityDeps) {
  const { store, writer, now, setUp, signInLimits, signUpLimit, onOpened } = context;
  return {
    signUp: async ({ body: { setup_code: code, ...account }, workstation, address, credentials: { page } }) => {
      const claim = await setUp.claimOf({ code, workstation, address });
      if (claim === null) await signUpLimit.count(address);
      const answer = await signUp(context, account, page, claim);
      if (claim !== null) setUp.spend();
      return { body: answer, sessionToken: answer.token };
    },

    setUpState: () => ({ body: { has_home: homeOf(store) !== null, takes_sign_ups: takesSignUps(context) } }),

    signIn: async ({ body, address, workstation, credentials: { page } }) => {
      const isKnown = page !== null && (workstation || isPageOf(store, body.email, page));
      const attempt = { email: body.email, address, browser: isKnown ? page.toString('base64url') : null };
      const token = await noted(context, { email: body.email, address }, async () => {
        signInLimits.attempt(attempt);
        return signIn(context, body, page);
      });
      signInLimits.succeeded(attempt);
      return { body: { token }, sessionToken: token };
    },

    signOut: async ({ token }) => {
      // A crash after it leaves the session ended; the browser learns it at its next request.
      await writer.transact((tx) => endSession(tx, token ?? ''));
      return { body: { success: true }, sessionToken: null };
    },

    session: ({ caller }) => {
      const body = describeSession(context, caller);
      if (caller.orgId !== null) onOpened(caller.orgId);
      return { body };
    },

    refreshSession: async ({ token }) => {
      // A crash after it leaves the old session ended and the new one known to nobody: the person signs in again.
      const fresh = await writer.transact((store) => {
        // Between authentication and the writer's turn another refresh may have been first.
        const next = replaceSession(store, token ?? '', now());
        if (next === null) throw new ServiceError('UNAUTHORIZED', 'the session has ended');
        return next;
      });
      return { body: { token: fresh }, sessionToken: fresh };
    },
  } satisfies Partial<Handlers>;
}
