// docs/interface.md, POST /v1/agents/enrol: an agent and a token that can only submit for it, in one call. What a thief of a
// token for that can do is in test/security/stolen-token.slow.test.ts.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Client, expectError } from '../support/client.ts';
import { type Account, eventsOf, registerAgent, TestService } from '../support/service.ts';
import { Signer } from '../support/signer.ts';

const service = await TestService.start();
const owner = await service.signUp();

/** An agent that nobody has registered yet. */
function newAgent({ orgId }: Account = owner): Signer {
  return new Signer(orgId, `agent-${randomUUID()}`);
}

/** A client with a new API token. */
async function withToken(body: object, { client }: Account = owner): Promise<Client> {
  return service.client((await client.ok('createToken', { body })).token);
}

const enrolToken = (account: Account = owner): Promise<Client> =>
  withToken({ scope: 'enrol', ttl_seconds: 900, name: 'Installing' }, account);

async function enrol(client: Client, signer: Signer, further: object = {}) {
  const answer = await client.ok('enrolAgent', { body: { ...signer.registration, ...further } });
  return { ...answer, program: service.client(answer.token.token) };
}

/** The id of a token, as the list of its user's tokens has it. */
async function idOf(name: string): Promise<string> {
  const { tokens } = await owner.client.ok('listTokens');
  return tokens.find((row) => row.name === name)?.id ?? expect.fail(`no token ${name}`);
}

describe('POST /v1/auth/token with the scope enrol', () => {
  it('issues a token that is listed with its scope', async () => {
    const answer = await owner.client.call('createToken', { body: { scope: 'enrol', ttl_seconds: 900, name: 'Once' } });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ name: 'Once', scope: 'enrol', expires_at: expect.any(Number) });
    expect(answer.body).not.toHaveProperty('agent_id');
    const { tokens } = await owner.client.ok('listTokens');
    expect(tokens.find(({ name }) => name === 'Once')).toMatchObject({ scope: 'enrol', agent_id: null });
    const [event] = await eventsOf(owner, 'token.create');
    expect(event?.details).toEqual({ ttl_seconds: 900, name: 'Once', scope: 'enrol' });
  });

  it.each<[string, object, string]>([
    ['no lifetime', {}, 'ttl_seconds'],
    ['one without an end', { ttl_seconds: null }, 'ttl_seconds'],
    ['one of more than a day', { ttl_seconds: 86_401 }, 'ttl_seconds'],
    ['an agent', { ttl_seconds: 900, agent_id: 'agent-1' }, 'agent_id'],
  ])('refuses %s', async (_, body, member) => {
    const answer = await owner.client.call('createToken', { body: { scope: 'enrol', ...body } });
    expectError(answer, 'VALIDATION_ERROR', member);
  });

  it('refuses a role that may not register an agent', async () => {
    const reader = service.addMember(owner, 'readonly_investigator');
    const answer = await reader.client.call('createToken', { body: { scope: 'enrol', ttl_seconds: 900 } });
    expectError(answer, 'FORBIDDEN', 'integration_engineer');
  });
});

describe('POST /v1/agents/enrol', () => {
  it.each<[string, () => Promise<Client>]>([
    ['a session', () => Promise.resolve(owner.client)],
    ['a full token', () => withToken({})],
    ['a token that registers an agent', () => enrolToken()],
  ])('by %s registers the agent and issues a token that submits for it alone', async (_, client) => {
    const signer = newAgent();
    const answer = await (await client()).call('enrolAgent', {
      body: { ...signer.registration, token_name: 'Program' },
    });
    expect(answer.status).toBe(201);
    const { agent, keys, token } = answer.body;
    const stored = await owner.client.ok('getAgent', { params: { agent_id: signer.agentId } });
    expect({ agent, keys }).toEqual(stored);
    const { agentId: agent_id } = signer;
    expect(token).toEqual({ token: expect.any(String), expires_at: null, name: 'Program', scope: 'submit', agent_id });
    const program = service.client(token.token);
    await program.ok('submitOperation', { body: signer.next() });
    expectError(await program.call('listAgents'), 'FORBIDDEN', 'only submit');
    expectError(await program.call('enrolAgent', { body: newAgent().registration }), 'FORBIDDEN', 'only submit');
  });

  it('is recorded as both acts, and as the end of the token that was used', async () => {
    const client = await enrolToken();
    const before = (await eventsOf(owner)).length;
    const signer = newAgent();
    await enrol(client, signer);
    const events = (await eventsOf(owner)).slice(0, -before || undefined);
    expect(events.slice(0, 3).map(({ action }) => action)).toEqual(['token.create', 'token.revoke', 'agent.register']);
    const { agentId: agent_id } = signer;
    expect(events[0]?.details).toEqual({ ttl_seconds: null, scope: 'submit', agent_id });
    expect(events[1]?.details).toEqual({ ttl_seconds: 900, name: 'Installing', scope: 'enrol', agent_id });
  });

  it('refuses a role that may not register an agent, and a token of somebody who lost that role', async () => {
    const reader = service.addMember(owner, 'readonly_investigator');
    expectError(await reader.client.call('enrolAgent', { body: newAgent().registration }), 'FORBIDDEN');
    const engineer = service.addMember(owner, 'integration_engineer');
    const client = await enrolToken(engineer);
    service.setRole(engineer, 'readonly_investigator');
    expectError(await client.call('enrolAgent', { body: newAgent().registration }), 'FORBIDDEN');
  });

  it('takes a token for it once, and none that has expired', async () => {
    const client = await enrolToken();
    await enrol(client, newAgent());
    expectError(await client.call('enrolAgent', { body: newAgent().registration }), 'UNAUTHORIZED');
    const late = await enrolToken();
    service.sql.prepare("UPDATE api_tokens SET expires_at = 1 WHERE scope = 'enrol'").run();
    expectError(await late.call('enrolAgent', { body: newAgent().registration }), 'UNAUTHORIZED');
  });

  it('leaves the token usable where the agent_id is taken or a key is weak', async () => {
    const client = await enrolToken();
    const { registration } = await registerAgent(owner);
    const before = service.trace();
    expectError(await client.call('enrolAgent', { body: registration }), 'CONFLICT', 'agent_id');
    const weak = { ...registration, keys: [{ ...registration.keys[0], public_key: 'A'.repeat(43) }] };
    expectError(await client.call('enrolAgent', { body: weak }), 'VALIDATION_ERROR', 'keys[0].public_key');
    expect(service.trace()).toEqual(before);
    await enrol(client, newAgent());
  });

  it('registers nothing in, and gets no agent of, another organization', async () => {
    const stranger = await service.signUp('stranger');
    const signer = newAgent();
    await enrol(owner.client, signer);
    // The same name is free there, and is another agent.
    const { agent } = await enrol(await enrolToken(stranger), new Signer(stranger.orgId, signer.agentId));
    expect(agent.org_id).toBe(stranger.orgId);
    const other = newAgent();
    await enrol(owner.client, other);
    const before = service.trace();
    const answer = await stranger.client.call('enrolAgent', { body: { ...other.registration, again: true } });
    expectError(answer, 'NOT_FOUND');
    expect(service.trace()).toEqual(before);
  });
});

describe('the token that a full token issues', () => {
  it('ends when the full token is to end', async () => {
    const full = await owner.client.ok('createToken', { body: { ttl_seconds: 600 } });
    const { token } = await enrol(service.client(full.token), newAgent());
    expect(token.expires_at).toBe(full.expires_at);
  });

  it('is revoked with the full token, also after rotation of either', async () => {
    const name = `full-${randomUUID()}`;
    const full = await withToken({ name });
    const [one, two, three] = [newAgent(), newAgent(), newAgent()];
    const first = await enrol(full, one);
    const second = await enrol(full, two);
    const secondRotated = service.client((await second.program.ok('rotateToken')).token);
    const rotated = service.client((await full.ok('rotateToken')).token);
    const third = await enrol(rotated, three);
    const programs: [Client, Signer][] = [
      [first.program, one],
      [secondRotated, two],
      [third.program, three],
    ];
    for (const [program, signer] of programs) await program.ok('submitOperation', { body: signer.next() });
    const parent = await idOf(name);
    await owner.client.ok('revokeToken', { params: { token_id: parent } });
    for (const [program, signer] of programs) {
      expectError(await program.call('submitOperation', { body: signer.next() }), 'UNAUTHORIZED');
    }
    const revoked = (await eventsOf(owner, 'token.revoke')).slice(0, 4);
    expect(revoked[0]?.target_id).toBe(parent);
    expect(revoked.slice(1).map(({ details }) => details['parent_token_id'])).toEqual([parent, parent, parent]);
  });

  it('is revoked by itself without the full token, and each once where all of a user are', async () => {
    const member = service.addMember(owner, 'integration_engineer');
    const full = await withToken({}, member);
    const { token, program } = await enrol(full, newAgent());
    await enrol(full, newAgent());
    const { tokens } = await member.client.ok('listTokens');
    const child = tokens.find((row) => row.agent_id === token.agent_id)?.id ?? '';
    await member.client.ok('revokeToken', { params: { token_id: child } });
    expectError(await program.call('agentHead', { params: { agent_id: token.agent_id ?? '' } }), 'UNAUTHORIZED');
    await full.ok('session');
    const before = (await eventsOf(owner, 'token.revoke')).length;
    await owner.client.ok('removeMember', { params: { user_id: member.userId } });
    expect((await eventsOf(owner, 'token.revoke')).length - before).toBe(2);
  });
});

describe('enrolling an agent again', () => {
  const key = (signer: Signer, kid: string) => ({
    ...signer.registration,
    keys: [{ ...newAgent().registration.keys[0], kid }],
    again: true,
  });

  it.each<[string, () => Promise<Client>]>([
    ['a session', () => Promise.resolve(owner.client)],
    ['a full token', () => withToken({})],
  ])('by %s adds the key, and issues a token', async (_, client) => {
    const signer = await registerAgent(owner);
    const { keys, program } = await (async () => {
      const answer = await (await client()).ok('enrolAgent', { body: key(signer, 'key-2') });
      return { ...answer, program: service.client(answer.token.token) };
    })();
    expect(keys.map(({ kid }) => kid)).toEqual(['key-1', 'key-2']);
    await program.ok('submitOperation', { body: signer.next() });
    expect((await eventsOf(owner, 'agent.add_key'))[0]).toMatchObject({ target_id: signer.agentId });
  });

  it('refuses an agent that is not there, deleted, frozen, of another type, or that has the kid', async () => {
    const signer = await registerAgent(owner);
    const params = { agent_id: signer.agentId };
    const again = (body: object) => owner.client.call('enrolAgent', { body });
    const before = service.trace();
    expectError(await again(key(newAgent(), 'key-2')), 'NOT_FOUND');
    expectError(await again(key(signer, 'key-1')), 'CONFLICT', 'kid');
    expectError(await again({ ...key(signer, 'key-2'), integration_type: 'cursor' }), 'CONFLICT', 'integration_type');
    expect(service.trace()).toEqual(before);
    await owner.client.ok('freezeAgent', { params, body: { reason: 'for the test' } });
    expectError(await again(key(signer, 'key-2')), 'CONFLICT', 'frozen');
    await owner.client.ok('deleteAgent', { params });
    expectError(await again(key(signer, 'key-2')), 'NOT_FOUND');
  });
});

describe('an organization at its quota of API tokens', async () => {
  const full = await TestService.start({ quotaTokens: 2 });
  const account = await full.signUp();
  const { token } = await account.client.ok('createToken', { body: { scope: 'enrol', ttl_seconds: 900 } });
  await account.client.ok('createToken', { body: {} });

  it('registers no agent with a session, and one with a token that makes room by its use', async () => {
    const before = full.trace();
    const refused = await account.client.call('enrolAgent', { body: newAgent(account).registration });
    expectError(refused, 'QUOTA_EXCEEDED', 'API tokens');
    expect(full.trace()).toEqual(before);
    await full.client(token).ok('enrolAgent', { body: newAgent(account).registration });
  });
});
