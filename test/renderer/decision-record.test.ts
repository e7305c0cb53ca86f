// docs/agent-actions.md, Decisions: what the window reads as a question, what it refuses to have approved, and what it signs.
import { describe, expect, it } from 'vitest';
import { checkPayload, contentDigest } from '../../src/actions/profile/index.ts';
import { type JsonObject, parseSubmittedRecord, shownPayload } from '../../src/protocol/index.ts';
import type { StoredOperation } from '../../src/renderer/api/answers.ts';
import { draftDecision } from '../../src/renderer/decisions/decision-record.ts';
import { notApprovable, type Question, questionOf } from '../../src/renderer/decisions/question.ts';
import { asked, digestOf, SALT } from '../support/agent-actions.ts';
import { Signer } from '../support/signer.ts';

const INPUT = { to: 'ACME', amount: 12 };

/** A stored record with a payload, plain or salted. */
function stored(payload: JsonObject, isSalted = false): StoredOperation {
  const signer = new Signer('org', 'agent-1');
  const { disclosures, ...eor } = isSalted
    ? signer.nextSalted(payload)
    : { ...signer.next({ payload }), disclosures: undefined };
  return { eor, ear: {}, epoch: null, ...(disclosures && { disclosures }) } as unknown as StoredOperation;
}

function question(payload: JsonObject): Question {
  return questionOf(stored(payload)) ?? expect.fail('no question');
}

describe('a question', () => {
  it.each([false, true])('is read with digests of exactly what is shown (salted: %s)', (isSalted) => {
    const found = questionOf(stored(asked('a', INPUT), isSalted));
    expect(found).toMatchObject({ tool: 'pay', input: { value: INPUT, digest: digestOf(INPUT) } });
    expect(found?.presented).toMatchObject({ digest: digestOf(`Pay? ${JSON.stringify(INPUT)}`) });
    expect(notApprovable(found as Question)).toBeNull();
  });

  it.each<[string, JsonObject]>([
    ['of another phase', { ...asked('a', 1), phase: 'started' }],
    ['of no profile', { ...asked('a', 1), profile: 'another' }],
    ['without an action', { ...asked('a', 1), action_id: 'none' }],
  ])('is no record %s', (_, payload) => {
    expect(questionOf(stored(payload))).toBeNull();
  });

  it.each<[string, JsonObject]>([
    ['told by its digest', { input: { digest: digestOf(INPUT), salt: SALT } }],
    ['cut', { input: { value: 'AC', salt: SALT, digest: digestOf('ACME'), truncated: true } }],
    ['not that of its digest', { input: { value: INPUT, salt: SALT, digest: digestOf('another') } }],
    ['missing', { input: null }],
    ['whole, with something presented that is not', { presented: { digest: digestOf('x') } }],
  ])('cannot be approved where the input is %s', (_, members) => {
    expect(notApprovable(question({ ...asked('a', INPUT), ...members }))).not.toBeNull();
  });
});

describe('the record of a decision', () => {
  it.each(['approved', 'denied'] as const)(
    'is a salted payload of the profile, bound to what was shown: %s',
    (outcome) => {
      const decision = { outcome, reason: 'Ordered.', person: 'ada@example.org' };
      const decider = { orgId: 'org', agentId: 'person-1', kid: 'window-1', prevChainHash: null };
      const about = question(asked('a', INPUT));
      const { record } = draftDecision(about, decision, decider, Date.UTC(2026, 4, 1)).signed(new Uint8Array(64));
      const { disclosures, ...eor } = record;
      expect(parseSubmittedRecord(eor)).toMatchObject({ agent_id: 'person-1', operation_type: 'permission.decide' });
      expect(eor.operation_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const payload = shownPayload(eor.payload, disclosures);
      expect(checkPayload(payload, true)).toMatchObject({ ok: true });
      expect(payload['decision']).toEqual({
        outcome,
        of: about.operationId,
        justification: 'Ordered.',
        by: { kind: 'human', id: 'ada@example.org', mode: 'interactive' },
        input_digest: contentDigest(SALT, INPUT),
        presented_digest: digestOf(`Pay? ${JSON.stringify(INPUT)}`),
      });
    },
  );
});
