/** A person who decides on questions of agents, with a key of their own, as the window has it. */

import { contentDigest } from '../../src/actions/profile/content-digest.ts';
import type { Question } from '../../src/agent/index.ts';
import {
  fromBase64Url,
  type Json,
  type JsonObject,
  type Receipt,
  thumbprint,
  withTexts,
} from '../../src/protocol/index.ts';
import type { Account, TestService } from './service.ts';
import { Signer } from './signer.ts';

export interface Decider {
  readonly agentId: string;
  readonly publicKey: string;
  readonly thumbprint: string;
  /** Signs and submits a record with this payload. */
  readonly decide: (payload: JsonObject) => Promise<Receipt>;
}

/** A member of an organization who has just signed in and added a key for decisions. */
export async function newDecider(service: TestService, owner: Account): Promise<Decider> {
  const account = service.addMember(owner, 'integration_engineer');
  service.sql.prepare('UPDATE sessions SET proved_at = ? WHERE user_id = ?').run(Date.now(), account.userId);
  const signer = new Signer(owner.orgId, 'to be named');
  const { key } = await account.client.ok('addDecisionKey', { body: signer.registration.keys[0] });
  Object.assign(signer, { agentId: key.agent_id });
  const head = { operation_type: 'permission.decide', subject: 'pay', action: 'decided' };
  return {
    agentId: key.agent_id,
    publicKey: signer.publicKey,
    thumbprint: thumbprint(fromBase64Url(signer.publicKey, 32)),
    decide: (payload) => account.client.ok('submitDecision', { body: signer.next({ ...head, payload }) }),
  };
}

/** What a person's decision on a question says. @param more members of the decision; undefined leaves one out */
export function decisionPayload(
  { operationId, action, presentedDigest }: Question,
  outcome: string,
  more: { readonly [member: string]: Json | undefined } = {},
): JsonObject {
  const decision = {
    outcome,
    of: operationId,
    by: { kind: 'human', id: 'ada@example.org', mode: 'interactive' },
    input_digest: contentDigest(action.salt, withTexts(action.input).value),
    ...(presentedDigest === null ? {} : { presented_digest: presentedDigest }),
    ...more,
  };
  return {
    profile: 'countersign.agent-action/1',
    phase: 'decided',
    action_id: action.actionId,
    decision: JSON.parse(JSON.stringify(decision)),
  };
}
