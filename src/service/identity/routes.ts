import type { TokenAnswer } from '../../contract/index.ts';
import type { ServiceContext } from '../context.ts';
import { ServiceError } from '../errors.ts';
import type { Handlers } from '../http/handler.ts';
import { describeSession, signIn, signUp } from './accounts.ts';
import { createApiToken } from './tokens.ts';

export function identityRoutes(
  context: ServiceContext,
): Pick<Handlers, 'signUp' | 'signIn' | 'session' | 'createToken'> {
  return {
    signUp: async ({ body }) => {
      const answer = await signUp(context, body);
      return { body: answer, sessionToken: answer.token };
    },

    signIn: async ({ body, address }) => {
      await context.signInLimits.attempt(body.email, address);
      const token = await signIn(context, body);
      await context.signInLimits.succeeded(body.email);
      return { body: { token }, sessionToken: token };
    },

    session: ({ caller }) => ({ body: describeSession(context, caller) }),

    createToken: async ({ body, caller }) => {
      // A token that leaks must not be able to make further ones that outlive it.
      if (caller.by !== 'session') throw new ServiceError('FORBIDDEN', 'an API token is issued to a session only');
      const { store, writer, now } = context;
      const { token, expiresAt } = await writer.transact(() => createApiToken(store, caller, body.ttl_seconds, now()));
      const answer: TokenAnswer = { token, expires_at: expiresAt === null ? null : Math.floor(expiresAt / 1000) };
      return { body: answer };
    },
  };
}
