import { type Handlers, type Member, readerOf } from '../../http/handler.ts';
import type { CurrentKey } from '../../ledger/keys/current-key.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { agentDecision, type DecisionSource, peopleOf } from './agent-decisions.ts';
import type { KeyContext } from './lifecycle.ts';
import { addOwnKey, describeDecider, revokeOwnKey } from './person-agents.ts';

interface DecisionDeps extends WriteAccess, DecisionSource {
  readonly key: CurrentKey;
}

/** What people decide: their own agents, and the questions that wait for them. The decision itself is an operation. */
export function decisionRoutes(deps: DecisionDeps) {
  const { store, writer, now, key, content } = deps;
  const act = <T>({ orgId, userId }: Member, task: (context: KeyContext) => T): Promise<T> =>
    writer.transact((tx) => task({ store: tx, key, orgId, actor: userId, now: now() }));
  return {
    waitingDecisions: async ({ query, ...call }) => {
      const by = readerOf(call);
      return { body: await content.ask(by, 'waiting', query.operation_id ?? null, peopleOf(store, by.orgId)) };
    },
    agentDecision: async ({ param, ...call }) => ({
      body: await agentDecision(deps, {
        ...readerOf(call),
        agentId: param('agent_id'),
        operationId: param('operation_id'),
      }),
    }),
    decisionAgent: ({ caller }) => ({ body: describeDecider(store, caller.orgId, caller.userId) }),
    // Each is one commit. A crash after it leaves it done, with its admin event.
    addDecisionKey: async ({ body, caller }) => ({
      body: { key: await act(caller, (context) => addOwnKey(context, body)) },
    }),
    revokeDecisionKey: async ({ caller, param }) => ({
      body: { key: await act(caller, (context) => revokeOwnKey(context, param('kid'))) },
    }),
  } satisfies Partial<Handlers>;
}
