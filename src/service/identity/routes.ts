import type { AnswerOf } from '../../contract/index.ts';
import type { ServiceContext } from '../context.ts';
import { ServiceError } from '../errors.ts';
import type { Handlers } from '../http/handler.ts';
import { describeSession, signIn, signUp } from './accounts.ts';
import {
  type Caller,
  createApiToken,
  createSession,
  endSession,
  type IssuedToken,
  listApiTokens,
  revokeApiToken,
  rotateApiToken,
} from './tokens.ts';

function tokenAnswer({ token, expiresAt }: IssuedToken): AnswerOf<'createToken'> {
  return { token, expires_at: expiresAt === null ? null : Math.floor(expiresAt / 1000) };
}

/** Some calls are about the session itself. @throws ServiceError FORBIDDEN for an API token */
function needSession(caller: Caller, what: string): void {
  if (caller.by !== 'session') throw new ServiceError('FORBIDDEN', `${what} needs a session, not an API token`);
}

export function identityRoutes(
  context: ServiceContext,
): Pick<
  Handlers,
  | 'signUp'
  | 'signIn'
  | 'signOut'
  | 'session'
  | 'refreshSession'
  | 'createToken'
  | 'rotateToken'
  | 'listTokens'
  | 'revokeToken'
> {
  const { store, writer, now } = context;
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

    signOut: async ({ caller, token }) => {
      needSession(caller, 'to sign out');
      // A crash after it leaves the session ended; the browser learns it at its next request.
      await writer.run(() => endSession(store, token ?? ''));
      return { body: { success: true }, sessionToken: null };
    },

    session: ({ caller }) => ({ body: describeSession(context, caller) }),

    refreshSession: async ({ caller, token }) => {
      needSession(caller, 'to refresh');
      // A crash after it leaves the old session ended and the new one known to nobody: the person signs in again.
      const fresh = await writer.transact(() => {
        // Between authentication and the writer's turn another refresh may have been first.
        if (!endSession(store, token ?? '')) throw new ServiceError('UNAUTHORIZED', 'the session has ended');
        return createSession(store, caller.userId, now());
      });
      return { body: { token: fresh }, sessionToken: fresh };
    },

    createToken: async ({ body, caller }) => {
      // A token that leaks must not be able to make further ones that outlive it.
      needSession(caller, 'to issue an API token');
      // A crash after it leaves a token that nobody has seen; it is listed, and can be revoked.
      return { body: tokenAnswer(await writer.transact(() => createApiToken(store, caller, body.ttl_seconds, now()))) };
    },

    rotateToken: async ({ caller, token }) => {
      if (caller.by !== 'token') throw new ServiceError('FORBIDDEN', 'present the API token that is to be replaced');
      // A crash after it leaves the old token replaced by one that nobody has seen: a session issues another.
      const issued = await writer.transact(() => rotateApiToken(store, caller, token ?? '', now()));
      if (issued === null) throw new ServiceError('UNAUTHORIZED', 'the token is unknown or has expired');
      return { body: tokenAnswer(issued) };
    },

    listTokens: ({ caller }) => ({ body: { tokens: listApiTokens(store, caller.userId, now()) } }),

    revokeToken: async ({ caller, param }) => {
      // A crash after it leaves the token revoked; asked again, there is no such token.
      const revoked = await writer.transact(() => revokeApiToken(store, caller, param('token_id'), now()));
      if (!revoked) throw new ServiceError('NOT_FOUND', 'there is no such token');
      return { body: { success: true } };
    },
  };
}
