import type { ErrorCode, Refusal } from '../../../contract/index.ts';
import { visibleText } from '../../../protocol/index.ts';

/** Why something was refused, in a few plain words. */
export const CODE_WORDS: Readonly<Record<ErrorCode, string>> = {
  INVALID_SIGNATURE: 'Signature does not verify',
  UNKNOWN_AGENT: 'Agent is not registered',
  KEY_REVOKED: 'Key is revoked',
  AGENT_FROZEN: 'Agent is frozen',
  TTL_EXPIRED: 'Record had expired',
  REPLAY_DETECTED: 'Record was used before',
  PREV_HASH_MISMATCH: 'Does not follow the head of the chain',
  PAYLOAD_TOO_LARGE: 'Too large',
  RATE_LIMITED: 'Too many in a short time',
  INTERNAL_ERROR: 'Fault of the service',
  UNAUTHORIZED: 'Password or passkey not accepted',
  SECOND_STEP_REQUIRED: 'Password accepted, passkey missing',
  FORBIDDEN: 'Not allowed',
  FRESH_SIGN_IN_REQUIRED: 'Needs a fresh sign-in',
  NOT_FOUND: 'Not found',
  VALIDATION_ERROR: 'Not well formed',
  CONFLICT: 'Contradicts what is stored',
  CASE_FILE_REFUSED: 'Case file refused',
  RECORD_HELD: 'Held by a legal hold',
  QUOTA_EXCEEDED: 'A limit is reached',
  NOT_CONFIGURED: 'Not set up here',
  OVERLOADED: 'Service was busy',
  STORAGE_FULL: 'Disk was full',
};

export const KIND_WORDS: Readonly<Record<Refusal['kind'], string>> = {
  submission: 'Submission',
  sign_in: 'Sign-in',
};

/** Why something was refused, in words; the code alone where a newer service has one that is not known here. */
export function wordsOf(code: string): string {
  return Object.entries(CODE_WORDS).find(([known]) => known === code)?.[1] ?? visibleText(code);
}

/** Who tried: the agent that the record names, or the account, by its address where it is a member's. */
export function whoOf({ agent_id: agentId, user_id: userId }: Refusal, emails: ReadonlyMap<string, string>): string {
  if (agentId !== null) return agentId;
  return userId === null ? '–' : (emails.get(userId) ?? userId);
}
