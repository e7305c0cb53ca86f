/** How an agent is drawn wherever it is named: one of eight shapes in one of eight colours. */
export interface AgentLook {
  /** 1 to 8: the token `--agent-N`. */
  readonly colour: number;
  readonly shape: AgentShape;
}

export const AGENT_SHAPES = ['disc', 'square', 'triangle', 'diamond', 'ring', 'cross', 'hexagon', 'halves'] as const;
export type AgentShape = (typeof AGENT_SHAPES)[number];

const COLOURS = 8;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * The look of an agent, from its identifier alone: the same on every machine, in every case, and for ever. Different agents may
 * look alike; the name always stands next to the mark.
 */
export function agentLook(agentId: string): AgentLook {
  let hash = FNV_OFFSET;
  for (const character of agentId) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), FNV_PRIME) >>> 0;
  }
  // Mixed once more: identifiers that differ in their last digit alone differ in the lowest bits alone.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
  hash ^= hash >>> 12;
  return {
    colour: ((hash >>> 3) % COLOURS) + 1,
    shape: AGENT_SHAPES[(hash >>> 17) % AGENT_SHAPES.length] ?? 'disc',
  };
}
