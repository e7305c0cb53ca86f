import type { ErrorCode, Refusal } from '../../../api/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import { REFUSAL_WORDS } from './texts.ts';

/** Why something was refused, in a few plain words. */
export const CODE_WORDS: Readonly<Record<ErrorCode, string>> = {
  INVALID_SIGNATURE: REFUSAL_WORDS.signatureDoesNotVerify,
  UNKNOWN_AGENT: REFUSAL_WORDS.agentNotRegistered,
  KEY_REVOKED: REFUSAL_WORDS.keyRevoked,
  AGENT_FROZEN: REFUSAL_WORDS.agentFrozen,
  TTL_EXPIRED: REFUSAL_WORDS.recordHadExpired,
  REPLAY_DETECTED: REFUSAL_WORDS.recordUsedBefore,
  PREV_HASH_MISMATCH: REFUSAL_WORDS.brokenChain,
  PAYLOAD_TOO_LARGE: REFUSAL_WORDS.tooLarge,
  RATE_LIMITED: REFUSAL_WORDS.rateLimited,
  INTERNAL_ERROR: REFUSAL_WORDS.fault,
  UNAUTHORIZED: REFUSAL_WORDS.signInRefused,
  SECOND_STEP_REQUIRED: REFUSAL_WORDS.passkeyMissing,
  FORBIDDEN: REFUSAL_WORDS.forbidden,
  FRESH_SIGN_IN_REQUIRED: REFUSAL_WORDS.needsFreshSignIn,
  NOT_FOUND: REFUSAL_WORDS.notFound,
  VALIDATION_ERROR: REFUSAL_WORDS.malformed,
  CONFLICT: REFUSAL_WORDS.conflict,
  CASE_FILE_REFUSED: REFUSAL_WORDS.caseFileRefused,
  RECORD_HELD: REFUSAL_WORDS.underLegalHold,
  QUOTA_EXCEEDED: REFUSAL_WORDS.quota,
  EXPORT_TOO_LARGE: REFUSAL_WORDS.exportTooLarge,
  NOT_CONFIGURED: REFUSAL_WORDS.notSetUp,
  OVERLOADED: REFUSAL_WORDS.busy,
  NOT_ACTIVE: REFUSAL_WORDS.standby,
  CLOCK_IN_DOUBT: REFUSAL_WORDS.clockInDoubt,
  STORAGE_FULL: REFUSAL_WORDS.diskFull,
};

export const KIND_WORDS: Readonly<Record<Refusal['kind'], string>> = {
  submission: REFUSAL_WORDS.submission,
  sign_in: REFUSAL_WORDS.signIn,
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
