import { z } from 'zod';
import { askedPage } from '../../http/cursor.ts';
import type { Handlers, Member } from '../../http/handler.ts';
import type { CurrentKey } from '../../ledger/keys/current-key.ts';
import type { OperationIndex } from '../../ledger/operation-index/operation-index.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { assign, listAssignments, unassign } from './assignments.ts';
import { agentRecords } from './chain.ts';
import {
  addKey,
  deleteAgent,
  freezeAgent,
  type LifecycleContext,
  revokeKey,
  unfreezeAgent,
  updateAgent,
} from './lifecycle.ts';
import { findAgentRow, registerAgent } from './registry.ts';

const place = z.int().min(1);

interface AgentDeps extends WriteAccess {
  readonly index: OperationIndex;
  readonly key: CurrentKey;
  /** Tells webhooks of an agent's change of status; within the writer's transaction. */
  readonly onStatusChange: LifecycleContext['onStatusChange'];
}

export function agentRoutes(context: AgentDeps) {
  const { store, index, writer, key, now, onStatusChange } = context;
  // Each act is one commit. A crash after it leaves the act done, with its admin event and its notice to webhooks.
  const act = <T>({ orgId, userId }: Member, task: (lifecycle: LifecycleContext) => T): Promise<T> =>
    writer.transact((store) => task({ store, key, orgId, actor: userId, now: now(), onStatusChange }));
  const agentOf = (param: (name: string) => string): string => param('agent_id');
  return {
    registerAgent: async ({ body, caller }) => ({
      body: await registerAgent(context, caller.orgId, caller.userId, body),
    }),
    updateAgent: async ({ body, caller, param }) => ({
      body: { agent: await act(caller, (to) => updateAgent(to, agentOf(param), body.integration_type)) },
    }),
    deleteAgent: async ({ caller, param }) => {
      await act(caller, (to) => deleteAgent(to, agentOf(param)));
      return { body: { deleted: true } };
    },
    freezeAgent: async ({ body, caller, param }) => ({
      body: { agent: await act(caller, (to) => freezeAgent(to, agentOf(param), body.reason)) },
    }),
    unfreezeAgent: async ({ body, caller, param }) => ({
      body: { agent: await act(caller, (to) => unfreezeAgent(to, agentOf(param), body.reason)) },
    }),
    revokeKey: async ({ body, caller, param }) => ({
      body: { key: await act(caller, (to) => revokeKey(to, agentOf(param), body.kid, body.reason)) },
    }),
    addKey: async ({ body, caller, param }) => ({
      body: { key: await act(caller, (to) => addKey(to, agentOf(param), body.kid, body.public_key)) },
    }),

    agentOperations: ({ caller, param, query }) => {
      const { agentId } = findAgentRow(store, caller.orgId, agentOf(param));
      const rows = (before: number | null, most: number) =>
        agentRecords({ store, index }, caller.orgId, agentId, { before: before ?? Number.MAX_SAFE_INTEGER }, most).map(
          ({ chain_hash: _, prev_chain_hash: __, agent_pubkey_kid: ___, ...row }) => row,
        );
      return { body: askedPage(query, place, rows, ({ seq_no }) => seq_no) };
    },

    listAssignments: ({ caller, param }) => ({
      body: { assignments: listAssignments(store, caller.orgId, agentOf(param)) },
    }),
    // A crash after either leaves it done, with its admin event: asked again, it is so already.
    assign: async ({ body, caller, param }) => ({
      body: {
        assignment: await writer.transact((store) => assign(store, caller, agentOf(param), body.user_id, now())),
      },
    }),
    unassign: async ({ caller, param }) => {
      await writer.transact((store) => unassign(store, caller, agentOf(param), param('user_id'), now()));
      return { body: { success: true } };
    },
  } satisfies Partial<Handlers>;
}
