import type { AgentDecision } from '../../../api/index.ts';
import { PERSON_TYPE } from '../../../protocol/index.ts';
import { type Handlers, type Member, readerOf } from '../../http/handler.ts';
import type { CurrentKey } from '../../ledger/keys/current-key.ts';
import { describeOperation, findOperation, type OperationSource } from '../../ledger/operations/operation-queries.ts';
import type { LedgerReads } from '../../search/queries/ledger-reads.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { agentKeys, agents } from '../../store/schema.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import type { KeyContext } from './lifecycle.ts';
import { addOwnKey, describeDecider, revokeOwnKey } from './person-agents.ts';
import { findAgentRow, keyView } from './registry.ts';

/** What decisions are read from: the ledger, and the index that says which record decides about which. */
interface DecisionSource extends OperationSource {
  readonly content: LedgerReads;
}

/** A question of an agent. */
interface Asked {
  readonly orgId: string;
  readonly agentId: string;
  /** The record that asked. */
  readonly operationId: string;
}

/** The names of people's own agents; of deleted ones too: what a person decided before they left was decided. */
function peopleOf({ db }: Store, orgId: string): string[] {
  return db
    .select({ agentId: agents.agentId })
    .from(agents)
    .where(and(eq(agents.orgId, orgId), eq(agents.integrationType, PERSON_TYPE)))
    .all()
    .map((row) => row.agentId);
}

/**
 * What became of a question of one agent. A record of another agent is answered as one that there is not: whoever may ask for one
 * agent learns nothing of others.
 * @throws ServiceError NOT_FOUND
 */
async function agentDecision(source: DecisionSource, asked: Asked): Promise<AgentDecision> {
  const { store, content } = source;
  const { orgId, operationId } = asked;
  const { agentId } = findAgentRow(store, orgId, asked.agentId);
  const question = findOperation(source, orgId, operationId);
  if (question.agentId !== agentId) throw new ServiceError('NOT_FOUND', 'there is no such operation');
  const answer = await content.ask(asked, 'decision', question.seqNo, peopleOf(store, orgId));
  if (answer === null) throw new ServiceError('NOT_FOUND', 'the operation asks for no decision');
  if (answer.state !== 'decided') return { state: answer.state, decision: null };
  const operation = describeOperation(source, orgId, answer.operationId);
  return { state: 'decided', decision: { operation, decider: deciderOf(source, orgId, operation.eor) } };
}

function deciderOf(
  { store }: DecisionSource,
  orgId: string,
  { agent_id: agentId, agent_pubkey_kid: kid }: { readonly agent_id: string; readonly agent_pubkey_kid: string },
): NonNullable<AgentDecision['decision']>['decider'] {
  const row = store.db
    .select({ agent: agents, key: agentKeys })
    .from(agents)
    .innerJoin(agentKeys, and(eq(agentKeys.orgId, agents.orgId), eq(agentKeys.agentId, agents.agentId)))
    .where(and(eq(agents.orgId, orgId), eq(agents.agentId, agentId), eq(agentKeys.kid, kid)))
    .get();
  if (row === undefined) throw new Error(`the ledger has a record of ${agentId} and not its key`);
  return { agent_id: agentId, responsible_entity: row.agent.responsibleEntity, key: keyView(row.key) };
}

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
