import { hasDisguisedWord } from '../../protocol/text/index.ts';
import { AGENT_ACTION_PROFILE } from '../profile/light.ts';
import { plainFacts } from './plain-facts.ts';
import type { PreparedRules } from './prepared-rules.ts';
import { profileFacts } from './profile-facts.ts';
import type { ReadPayload } from './read-payload.ts';
import type { RecordFacts, RecordHead } from './record-facts.ts';
import { memberAt } from './tree.ts';

/** Whether a payload, as its reader sees it, is of the payload profile. */
export function isOfProfile({ shown }: ReadPayload): boolean {
  return shown !== null && memberAt(shown, 'profile') === AGENT_ACTION_PROFILE;
}

/**
 * Reads out of a record what it is about: by the payload profile (docs/agent-actions.md) where its payload is of it, else by the
 * rules. Pure; the same record and rules give the same facts.
 * @param read the record's payload, as readPayload gives it
 */
export function factsOf(head: RecordHead, read: ReadPayload, prepared: PreparedRules): RecordFacts {
  const facts = isOfProfile(read) ? profileFacts(head, read, prepared) : plainFacts(head, read, prepared);
  return { ...facts, disguisedIn: disguisedIn(head, read) };
}

function disguisedIn({ subject, action }: RecordHead, { leaves }: ReadPayload): string | null {
  if (hasDisguisedWord(subject)) return 'subject';
  if (hasDisguisedWord(action)) return 'action';
  const leaf = leaves.find(
    ({ path, value }) => (typeof value === 'string' && hasDisguisedWord(value)) || path.some(hasDisguisedWord),
  );
  return leaf?.pointer ?? null;
}
