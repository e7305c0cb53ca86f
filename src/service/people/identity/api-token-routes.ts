import type { AnswerOf } from '../../../api/index.ts';
import type { Handlers } from '../../http/handler.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import {
  createApiToken,
  type IssuedToken,
  listApiTokens,
  needRoomForToken,
  revokeApiToken,
  revokeOrganizationToken,
  rotateApiToken,
} from './api-tokens.ts';

interface ApiTokenDeps extends WriteAccess {
  readonly settings: Settings;
}

/** What was asked for beside the lifetime comes back; without any of it the answer is that of a plain token. */
export function tokenAnswer({ token, terms, expiresAt }: IssuedToken): AnswerOf<'createToken'> {
  const { name, scope, agentId } = terms;
  return {
    token,
    expires_at: expiresAt === null ? null : Math.floor(expiresAt / 1000),
    ...(name === null ? {} : { name }),
    ...(scope === 'full' ? {} : { scope }),
    ...(agentId === null ? {} : { agent_id: agentId }),
  };
}

function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'there is no such token');
}

/** API tokens: issued and replaced by their users, listed and revoked by them and by administrators. */
export function apiTokenRoutes({ settings, store, writer, now }: ApiTokenDeps) {
  return {
    createToken: async ({ body, caller }) => {
      // A token that leaks must not be able to make further ones that outlive it.
      const { name = null, scope, agent_id: agentId = null, ttl_seconds: ttlSeconds } = body;
      const terms = { name, scope, agentId, ttlSeconds, parentTokenId: null };
      // A crash after it leaves a token that nobody has seen; it is listed, and can be revoked.
      const issued = await writer.transact((store) => {
        needRoomForToken(store, caller, settings.quotaTokens, now());
        return createApiToken(store, caller, terms, now());
      });
      return { body: tokenAnswer(issued) };
    },

    rotateToken: async ({ caller, token }) => {
      if (caller.by !== 'token') throw new ServiceError('FORBIDDEN', 'present the API token that is to be replaced');
      // A crash after it leaves the old token replaced by one that nobody has seen: a session issues another.
      const issued = await writer.transact((store) => rotateApiToken(store, caller, token ?? '', now()));
      if (issued === null) throw new ServiceError('UNAUTHORIZED', 'the token is unknown or has expired');
      return { body: tokenAnswer(issued) };
    },

    listTokens: ({ caller }) => ({
      body: {
        tokens: listApiTokens(store, { userId: caller.userId }, now()).map(({ user_id: _, email: __, ...row }) => row),
      },
    }),

    revokeToken: async ({ caller, param }) => {
      // A crash after it leaves the token revoked; asked again, there is no such token.
      const revoked = await writer.transact((store) => revokeApiToken(store, caller, param('token_id'), now()));
      if (!revoked) throw notFound();
      return { body: { success: true } };
    },

    listOrganizationTokens: ({ caller }) => ({
      body: { tokens: listApiTokens(store, { orgId: caller.orgId }, now()) },
    }),

    revokeOrganizationToken: async ({ caller, param }) => {
      // As above.
      const revoked = await writer.transact((store) =>
        revokeOrganizationToken(store, caller, param('token_id'), now()),
      );
      if (!revoked) throw notFound();
      return { body: { success: true } };
    },
  } satisfies Partial<Handlers>;
}
