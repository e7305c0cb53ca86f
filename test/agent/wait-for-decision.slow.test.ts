// docs/agent-library.md, Waiting for a decision: what a person decides reaches the agent that asked, and nothing else does.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { Agent, DecisionError, type Question, type Session } from '../../src/agent/index.ts';
import { thumbprint } from '../../src/protocol/index.ts';
import { whatIsTold } from '../support/agent-sessions.ts';
import { type Decider, decisionPayload, newDecider } from '../support/decider.ts';
import { TestProxy } from '../support/proxy.ts';
import { registerAgent, TestService } from '../support/service.ts';
import { newKey } from '../support/signer.ts';
import { until } from '../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();
const proxy = await TestProxy.start(service.url);
const DECISIONS = /\/decisions\//;
const SOON = { intervalMs: 250, timeoutMs: 60_000 } as const;
const NOW = { intervalMs: 250, timeoutMs: 300 } as const;

let ada: Decider;
beforeAll(async () => {
  ada = await newDecider(service, owner);
});

/** An agent with nothing but a token that submits for it, which has asked whether it may pay. */
async function asking() {
  const { orgId, agentId, kid, seed } = await registerAgent(owner, `agent-${randomUUID()}`);
  const { token } = await owner.client.ok('createToken', { body: { scope: 'submit', agent_id: agentId } });
  const names = { orgId, agentId, kid, privateKey: seed };
  const agent = new Agent({ ...names, serviceUrl: proxy.url, serviceKid: service.kid, proveService: false, token });
  const session = agent.session();
  return { agent, agentId, session, question: await ask(session) };
}

function ask(session: Session): Promise<Question> {
  return session.ask({ tool: 'pay', input: { to: 'ACME', amount: 12 }, presented: 'Pay 12 to ACME?' });
}

const failure = (agent: Agent, question: Question, options = {}) =>
  agent.waitForDecision(question, { ...SOON, ...options }).then(
    () => null,
    (error: unknown) => error,
  );
const code = async (...args: Parameters<typeof failure>) => Object(await failure(...args)).code;

type Tree = { [member: string]: unknown };

/** What the service answers next, as somebody between it and the agent changes it: another value at a place of the decision. */
function change(...changes: readonly (readonly [string, (decision: Tree) => unknown])[]): void {
  proxy.next(DECISIONS, {
    kind: 'change',
    change: (text) => {
      const answer = JSON.parse(text) as { decision: Tree };
      const before = structuredClone(answer.decision);
      for (const [place, value] of changes) {
        const names = place.split('.');
        const last = names.pop() ?? '';
        names.reduce((tree, name) => tree[name] as Tree, answer.decision)[last] = value(before);
      }
      return JSON.stringify(answer);
    },
  });
}

const at =
  (place: string) =>
  (decision: Tree): unknown =>
    place.split('.').reduce<unknown>((tree, name) => (tree as Tree)[name], decision);

describe('agent.waitForDecision', () => {
  it('resolves once a person has approved, and the action fits what was approved', async () => {
    const { agent, agentId, session, question } = await asking();
    const polls = proxy.bodies(DECISIONS).length;
    const decided = agent.waitForDecision(question, SOON);
    await until('a question', () => proxy.bodies(DECISIONS).length >= polls + 2);
    const receipt = await ada.decide(decisionPayload(question, 'approved', { justification: 'Fine.' }));
    const decision = await decided;
    expect(decision).toMatchObject({
      outcome: 'approved',
      by: 'ada@example.org',
      justification: 'Fine.',
      receipt,
      operationId: receipt.operation_id,
      keyThumbprint: ada.thumbprint,
    });
    await session.call({ tool: 'pay', question, cause: [decision.operationId] }, () => 'paid');
    await session.end();
    await agent.close();
    const { coherence } = await whatIsTold(service, owner, agentId, ada.agentId);
    expect(coherence).toMatchObject({ status: 'coherent', findings: [] });
  });

  it('rejects with what the person said where it was denied', async () => {
    const { agent, question } = await asking();
    await ada.decide(decisionPayload(question, 'denied', { justification: 'Too much.' }));
    const error = await failure(agent, question);
    expect(error).toBeInstanceOf(DecisionError);
    expect(error).toMatchObject({
      code: 'DECISION_REFUSED',
      message: 'denied by ada@example.org: Too much.',
      decision: { outcome: 'denied', justification: 'Too much.' },
    });
  });

  it.each([
    ['another input', (q: Question) => decisionPayload({ ...q, action: { ...q.action, input: 'all' } }, 'approved')],
    [
      'the same input with another salt',
      (q: Question) => decisionPayload({ ...q, action: { ...q.action, salt: '' } }, 'approved'),
    ],
    ['something else that was shown', (q: Question) => decisionPayload({ ...q, presentedDigest: null }, 'approved')],
    ['another question', (q: Question) => decisionPayload({ ...q, operationId: q.action.actionId }, 'approved')],
    ['no input', (q: Question) => decisionPayload(q, 'approved', { input_digest: undefined })],
    ['a modified input', (q: Question) => decisionPayload(q, 'modified', { input: { value: 'half' } })],
  ])('rejects an approval of %s', async (_, payload) => {
    const { agent, question } = await asking();
    await ada.decide(payload(question));
    expect(await failure(agent, question)).toMatchObject({
      code: 'DECIDED_ON_OTHER_THAN_ASKED',
      decision: { by: 'ada@example.org' },
    });
  });

  it.each<[string, string, (decision: Tree) => unknown]>([
    ['the record', 'operation.eor.subject', () => 'x'],
    ['the payload', 'operation.eor.payload.decision.outcome', () => 'overridden'],
    ["the record's signature", 'operation.eor.signature', at('operation.ear.service_signature')],
    ['the receipt', 'operation.ear.receipt_id', () => 'x'],
    ["the receipt's signature", 'operation.ear.service_signature', at('operation.eor.signature')],
    ['the chain hash', 'operation.ear.chain_hash', () => `sha256:${'0'.repeat(64)}`],
    ['the disclosures', 'operation.disclosures', () => ({ a: ['A'.repeat(22), 1] })],
    ['the key', 'decider.key.public_key', () => Buffer.from(newKey().publicKey).toString('base64url')],
  ])('believes no answer of which somebody changed %s', async (_, place, value) => {
    const { agent, question } = await asking();
    await ada.decide(decisionPayload(question, 'approved'));
    change([place, value]);
    expect(await code(agent, question)).toBe('DECISION_UNPROVEN');
    expect(await code(agent, question)).toBeUndefined();
  });

  it('believes no decision that another service took, or one of another organization', async () => {
    const other = await TestService.start();
    const stranger = await other.signUp();
    const eve = await newDecider(other, stranger);
    const { agent, question } = await asking();
    await ada.decide(decisionPayload(question, 'approved'));
    const receipt = await eve.decide(decisionPayload(question, 'approved'));
    const params = { operation_id: receipt.operation_id };
    const forged = await stranger.client.ok('getOperation', { params });
    change(['operation', () => forged], ['decider.key.public_key', () => eve.publicKey]);
    expect(await failure(agent, question)).toMatchObject({
      code: 'DECISION_UNPROVEN',
      cause: { code: 'RECEIPT_INVALID' },
    });
  });

  it('believes no decision that the agent signed itself', async () => {
    const { agent, session, question } = await asking();
    const by = { kind: 'human', id: 'ada@example.org' } as const;
    await session.decided(question, { outcome: 'approved', by });
    expect(await code(agent, question, NOW)).toBe('DECISION_TIMED_OUT');
  });

  it('counts the keys alone that it is told to count', async () => {
    const { agent, question } = await asking();
    await ada.decide(decisionPayload(question, 'approved'));
    const someone = thumbprint(newKey().publicKey);
    expect(await code(agent, question, { deciders: [someone] })).toBe('DECISION_UNPROVEN');
    expect(await code(agent, question, { deciders: [someone, ada.thumbprint] })).toBeUndefined();
  });

  it('gives up when its time is over, also while the service is away', async () => {
    const { agent, question } = await asking();
    expect(await failure(agent, question, NOW)).toMatchObject({
      code: 'DECISION_TIMED_OUT',
      message: expect.stringContaining('within 300 ms'),
    });
    const away = { kind: 'answer', status: 503, body: '{}' } as const;
    proxy.next(DECISIONS, ...Array.from({ length: 20 }, () => away));
    expect(await code(agent, question, NOW)).toBe('DECISION_TIMED_OUT');
    proxy.clear();
  });

  it('ends with the reason of its signal, at once or while it waits', async () => {
    const { agent, question } = await asking();
    const reason = new Error('no longer needed');
    expect(await failure(agent, question, { signal: AbortSignal.abort(reason) })).toBe(reason);
    const stop = new AbortController();
    const polls = proxy.bodies(DECISIONS).length;
    const waiting = failure(agent, question, { signal: stop.signal });
    await until('a question', () => proxy.bodies(DECISIONS).length > polls);
    stop.abort(reason);
    expect(await waiting).toBe(reason);
  });

  it('does not wait for a question that is closed, or that the agent did not ask', async () => {
    const { agent, session, question } = await asking();
    await session.refused(question);
    expect(await code(agent, question)).toBe('QUESTION_CLOSED');
    const other = await asking();
    expect(await code(agent, other.question)).toBe('NOT_FOUND');
  });

  it.each([
    ['a state that there is not', '{"state":"perhaps"}'],
    ['no decision', '{"state":"decided","decision":null}'],
    ['no object', '7'],
  ])('takes %s for no answer', async (_, body) => {
    const { agent, question } = await asking();
    proxy.next(DECISIONS, { kind: 'answer', status: 200, body });
    expect(await code(agent, question)).toBe('ANSWER_INVALID');
  });
});
