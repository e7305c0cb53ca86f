import type { TokenRow } from '../../api/answers.ts';
import { TOKEN_WORDS } from './texts.ts';

/** What a token is called where it has no name: the beginning of its id, which the administrative log has too. */
export function tokenLabel({ name, id }: Pick<TokenRow, 'name' | 'id'>): string {
  return name ?? id.slice(0, 8);
}

/** What a token can do, in words. */
export function scopeText({ scope, agent_id: agentId }: Pick<TokenRow, 'scope' | 'agent_id'>): string {
  if (scope === 'submit') return TOKEN_WORDS.submitFor(agentId ?? '');
  return scope === 'enrol' ? TOKEN_WORDS.registerOnce : TOKEN_WORDS.everything;
}
