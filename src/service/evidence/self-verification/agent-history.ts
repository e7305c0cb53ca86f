import type { AdminEvent, Json } from '../../../protocol/index.ts';

/**
 * What the administrative log says of an agent beyond what verifiers of a bundle check (protocol V72). Times are milliseconds
 * since the Unix epoch, those of the events.
 */
export interface AgentHistory {
  integrationType: string | null;
  deletedAt: number | null;
  updatedAt: number;
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** Goes through the administrative log and tells what became of each agent, by agent_id. */
export function agentHistories(events: readonly AdminEvent[]): Map<string, AgentHistory> {
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
