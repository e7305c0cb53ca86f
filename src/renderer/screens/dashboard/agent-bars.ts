import type { Activity } from '../../api/answers.ts';

type Agent = Activity['agents'][number];

/** An agent with how long its bar is, and where its usual day is on it, from 0 to 1. */
export interface AgentBar {
  readonly agent: Agent;
  readonly share: number;
  readonly usualShare: number | null;
}

/** What is unusual comes first. */
const ORDER: readonly Agent['state'][] = ['busy', 'silent', 'quiet', 'usual'];

/** The agents as bars on one scale: those that are unusual first, then those that did most. */
export function barsOf(agents: readonly Agent[]): AgentBar[] {
  const longest = Math.max(1, ...agents.flatMap(({ records, usual }) => [records, usual ?? 0]));
  return agents
    .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || b.records - a.records)
    .map((agent) => ({
      agent,
      share: agent.records / longest,
      usualShare: agent.usual === null ? null : agent.usual / longest,
    }));
}
