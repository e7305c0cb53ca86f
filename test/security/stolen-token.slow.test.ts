// A token that an agent's program carries gets into wrong hands: what can be done with it, tried against every route.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ROUTES, type Route, type RouteName } from '../../src/api/index.ts';
import { enterWorkstation } from '../support/cases.ts';
import { errorOf, expectError, pathOf } from '../support/client.ts';
import { type Account, registerAgent, submitNext, TestService } from '../support/service.ts';
import { Signer } from '../support/signer.ts';

const service = await TestService.start();
const owner = await service.signUp();
const own = await registerAgent(owner, 'billing-bot');
const other = await registerAgent(owner, 'secret-bot');
const receipt = await submitNext(owner, own, { subject: 'secret subject' });
await submitNext(owner, other, { subject: 'secret subject' });

const QUESTION = {
  profile: 'countersign.agent-action/1',
  phase: 'asked',
  action_id: randomUUID(),
  tool: { name: 'pay' },
  input: { value: { to: 'secret' } },
};

/** What the thief has, issued by the owner of the organization: no role makes more of it. */
async function stolenToken(account: Account = owner, agent_id: string = own.agentId) {
  const body = { scope: 'submit', agent_id, ttl_seconds: 3600 };
  return service.client((await account.client.ok('createToken', { body })).token);
}

const routes = Object.entries(ROUTES) as [RouteName, Route][];

/** Open ones ask nobody who they are, but for the one that lets somebody with an account join. */
const guarded = routes.filter(([name, { access }]) => access !== 'public' || name === 'acceptInvitation');

/** All that such a token is for. */
const ALLOWED: readonly RouteName[] = [
  'submitOperation',
  'submitBatch',
  'agentHead',
  'agentDecision',
  'rotateToken',
  'exchangeCheckpoints',
];

describe('a stolen token that can only submit', async () => {
  const thief = await stolenToken();

  it.each(guarded.filter(([name]) => !ALLOWED.includes(name)))('is refused by %s, and tells nothing', async (name) => {
    const before = service.trace();
    const params = { agent_id: own.agentId, operation_id: receipt.operation_id, user_id: owner.userId };
    const body = name === 'acceptInvitation' ? { body: { code: 'x' } } : {};
    const answer = await thief.call(name, { params, ...body });
    expectError(answer, 'FORBIDDEN', 'only submit');
    expect(answer.bytes.toString('utf8')).not.toMatch(/secret/);
    expect(service.trace()).toEqual(before);
  });

  it('learns how long the log is and what its root is, and nothing of what is in it', async () => {
    await owner.client.ok('closeEpoch');
    const before = service.trace();
    const answer = await thief.call('exchangeCheckpoints');
    expect(answer.status).toBe(200);
    expect(answer.bytes.toString('utf8')).not.toMatch(/secret/);
    expect(service.trace()).toEqual(before);
  });

  it('reads where the chain of the agent of the token ends, and of no other, registered or not', async () => {
    const head = await thief.ok('agentHead', { params: { agent_id: own.agentId } });
    expect(head.chain_hash).toBe(receipt.chain_hash);
    const messages: string[] = [];
    for (const agent_id of [other.agentId, 'nobody']) {
      messages.push(expectError(await thief.call('agentHead', { params: { agent_id } }), 'FORBIDDEN').message);
    }
    expect(messages[0]).toBe(messages[1]);
  });

  it('reads what was decided on questions of the agent of the token, and of no other', async () => {
    const asks = async (agent: Signer) => (await submitNext(owner, agent, { payload: QUESTION })).operation_id;
    const [asked, foreign, plain] = [await asks(own), await asks(other), receipt.operation_id];
    const ask = (agent_id: string, operation_id: string) =>
      thief.call('agentDecision', { params: { agent_id, operation_id } });
    expect((await ask(own.agentId, asked)).body).toEqual({ state: 'waiting', decision: null });
    const messages: string[] = [];
    for (const agent_id of [other.agentId, 'nobody']) {
      messages.push(expectError(await ask(agent_id, foreign), 'FORBIDDEN', 'only submit').message);
    }
    expect(messages[0]).toBe(messages[1]);
    const unknown = randomUUID();
    const found = [foreign, unknown].map(async (id) => expectError(await ask(own.agentId, id), 'NOT_FOUND').message);
    expect(await found[0]).toBe(await found[1]);
    expectError(await ask(own.agentId, plain), 'NOT_FOUND', 'no decision');
  });

  it('submits nothing for another agent, even with its private key, alone or in a batch', async () => {
    const before = service.trace();
    expectError(await thief.call('submitOperation', { body: other.next() }), 'FORBIDDEN', 'agent_id');
    const records = [other.next(), { ...other.next(), agent_id: 'nobody' }];
    const { results } = await thief.ok('submitBatch', { body: { records } });
    expect(results.map((result) => 'error' in result && result.error?.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    expect(service.trace()).toEqual(before);
  });

  it('gives a record of another agent the same answer whether that agent exists or not', async () => {
    const answers = [
      other.next(),
      { ...other.next(), agent_id: 'nobody' },
      { ...other.next(), signature: 'A'.repeat(86) },
    ];
    const messages = new Set<string>();
    for (const body of answers) messages.add(errorOf(await thief.call('submitOperation', { body })).message);
    expect(messages.size).toBe(1);
  });

  it('submits nothing without the private key of its agent', async () => {
    const body = { ...own.next(), signature: other.next().signature };
    expectError(await thief.call('submitOperation', { body }), 'INVALID_SIGNATURE');
  });

  it('is refused with the cookie of a workstation session too', async () => {
    const { cookie } = await enterWorkstation(service);
    expect(cookie).toContain('workstation');
    const answer = await thief.send({ path: pathOf('listCases'), headers: { cookie } });
    expectError(answer, 'FORBIDDEN', 'only submit');
  });

  it('ends with the membership of its user, and with the role that lets them submit', async () => {
    const engineer = service.addMember(owner, 'integration_engineer');
    const token = await stolenToken(engineer);
    const head = { params: { agent_id: own.agentId } };
    await token.ok('agentHead', head);
    await owner.client.ok('changeRole', {
      params: { user_id: engineer.userId },
      body: { role: 'readonly_investigator' },
    });
    expectError(await token.call('submitOperation', { body: own.next() }), 'FORBIDDEN');
    await owner.client.ok('removeMember', { params: { user_id: engineer.userId } });
    expectError(await token.call('agentHead', head), 'UNAUTHORIZED');
  });
});

describe('a stolen token that can only register an agent', async () => {
  const body = { scope: 'enrol', ttl_seconds: 3600 };
  const thief = service.client((await owner.client.ok('createToken', { body })).token);

  it.each(guarded.filter(([name]) => name !== 'enrolAgent'))('is refused by %s, and tells nothing', async (name) => {
    const before = service.trace();
    const params = { agent_id: own.agentId, operation_id: receipt.operation_id, user_id: owner.userId };
    const given = name === 'acceptInvitation' ? { body: { code: 'x' } } : {};
    const answer = await thief.call(name, { params, ...given });
    expectError(answer, 'FORBIDDEN', 'only register one agent');
    expect(answer.bytes.toString('utf8')).not.toMatch(/secret/);
    expect(service.trace()).toEqual(before);
  });

  it('takes no agent over that exists, and registers none of its name', async () => {
    const before = service.trace();
    const { registration } = new Signer(owner.orgId, own.agentId);
    const again = { ...registration, keys: [{ ...registration.keys[0], kid: 'key-2' }], again: true };
    expectError(await thief.call('enrolAgent', { body: again }), 'FORBIDDEN', 'only register a new agent');
    expectError(await thief.call('enrolAgent', { body: registration }), 'CONFLICT', 'agent_id');
    expect(service.trace()).toEqual(before);
  });

  it('registers one agent however many ask with it at once', async () => {
    const asked = Array.from({ length: 6 }, (_, number) => new Signer(owner.orgId, `stolen-${number}`).registration);
    const answers = await Promise.all(asked.map((one) => thief.call('enrolAgent', { body: one })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401, 401]);
    const { agents } = await owner.client.ok('listAgents');
    expect(agents.filter(({ agent_id: id }) => id.startsWith('stolen-'))).toHaveLength(1);
  });
});

describe('the agent that the token is for', () => {
  it('submits with it, one by one and in a batch', async () => {
    const agent = await registerAgent(owner);
    const client = await stolenToken(owner, agent.agentId);
    await client.ok('submitOperation', { body: agent.next() });
    const { results } = await client.ok('submitBatch', { body: { records: [agent.next(), agent.next()] } });
    expect(results.map(({ status }) => status)).toEqual([201, 201]);
  });

  it('gets the answers of the interface where it is frozen, and where it is deleted', async () => {
    const agent = await registerAgent(owner);
    const client = await stolenToken(owner, agent.agentId);
    const params = { agent_id: agent.agentId };
    await owner.client.ok('freezeAgent', { params, body: { reason: 'for the test' } });
    expectError(await client.call('submitOperation', { body: agent.next() }), 'AGENT_FROZEN');
    await client.ok('agentHead', { params });
    await owner.client.ok('deleteAgent', { params });
    expectError(await client.call('submitOperation', { body: agent.next() }), 'UNKNOWN_AGENT');
    expectError(await client.call('agentHead', { params }), 'NOT_FOUND');
  });
});
