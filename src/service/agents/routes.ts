import type { ServiceContext } from '../context.ts';
import type { Handlers } from '../http/handler.ts';
import { getAgent, getHead, listAgents, registerAgent } from './registry.ts';

export function agentRoutes(
  context: ServiceContext,
): Pick<Handlers, 'registerAgent' | 'listAgents' | 'getAgent' | 'agentHead'> {
  const { store } = context;
  return {
    registerAgent: async ({ body, caller }) => ({
      body: await registerAgent(context, caller.orgId, caller.userId, body),
    }),
    listAgents: ({ caller }) => ({ body: { agents: listAgents(store, caller.orgId) } }),
    getAgent: ({ caller, param }) => ({ body: getAgent(store, caller.orgId, param('agent_id')) }),
    agentHead: ({ caller, param }) => ({ body: getHead(store, caller.orgId, param('agent_id')) }),
  };
}
