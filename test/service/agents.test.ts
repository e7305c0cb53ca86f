import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { INTEGRATION_TYPES } from '../../src/api/index.ts';
import { toHex } from '../../src/protocol/index.ts';
import { expectError } from '../support/client.ts';
import { registerAgent, submitNext, TestService } from '../support/service.ts';
import { chainHashOf, Signer } from '../support/signer.ts';

const service = await TestService.start();
const owner = await service.signUp();

function registration(members: object = {}): object {
  return { ...new Signer(owner.orgId, `agent-${crypto.randomUUID()}`).registration, ...members };
}

describe('POST /v1/agents/register', () => {
  it('registers an agent with its keys', async () => {
    const { registration: minimal, publicKey } = new Signer(owner.orgId, 'minimal');
    const before = Date.now();
    const answer = await owner.client.call('registerAgent', { body: minimal });
    expect(answer.status).toBe(201);
    const time = answer.body.agent.created_at;
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
    expect(answer.body).toEqual({
      agent: {
        agent_id: 'minimal',
        org_id: owner.orgId,
        display_name: 'minimal',
        responsible_entity: null,
        integration_type: 'sdk',
        status: 'active',
        created_at: time,
        updated_at: time,
      },
      keys: [
        {
          kid: 'key-1',
          agent_id: 'minimal',
          public_key: publicKey,
          algorithm: 'ed25519',
          status: 'active',
          created_at: time,
          retired_at: null,
        },
      ],
    });
    expect(await owner.client.ok('getAgent', { params: { agent_id: 'minimal' } })).toEqual(answer.body);
  });

  it('keeps every optional member, in any script', async () => {
    const given = {
      display_name: '配達員 Γιώργος 🚚',
      responsible_entity: 'ops@example.org',
      integration_type: 'codex',
    };
    const { agent } = await owner.client.ok('registerAgent', { body: registration(given) });
    expect(agent).toMatchObject(given);
  });

  it.each(['sdk', ...INTEGRATION_TYPES])('takes the integration type %s', async (integration_type) => {
    const { agent } = await owner.client.ok('registerAgent', { body: registration({ integration_type }) });
    expect(agent.integration_type).toBe(integration_type);
  });

  it('takes a public key in every encoding and gives it back in one', async () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
    const der = publicKey.export({ format: 'der', type: 'spki' });
    const spellings = [
      raw.toString('base64url'),
      raw.toString('base64'),
      toHex(raw),
      toHex(raw).toUpperCase(),
      der.toString('base64'),
      publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    ];
    const keys = spellings.map((public_key, index) => ({ kid: `k${index}`, public_key, algorithm: 'ed25519' }));
    const answer = await owner.client.ok('registerAgent', { body: registration({ keys }) });
    expect(answer.keys.map(({ kid }) => kid)).toEqual(keys.map(({ kid }) => kid));
    expect(new Set(answer.keys.map(({ public_key }) => public_key))).toEqual(new Set([raw.toString('base64url')]));
  });

  it('refuses an agent_id that is taken, and one that was deleted', async () => {
    const { agentId } = await registerAgent(owner);
    const before = service.trace();
    expectError(
      await owner.client.call('registerAgent', { body: registration({ agent_id: agentId }) }),
      'CONFLICT',
      'agent_id',
    );
    service.sql.prepare('UPDATE agents SET deleted_at = ? WHERE agent_id = ?').run(Date.now(), agentId);
    expectError(
      await owner.client.call('registerAgent', { body: registration({ agent_id: agentId }) }),
      'CONFLICT',
      'agent_id',
    );
    expect(service.trace()).toEqual(before);
  });

  it('gives an agent_id to one of many at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => owner.client.call('registerAgent', { body: registration({ agent_id: 'race' }) })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
  });

  it('lets two organizations use the same agent_id', async () => {
    const { agentId } = await registerAgent(owner);
    const other = await service.signUp('namesake');
    const signer = await registerAgent(other, agentId);
    expect(await other.client.ok('getAgent', { params: { agent_id: agentId } })).toMatchObject({
      agent: { org_id: other.orgId },
      keys: [{ public_key: signer.publicKey }],
    });
  });

  it('refuses a kid that stands twice', async () => {
    const key = new Signer(owner.orgId, 'twice').registration.keys;
    expectError(
      await owner.client.call('registerAgent', { body: registration({ keys: [...key, ...key] }) }),
      'CONFLICT',
      'key-1',
    );
  });

  const key = { kid: 'k', public_key: new Signer('', '').publicKey, algorithm: 'ed25519' };
  it.each<[string, string, object]>([
    ['agent_id', 'missing', { agent_id: undefined }],
    ['agent_id', 'empty', { agent_id: '' }],
    ['agent_id', 'with a space', { agent_id: 'a b' }],
    ['agent_id', 'beginning with a hyphen', { agent_id: '-a' }],
    ['agent_id', 'of 129 characters', { agent_id: 'a'.repeat(129) }],
    ['agent_id', 'a number', { agent_id: 1 }],
    ['agent_id', 'with a line break at its end', { agent_id: 'a\n' }],
    ['display_name', 'null', { display_name: null }],
    ['display_name', 'blank', { display_name: ' ' }],
    ['display_name', 'with a lone surrogate', { display_name: 'a\ud800' }],
    ['responsible_entity', 'too long', { responsible_entity: 'x'.repeat(513) }],
    ['integration_type', 'not of the list', { integration_type: 'windsurf' }],
    ['integration_type', 'in another case', { integration_type: 'SDK' }],
    ['keys', 'missing', { keys: undefined }],
    ['keys', 'empty', { keys: [] }],
    ['keys', 'an object', { keys: key }],
    ['keys', 'too many', { keys: Array.from({ length: 101 }, (_, n) => ({ ...key, kid: `k${n}` })) }],
    ['keys[0].kid', 'missing', { keys: [{ ...key, kid: undefined }] }],
    ['keys[0].kid', 'blank', { keys: [{ ...key, kid: ' ' }] }],
    ['keys[0].algorithm', 'another', { keys: [{ ...key, algorithm: 'rsa' }] }],
    ['keys[1].public_key', 'cut short', { keys: [key, { ...key, kid: 'l', public_key: key.public_key.slice(1) }] }],
    ['keys[0].public_key', 'of small order', { keys: [{ ...key, public_key: `01${'00'.repeat(31)}` }] }],
    ['keys[0].public_key', 'no point', { keys: [{ ...key, public_key: `02${'00'.repeat(31)}` }] }],
    ['keys[0].public_key', 'a private key', { keys: [{ ...key, public_key: '-----BEGIN PRIVATE KEY-----' }] }],
    ['keys[0].status', 'unknown', { keys: [{ ...key, status: 'active' }] }],
    ['status', 'unknown', { status: 'active' }],
    ['org_id', 'unknown', { org_id: owner.orgId }],
  ])('refuses %s: %s', async (member, _, members) => {
    const before = service.trace();
    expectError(
      await owner.client.call('registerAgent', { body: registration(members) }),
      'VALIDATION_ERROR',
      // A lone surrogate is no JSON that the service reads (RFC 7493): there is no member to name then.
      member === 'display_name' && _.includes('surrogate') ? undefined : member,
    );
    expect(service.trace()).toEqual(before);
  });

  it('is recorded in the administrative log', async () => {
    const { agentId } = await registerAgent(owner);
    const event = service.sql.prepare('SELECT * FROM admin_events WHERE target_id = ?').get(agentId);
    expect(event).toMatchObject({ action: 'agent.register', actor: owner.userId, target_type: 'agent' });
  });
});

describe('GET /v1/agents', () => {
  it('lists the agents in the order of their registration, deleted ones left out', async () => {
    const account = await service.signUp('lister');
    expect(await account.client.ok('listAgents')).toEqual({ agents: [] });
    for (const name of ['one', 'two', 'three']) await registerAgent(account, name);
    service.sql.prepare("UPDATE agents SET deleted_at = 1 WHERE org_id = ? AND agent_id = 'two'").run(account.orgId);
    const { agents } = await account.client.ok('listAgents');
    expect(agents.map(({ agent_id }) => agent_id).toSorted()).toEqual(['one', 'three']);
    expect(agents.map(({ created_at }) => created_at)).toEqual(agents.map(({ created_at }) => created_at).toSorted());
    const { agent } = await account.client.ok('getAgent', { params: { agent_id: 'one' } });
    expect(agents).toContainEqual({ ...agent, active_keys: 1 });
  });
});

describe('GET /v1/agents/:agent_id', () => {
  it('shows a revoked key as such', async () => {
    const { agentId } = await registerAgent(owner);
    service.sql.prepare("UPDATE agent_keys SET status = 'revoked', retired_at = 7 WHERE agent_id = ?").run(agentId);
    const { keys } = await owner.client.ok('getAgent', { params: { agent_id: agentId } });
    expect(keys).toMatchObject([{ status: 'revoked', retired_at: 7 }]);
  });

  it('finds an agent under a name with signs that an address must escape', async () => {
    await registerAgent(owner, 'a:b@c.d_e-f');
    const { agent } = await owner.client.ok('getAgent', { params: { agent_id: 'a:b@c.d_e-f' } });
    expect(agent.agent_id).toBe('a:b@c.d_e-f');
  });

  it('does not know an agent that is not there, or was deleted', async () => {
    const { agentId } = await registerAgent(owner);
    service.sql.prepare('UPDATE agents SET deleted_at = 1 WHERE agent_id = ?').run(agentId);
    for (const agent_id of ['nobody', agentId, "x' OR '1'='1", '%', '😀']) {
      expectError(await owner.client.call('getAgent', { params: { agent_id } }), 'NOT_FOUND');
      expectError(await owner.client.call('agentHead', { params: { agent_id } }), 'NOT_FOUND');
    }
  });
});

describe('GET /v1/agents/:agent_id/head', () => {
  it('is empty at first, then the newest operation', async () => {
    const signer = await registerAgent(owner);
    const params = { agent_id: signer.agentId };
    expect(await owner.client.ok('agentHead', { params })).toEqual({ chain_hash: null, seq_no: null });
    for (let n = 0; n < 2; n++) {
      const record = signer.next();
      const { seq_no } = await owner.client.ok('submitOperation', { body: record });
      expect(await owner.client.ok('agentHead', { params })).toEqual({ chain_hash: chainHashOf(record), seq_no });
    }
  });

  it('does not move with the operations of others', async () => {
    const [one, two] = [await registerAgent(owner), await registerAgent(owner)];
    await submitNext(owner, one);
    const before = await owner.client.ok('agentHead', { params: { agent_id: one.agentId } });
    await submitNext(owner, two);
    expect(await owner.client.ok('agentHead', { params: { agent_id: one.agentId } })).toEqual(before);
  });
});
