import type { AdminEvent, Json } from '../../../protocol/index.ts';

/** What the administrative log says that an agent is. Times are milliseconds since the Unix epoch. */
export interface AgentHistory {
  readonly createdAt: Instant;
  integrationType: string | null;
  status: 'active' | 'frozen';
  deletedAt: Instant | null;
  updatedAt: Instant;
  /** By kid. */
  readonly keys: Map<string, 'active' | 'revoked'>;
}

/** A time as an event tells it: exactly, or, where the clock may have stepped back, no later than that. */
export interface Instant {
  readonly least: number;
  readonly most: number;
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** The instant of an act: its event is never earlier than the event before it, whatever the clock says. */
function instantOf(event: AdminEvent, before: AdminEvent | undefined): Instant {
  const exact = before === undefined || event.created_at > before.created_at;
  return { least: exact ? event.created_at : Number.NEGATIVE_INFINITY, most: event.created_at };
}

/** updated_at after a change: later than before, even within one millisecond. */
function after(last: Instant, act: Instant): Instant {
  return { least: Math.max(act.least, last.least + 1), most: Math.max(act.most, last.most + 1) };
}

/** Goes through the administrative log and tells what became of each agent, by agent_id. */
export function agentHistories(events: readonly AdminEvent[]): Map<string, AgentHistory> {
  const histories = new Map<string, AgentHistory>();
  events.forEach((event, index) => {
    if (event.target_type !== 'agent') return;
    const at = instantOf(event, events[index - 1]);
    const { details } = event;
    if (event.action === 'agent.register') {
      const kids = Array.isArray(details['keys']) ? (details['keys'] as readonly Json[]) : [];
      histories.set(event.target_id, {
        createdAt: at,
        integrationType: text(details['integration_type']),
        status: 'active',
        deletedAt: null,
        updatedAt: at,
        keys: new Map(kids.flatMap((kid) => (typeof kid === 'string' ? [[kid, 'active'] as const] : []))),
      });
      return;
    }
    const history = histories.get(event.target_id);
    if (history !== undefined) apply(history, event, at);
  });
  return histories;
}

function apply(history: AgentHistory, { action, details }: AdminEvent, at: Instant): void {
  const kid = text(details['kid']);
  switch (action) {
    case 'agent.update':
      history.integrationType = text(details['to']);
      break;
    case 'agent.freeze':
      history.status = 'frozen';
      break;
    case 'agent.unfreeze':
      history.status = 'active';
      break;
    case 'agent.delete':
      history.deletedAt = at;
      break;
    case 'agent.revoke_key':
      if (kid !== null) history.keys.set(kid, 'revoked');
      return;
    case 'agent.add_key':
      if (kid !== null) history.keys.set(kid, 'active');
      return;
    default:
      return;
  }
  history.updatedAt = after(history.updatedAt, at);
}
