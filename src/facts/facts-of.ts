import { AGENT_ACTION_PROFILE } from '../profile/profile-name.ts';
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
  return isOfProfile(read) ? profileFacts(head, read, prepared) : plainFacts(head, read, prepared);
}
