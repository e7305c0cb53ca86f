import { AGENT_ACTION_PROFILE } from '../../actions/profile/light.ts';
import { draftRecord, formatTime, type Json, SALT_BYTES, sha256, toBase64Url, uuidOf } from '../../protocol/index.ts';
import type { Question } from './question.ts';

/** A person's decision on a question. */
export interface Decision {
  readonly outcome: 'approved' | 'denied';
  /** May be empty. */
  readonly reason: string;
  /** The person, as records name people: the address of the account. */
  readonly person: string;
}

/** The person's own agent, as its next record needs it. */
export interface Decider {
  readonly orgId: string;
  readonly agentId: string;
  readonly kid: string;
  readonly prevChainHash: string | null;
}

/** A record is taken within so long, in milliseconds: signed and sent at once. */
const TTL_MS = 300_000;

/**
 * The payload of a decision: it is bound to the question by its operation, and to what was shown by digests of exactly that.
 * @param now milliseconds since the Unix epoch
 */
export function decisionPayload(question: Question, { outcome, reason, person }: Decision, now: number) {
  const { actionId, session, operationId, input, presented } = question;
  const isShown = presented !== null && presented !== 'unreadable';
  return {
    profile: AGENT_ACTION_PROFILE,
    phase: 'decided',
    action_id: actionId,
    ...(session === null ? {} : { session: { id: session } }),
    cause: [operationId],
    decision: {
      outcome,
      of: operationId,
      ...(input === null ? {} : { input_digest: input.digest }),
      ...(isShown ? { presented_digest: presented.digest } : {}),
      by: { kind: 'human', id: person, mode: 'interactive' },
      ...(reason === '' ? {} : { justification: reason }),
    },
    timing: { observed_at: formatTime(now) },
  } satisfies { readonly [member: string]: Json };
}

/** The record of a decision up to its signature. @param random fills an array with random bytes */
export function draftDecision(
  question: Question,
  decision: Decision,
  { orgId, agentId, kid, prevChainHash }: Decider,
  now: number,
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = (bytes) => crypto.getRandomValues(bytes),
) {
  return draftRecord(
    {
      orgId,
      agentId,
      kid,
      prevChainHash,
      ttlMs: TTL_MS,
      issuedAt: now,
      // crypto.randomUUID is missing where the page comes over plain HTTP from another machine.
      operationId: uuidOf(random(new Uint8Array(16))),
      operationType: 'permission.decide',
      subject: question.subject,
      action: 'decided',
      payload: decisionPayload(question, decision, now),
      nonce: toBase64Url(random(new Uint8Array(16))),
      drawSalt: () => random(new Uint8Array(SALT_BYTES)),
    },
    sha256,
  );
}
