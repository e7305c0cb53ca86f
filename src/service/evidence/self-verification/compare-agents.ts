import {
  type AdminEvent,
  type AgentTail,
  type Differ,
  formatDigest,
  type Json,
  type SeenLedger,
} from '../../../protocol/index.ts';
import type { AgentRow } from '../../people/agents/registry.ts';

/**
 * What the administrative log says of an agent beyond what verifiers of a bundle check (protocol V72). Times are milliseconds
 * since the Unix epoch, those of the events.
 */
interface AgentHistory {
  integrationType: string | null;
  deletedAt: number | null;
  updatedAt: number;
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** Goes through the administrative log and tells what became of each agent, by agent_id. */
function agentHistories(events: readonly AdminEvent[]): Map<string, AgentHistory> {
  const histories = new Map<string, AgentHistory>();
  for (const event of events) {
    if (event.target_type !== 'agent') continue;
    const { details, created_at: at } = event;
    if (event.action === 'agent.register') {
      const integrationType = text(details['integration_type']);
      histories.set(event.target_id, { integrationType, deletedAt: null, updatedAt: at });
      continue;
    }
    const history = histories.get(event.target_id);
    if (history !== undefined) apply(history, event, at);
  }
  return histories;
}

function apply(history: AgentHistory, { action, details }: AdminEvent, at: number): void {
  if (!['agent.update', 'agent.freeze', 'agent.unfreeze', 'agent.delete'].includes(action)) return;
  if (action === 'agent.update') history.integrationType = text(details['to']);
  if (action === 'agent.delete') history.deletedAt = at;
  history.updatedAt = at;
}

/**
 * Compares what each agent's row holds beyond the directory of a bundle, which the verifier itself holds against the
 * administrative log, with that log and with the agent's newest record.
 */
export function compareAgents(agents: readonly AgentRow[], { adminEvents, tails }: SeenLedger, differ: Differ): void {
  const histories = agentHistories(adminEvents);
  const known = new Set(agents.map(({ agentId }) => agentId));
  for (const row of agents) {
    const history = histories.get(row.agentId);
    if (history !== undefined) compareRow(row, history, differ);
    compareTail(row, tails.get(row.agentId), differ);
  }
  for (const agentId of tails.keys()) {
    if (!known.has(agentId) && !histories.has(agentId)) {
      differ({
        check: 'admin_log',
        where: { agent_id: agentId },
        expected: 'the agent, which has records',
        actual: 'no such agent',
        message: 'The agent is missing.',
      });
    }
  }
}

function compareRow(row: AgentRow, history: AgentHistory, differ: Differ): void {
  const says = (member: string, expected: string | number | null, actual: string | number | null): void => {
    if (expected === actual) return;
    differ({
      check: 'admin_log',
      where: { agent_id: row.agentId, member },
      expected: String(expected),
      actual: String(actual),
      message: `The agent's ${member} is not what the administrative log says.`,
    });
  };
  says('integration_type', history.integrationType, row.integrationType);
  says('updated_at', history.updatedAt, row.updatedAt);
  says('deleted_at', history.deletedAt, row.deletedAt);
}

/** The place where the agent's next record will be linked. */
function compareTail(row: AgentRow, tail: AgentTail | undefined, differ: Differ): void {
  const says = (member: string, expected: string | null, actual: string | null): void => {
    if (expected === actual) return;
    differ({
      check: 'chains',
      where: { agent_id: row.agentId, member },
      expected: expected ?? 'null',
      actual: actual ?? 'null',
      message: "The head of the agent's chain is not its newest record.",
    });
  };
  says('head_seq_no', tail ? String(tail.seqNo) : null, row.headSeqNo === null ? null : String(row.headSeqNo));
  says('head_chain_hash', tail?.chainHash ?? null, row.headChainHash && formatDigest(row.headChainHash));
}
