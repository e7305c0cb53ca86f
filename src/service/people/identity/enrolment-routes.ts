import type { Handlers, Member } from '../../http/handler.ts';
import type { CurrentKey } from '../../ledger/keys/current-key.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { WritableStore } from '../../store/open.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { addKey } from '../agents/lifecycle.ts';
import { addAgent, type CheckedRegistration, checkRegistration, findAgentRow, getAgent } from '../agents/registry.ts';
import { tokenAnswer } from './api-token-routes.ts';
import {
  createApiToken,
  createChildToken,
  type IssuedToken,
  needRoomForToken,
  presentedToken,
  type StoredToken,
  spendToken,
} from './api-tokens.ts';

interface EnrolmentDeps extends WriteAccess {
  readonly settings: Settings;
  readonly key: CurrentKey;
}

/** The keys of a reinstalled program for the agent that it had. @throws ServiceError NOT_FOUND, CONFLICT */
function addKeys(
  store: WritableStore,
  by: { readonly key: CurrentKey; readonly orgId: string; readonly actor: string; readonly now: number },
  { agent_id: agentId, integration_type: type, keys }: CheckedRegistration,
): void {
  const { status, integrationType } = findAgentRow(store, by.orgId, agentId);
  if (status !== 'active') throw new ServiceError('CONFLICT', `agent_id: the agent is ${status}`);
  if (integrationType !== type) {
    throw new ServiceError('CONFLICT', `integration_type: the agent is registered with "${integrationType}"`);
  }
  for (const { kid, publicKey } of keys) addKey({ store, ...by }, agentId, kid, publicKey);
}

/** How the program of an agent comes to an agent and to a token that can only submit for it, in one call. */
export function enrolmentRoutes({ settings, writer, now, key }: EnrolmentDeps) {
  /** The token for the program. @param presented the API token of the call; null where a session makes it */
  function issue(
    store: WritableStore,
    caller: Member,
    presented: StoredToken | null,
    { agentId, name }: { readonly agentId: string; readonly name: string | null },
    time: number,
  ): IssuedToken {
    // First, for it makes room.
    if (presented !== null && caller.enrolsOnly) spendToken(store, caller, presented, agentId, time);
    needRoomForToken(store, caller, settings.quotaTokens, time);
    // The session that issued a token for registering an agent meant the program to keep what it gets.
    return presented === null || caller.enrolsOnly
      ? createApiToken(store, caller, { name, scope: 'submit', agentId, ttlSeconds: null, parentTokenId: null }, time)
      : createChildToken(store, caller, presented, { agentId, name }, time);
  }

  return {
    enrolAgent: async ({ body, caller, token }) => {
      const { token_name: name = null, again, ...registration } = body;
      if (again && caller.enrolsOnly) {
        // Whoever steals one must not take over an agent that exists.
        throw new ServiceError('FORBIDDEN', 'again: this token can only register a new agent');
      }
      const checked = checkRegistration(registration);
      const { agent_id: agentId } = checked;
      // A crash after it leaves an agent whose token nobody has seen: it is listed, and a session issues another.
      const { enrolled, issued } = await writer.transact((store) => {
        const time = now();
        const presented = caller.by === 'token' ? presentedToken(store, token ?? '', time) : null;
        const by = { key, orgId: caller.orgId, actor: caller.userId, now: time };
        if (again) addKeys(store, by, checked);
        else addAgent(store, by, checked);
        const issued = issue(store, caller, presented, { agentId, name }, time);
        return { enrolled: getAgent(store, caller.orgId, agentId), issued };
      });
      return { body: { ...enrolled, token: tokenAnswer(issued) } };
    },
  } satisfies Partial<Handlers>;
}
