import { AGENT_NAMES, type AgentNames } from '../statements/agent-key.ts';
import { compareMaking } from './contradiction.ts';
import type { Conflict, Side } from './side.ts';

/** A directory and its moment. */
type DatedDirectory = Pick<Side, 'manifest' | 'org' | 'agents' | 'serviceKeys'>;

/** Names follow from the administrative log: of one log they are the same. */
function differingNames(a: DatedDirectory, b: DatedDirectory): Conflict[] {
  const [one, other] = [a.manifest.admin_log, b.manifest.admin_log];
  if (one.count !== other.count || one.head_hash !== other.head_hash) return [];
  const names = Object.keys(AGENT_NAMES) as readonly (keyof AgentNames)[];
  const agents = new Map(a.agents.map((agent) => [agent.agent_id, agent]));
  const pairs = b.agents.flatMap((now) => {
    const agent = agents.get(now.agent_id);
    return agent === undefined
      ? []
      : names.map((name) => [{ agent_id: now.agent_id }, agent[name], now[name]] as const);
  });
  const called = a.org === null || b.org === null ? [] : [[{}, a.org.name, b.org.name] as const];
  return [...called, ...pairs]
    .filter(([, expected, actual]) => expected !== actual)
    .map(([where, expected, actual]) => ({
      where,
      expected: expected ?? 'null',
      actual: actual ?? 'null',
      message: 'Two files with one administrative log call the organization or an agent differently.',
    }));
}

/**
 * What two directories say of names, agents and keys that cannot be (protocol V114): one log gives one name, what
 * was revoked or deleted stays so, and nothing disappears. Which of the two is the later one their manifests say.
 */
export function compareDirectories(a: DatedDirectory, b: DatedDirectory): Conflict[] {
  const conflicts = differingNames(a, b);
  const order = compareMaking(a.manifest, b.manifest);
  if (order === 0) return conflicts;
  const [earlier, later] = order < 0 ? [a, b] : [b, a];
  const kids = new Set(later.serviceKeys.map(({ kid }) => kid));
  for (const { kid } of earlier.serviceKeys) {
    if (!kids.has(kid))
      conflicts.push({ where: { kid }, message: 'A service key of the earlier file is not in the later one.' });
  }
  const agents = new Map(later.agents.map((agent) => [agent.agent_id, agent]));
  const filter = later.manifest.filter.agent_id;
  for (const agent of earlier.agents) {
    const where = { agent_id: agent.agent_id };
    const now = agents.get(agent.agent_id);
    if (now === undefined) {
      if (filter === null || filter === agent.agent_id) {
        conflicts.push({ where, message: 'An agent of the earlier file is not in the later one.' });
      }
      continue;
    }
    if (agent.status === 'deleted' && now.status !== 'deleted') {
      conflicts.push({ where, message: 'An agent that was deleted in the earlier file is not in the later one.' });
    }
    const keys = new Map(now.keys.map((key) => [key.kid, key]));
    for (const { kid, retired_at } of agent.keys) {
      const key = keys.get(kid);
      if (key === undefined) {
        conflicts.push({ where: { ...where, kid }, message: 'A key of the earlier file is not in the later one.' });
      } else if (retired_at !== null && key.retired_at === null) {
        const message = 'A key that was revoked in the earlier file is active in the later one.';
        conflicts.push({ where: { ...where, kid }, message });
      }
    }
  }
  return conflicts;
}
