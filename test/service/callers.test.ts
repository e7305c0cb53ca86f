import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Callers } from '../../src/service/people/identity/callers.ts';
import { Writer } from '../../src/service/store/writer.ts';
import { expectError } from '../support/client.ts';
import { rowLedger } from '../support/operation-rows.ts';
import { TestService } from '../support/service.ts';

describe('a caller who is remembered', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();

  it('is refused at once when the token is revoked, and when the session ends', async () => {
    const { token } = await owner.client.ok('createToken', { body: {} });
    const [issued] = (await owner.client.ok('listTokens')).tokens;
    const client = service.client(token);
    for (let n = 0; n < 3; n++) await client.ok('listAgents');
    await owner.client.ok('revokeToken', { params: { token_id: issued?.id ?? '' } });
    expectError(await client.call('listAgents'), 'UNAUTHORIZED');
    const member = service.addMember(owner, 'security_admin');
    for (let n = 0; n < 3; n++) await member.client.ok('listAgents');
    await member.client.ok('signOut');
    expectError(await member.client.call('listAgents'), 'UNAUTHORIZED');
  });

  it('has another role from the moment it is changed', async () => {
    const member = service.addMember(owner, 'security_admin');
    for (let n = 0; n < 3; n++) await member.client.ok('listAdminEvents');
    const params = { user_id: member.userId };
    await owner.client.ok('changeRole', { params, body: { role: 'readonly_investigator' } });
    expectError(await member.client.call('registerAgent', { body: {} }), 'FORBIDDEN');
    await owner.client.ok('removeMember', { params });
    expect((await member.client.call('listAgents')).status).toBeGreaterThanOrEqual(401);
  });
});

const CLIENT = { by: 'bearer', page: null, from: '127.0.0.1', browser: 'Firefox' } as const;

it('a token that is remembered ends when its time has come', async () => {
  const { store } = rowLedger('org');

  const hash = createHash('sha256').update('csn_sess_token').digest();
  store.sqlite.prepare("INSERT INTO users (user_id, email, name, created_at) VALUES ('u', 'u@e.org', 'U', 0)").run();
  store.sqlite
    .prepare("INSERT INTO sessions (token_hash, user_id, created_at, expires_at) VALUES (?, 'u', 0, 1000)")
    .run(hash);
  const callers = new Callers(store, new Writer(store), (error) => {
    throw error;
  });
  expect(callers.find('csn_sess_token', CLIENT, 999)?.userId).toBe('u');
  expect(callers.find('csn_sess_token', CLIENT, 999)?.userId).toBe('u');
  expect(callers.find('csn_sess_token', CLIENT, 1000)).toBeNull();
  expect(callers.find('csn_sess_other', CLIENT, 999)).toBeNull();
});
