import type { Sha256 } from '../../../protocol/index.ts';
import type { AgentsSeen } from './agents-seen.ts';
import type { ActionFacts } from './facts.ts';
import type { FindingLog } from './finding-log.ts';
import { newRecent, RecentMap, type RecentState } from './recent-map.ts';
import { type Place, placeOf } from './report.ts';

interface Session {
  started: Place | null;
  ended: Place | null;
  /** Records since it was last started, that one included. */
  records: number;
}

/** The most sessions, and sub-agents, that are followed at once. */
const MAX_SESSIONS = 20_000;

/** Two names as one key: a NUL in a name must not make two of one. */
function keyOf(...names: readonly string[]): string {
  return JSON.stringify(names);
}

export interface SessionsState {
  readonly sessions: RecentState<Session>;
  readonly subAgents: RecentState<{ isNew: boolean }>;
  dropped: number;
}

export const newSessions = (): SessionsState => ({ sessions: newRecent(), subAgents: newRecent(), dropped: 0 });

/** Follows each agent's sessions, and the sub-agents in them. */
export class Sessions {
  readonly #log: FindingLog;
  readonly #agents: AgentsSeen;
  readonly #sessions: RecentMap<Session>;
  readonly #subAgents: RecentMap<{ isNew: boolean }>;
  readonly #state: SessionsState;

  constructor(log: FindingLog, agents: AgentsSeen, hash: Sha256, state: SessionsState) {
    this.#log = log;
    this.#agents = agents;
    this.#state = state;
    this.#sessions = new RecentMap(MAX_SESSIONS, hash, state.sessions, ({ started, ended }) => {
      if (started !== null && ended === null) state.dropped++;
    });
    this.#subAgents = new RecentMap(MAX_SESSIONS, hash, state.subAgents);
  }

  get count(): number {
    return this.#sessions.size;
  }

  get forgotten(): number {
    return this.#state.dropped + this.#sessions.returned + this.#subAgents.returned;
  }

  /** Where a session of an agent ended; null where that was not recorded, or was forgotten. */
  endOf(agentId: string, id: string): Place | null {
    return this.#sessions.find(keyOf(agentId, id))?.ended ?? null;
  }

  take(facts: ActionFacts): void {
    const { record, action } = facts;
    const { session: named, phase } = action;
    if (named === undefined) return;
    const key = keyOf(record.agent_id, named.id);
    // A person who decides on what another agent's session does has no session of that name.
    if (phase === 'decided' && this.#sessions.find(key) === undefined) return;
    const session = this.#sessions.at(key, () => ({
      started: null,
      ended: null,
      records: 0,
    }));
    if (phase === 'session_started') {
      Object.assign(session, { started: placeOf(record), ended: null, records: 0 });
      if (named.parent !== undefined && action.cause === undefined) this.#withoutCause(facts);
    } else if (session.ended !== null) {
      const message = 'A record of a session that was recorded as ended before.';
      this.#log.add('RECORD_AFTER_SESSION_END', 'open', record, message, { other: session.ended });
    }
    this.#takeSubAgent(facts, session, named.id);
    if (phase === 'session_ended') this.#end(facts, session, named.totals?.records);
    session.records++;
  }

  /** What a later record may take back. */
  standing(log: FindingLog): void {
    for (const { started, ended } of this.#sessions.values()) {
      if (started === null || ended !== null) continue;
      log.add('SESSION_OPEN', 'open', started, 'The session was started, and its end is not among the records.');
    }
  }

  #end({ record }: ActionFacts, session: Session, stated: number | undefined): void {
    const { started } = session;
    session.ended = placeOf(record);
    if (started === null || stated === undefined || stated === session.records) return;
    const severity = this.#agents.isBlindAfter(record.agent_id, started.seq_no) ? 'open' : 'contradiction';
    const message = `The session's end speaks of ${stated} records before it since its start; there are ${session.records}.`;
    const held = { other: started, pointer: '/session/totals/records' };
    this.#log.add('SESSION_TOTALS_DISAGREE', severity, record, message, held);
  }

  #takeSubAgent(facts: ActionFacts, session: Session, id: string): void {
    const { record, action } = facts;
    const subAgent = action.actor?.sub_agent?.id;
    if (subAgent === undefined) return;
    const state = this.#subAgents.at(keyOf(record.agent_id, id, subAgent), () => ({ isNew: true }));
    // Where the range cuts into a session, the sub-agent's first record may lie before it.
    const mayBeFirst = session.started !== null || this.#agents.fromStart(record.agent_id);
    if (state.isNew && mayBeFirst && action.cause === undefined) this.#withoutCause(facts);
    state.isNew = false;
  }

  #withoutCause({ record }: ActionFacts): void {
    const message = 'The first record of a sub-agent or child session does not say which operation caused it.';
    this.#log.add('SUBAGENT_WITHOUT_CAUSE', 'open', record, message);
  }
}
