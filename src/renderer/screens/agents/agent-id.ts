import { AGENT_ID_PATTERN } from '../../../protocol/index.ts';
import { AGENT_ID } from './texts.ts';

/**
 * What is wrong with an agent's id, in a sentence, as far as it is known before it is sent; null where nothing is.
 * @param taken ids of the agents there are
 */
export function agentIdProblem(agentId: string, taken: readonly string[]): string | null {
  if (agentId === '') return null;
  if (agentId.length > 128) return AGENT_ID.tooLong;
  if (/\s/.test(agentId)) return AGENT_ID.notAllowed;
  if (!AGENT_ID_PATTERN.test(agentId)) {
    return /^[A-Za-z0-9]/.test(agentId) ? AGENT_ID.notAllowedAnyLength : AGENT_ID.badStart;
  }
  return taken.includes(agentId) ? AGENT_ID.taken : null;
}
