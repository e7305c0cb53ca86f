import { AGENT_ID_PATTERN } from '../../../protocol/index.ts';

/**
 * What is wrong with an agent's id, in a sentence, as far as it is known before it is sent; null where nothing is.
 * @param taken ids of the agents there are
 */
export function agentIdProblem(agentId: string, taken: readonly string[]): string | null {
  if (agentId === '') return null;
  if (agentId.length > 128) return 'Use 128 characters at most.';
  if (/\s/.test(agentId)) return 'Use letters, digits and . _ : @ - only, no spaces.';
  if (!AGENT_ID_PATTERN.test(agentId)) {
    return /^[A-Za-z0-9]/.test(agentId) ? 'Use letters, digits and . _ : @ - only.' : 'Begin with a letter or a digit.';
  }
  return taken.includes(agentId) ? 'An agent of this id is registered. Choose another id.' : null;
}
