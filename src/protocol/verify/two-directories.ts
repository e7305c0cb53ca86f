import { compareMaking } from './contradiction.ts';
import type { Conflict, Side } from './side.ts';

/** A directory and its moment. */
type DatedDirectory = Pick<Side, 'manifest' | 'agents' | 'serviceKeys'>;

/**
 * What a later directory says of an earlier one's agents and keys that can no longer be (protocol V114): what
 * was revoked or deleted stays so, and nothing disappears. Which of the two is the later one their manifests say.
 */
export function compareDirectories(a: DatedDirectory, b: DatedDirectory): Conflict[] {
  const order = compareMaking(a.manifest, b.manifest);
  if (order === 0) return [];
  const [earlier, later] = order < 0 ? [a, b] : [b, a];
  const conflicts: Conflict[] = [];
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
