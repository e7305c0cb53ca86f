import { type Receipt, thumbprint, toBase64Url } from '../../protocol/index.ts';
import { verifyReceipt, verifyReceiptOf } from '../../reports/verify/index.ts';
import { CallFailed, call } from '../api/call.ts';
import { type Decision, draftDecision } from './decision-record.ts';
import { type DecisionKey, dropKey, keepKey, keptKey, makeKey, signWith } from './key-store.ts';
import type { Question } from './question.ts';

/** Who is signed in. */
export interface Person {
  readonly orgId: string;
  readonly userId: string;
}

/** The key of this browser, where the service still takes it. */
export async function usableKey({ orgId, userId }: Person): Promise<DecisionKey | null> {
  const kept = await keptKey(orgId, userId);
  if (kept === null) return null;
  const { decider } = await call('decisionAgent');
  const isActive =
    decider?.agent.agent_id === kept.agentId &&
    decider.keys.some(({ kid, status }) => kid === kept.kid && status === 'active');
  if (isActive) return kept;
  await dropKey(orgId, userId);
  return null;
}

/**
 * Makes a key in this browser and registers its public half. A page that ends in between leaves a registered key that no
 * window has: its person sees it on the account screen and revokes it.
 * @throws CallFailed, Error for a browser that cannot sign
 */
export async function addKey({ orgId, userId }: Person): Promise<DecisionKey> {
  const { privateKey, publicKey } = await makeKey();
  // Named after the key itself: no two windows' keys have one name.
  const body = {
    kid: `window-${thumbprint(publicKey).slice(0, 16)}`,
    public_key: toBase64Url(publicKey),
    algorithm: 'ed25519',
  };
  const { key } = await call('addDecisionKey', { body });
  const made = { orgId, userId, agentId: key.agent_id, kid: key.kid, privateKey };
  await keepKey(made);
  return made;
}

/** How a decision was received: its receipt, and what is wrong with that. */
export interface Decided {
  readonly receipt: Receipt;
  readonly problems: readonly string[];
}

/**
 * Signs a decision with the person's own key, which is made where this browser has none, submits it, and verifies the
 * receipt with the service's key.
 * @throws CallFailed
 */
export async function decide(person: Person, question: Question, decision: Decision): Promise<Decided> {
  const key = (await usableKey(person)) ?? (await addKey(person));
  try {
    return await submit(key, question, decision);
  } catch (error) {
    // Another window of the same person came in between: the record must refer to the newest one.
    if (!(error instanceof CallFailed) || error.code !== 'PREV_HASH_MISMATCH') throw error;
    return submit(key, question, decision);
  }
}

async function submit(key: DecisionKey, question: Question, decision: Decision): Promise<Decided> {
  const { chain_hash: prevChainHash } = await call('agentHead', { params: { agent_id: key.agentId } });
  const draft = draftDecision(question, decision, { ...key, prevChainHash }, Date.now());
  const { record } = draft.signed(await signWith(key, draft.signedBytes));
  const receipt = await call('submitDecision', { body: record });
  const { keys } = await call('jwks');
  const signed = verifyReceipt(
    receipt,
    keys.map(({ x }) => x),
  );
  return { receipt, problems: [...signed.problems, ...verifyReceiptOf(record, receipt).problems] };
}
