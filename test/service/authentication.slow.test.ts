import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ROLES, ROUTES, type Route, type RouteName } from '../../src/api/index.ts';
import { Client, expectError, pathOf, send } from '../support/client.ts';
import { exportOf, registerAgent, submitNext, TestService } from '../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp();
const routes = Object.entries(ROUTES) as [RouteName, Route][];
const guarded = routes.filter(([, { access }]) => access !== 'public');

describe('roles', () => {
  it('are a ladder', () => {
    expect(ROLES).toEqual([
      'readonly_investigator',
      'integration_engineer',
      'compliance_auditor',
      'security_admin',
      'org_owner',
    ]);
  });

  it('are needed as the interface and the decisions say', () => {
    const needed = Object.fromEntries(routes.map(([, { method, path, access }]) => [`${method} ${path}`, access]));
    expect(needed).toMatchObject({
      'POST /api/auth/sign-up/email': 'public',
      'POST /api/auth/sign-in/email': 'public',
      'GET /api/auth/session': 'authenticated',
      'POST /v1/auth/token': 'authenticated',
      'POST /v1/agents/register': 'integration_engineer',
      'GET /v1/agents': 'readonly_investigator',
      'GET /v1/agents/:agent_id': 'readonly_investigator',
      'POST /v1/operations': 'integration_engineer',
      'GET /v1/operations/:operation_id': 'readonly_investigator',
      'POST /v1/operations/:operation_id/verify': 'readonly_investigator',
      'GET /v1/epochs': 'readonly_investigator',
      'GET /v1/epochs/:epoch_id': 'readonly_investigator',
      'GET /v1/ledger/checkpoint': 'readonly_investigator',
      'GET /v1/ledger/consistency': 'readonly_investigator',
      'POST /v1/exports': 'compliance_auditor',
      'GET /v1/exports': 'compliance_auditor',
      'GET /v1/exports/:export_id': 'compliance_auditor',
      'GET /v1/exports/:export_id/download': 'compliance_auditor',
      'GET /.well-known/countersign/jwks.json': 'public',
      'GET /v1/health': 'public',
    });
  });
});

describe('no credential, or a bad one', () => {
  const token = owner.client.token ?? '';
  const bad: [string, Record<string, string>][] = [
    ['none', {}],
    ['an empty header', { authorization: '' }],
    ['the scheme alone', { authorization: 'Bearer' }],
    ['the scheme and a space', { authorization: 'Bearer ' }],
    [
      'another scheme',
      { authorization: `Basic ${Buffer.from(`${owner.email}:${owner.password}`).toString('base64')}` },
    ],
    ['the token without scheme', { authorization: token }],
    ['a made-up session', { authorization: `Bearer csn_sess_${'A'.repeat(43)}` }],
    ['a made-up token', { authorization: `Bearer csn_api_${'A'.repeat(43)}` }],
    ['a session cut short', { authorization: `Bearer ${token.slice(0, -1)}` }],
    ['a session with something after it', { authorization: `Bearer ${token}A` }],
    ['a session named a token', { authorization: `Bearer ${token.replace('csn_sess_', 'csn_api_')}` }],
    ['without its prefix', { authorization: `Bearer ${token.replace('csn_sess_', '')}` }],
    ['the stored hash', { authorization: `Bearer csn_sess_${'0'.repeat(64)}` }],
    ['two tokens', { authorization: `Bearer ${token} ${token}` }],
    ['a made-up cookie', { cookie: `countersign_session=csn_sess_${'A'.repeat(43)}` }],
    ['a cookie of another name', { cookie: `session=${token}` }],
    ['a bad header beside a good cookie', { authorization: 'Bearer x', cookie: `countersign_session=${token}` }],
  ];

  it.each(guarded)('%s', async (name, { method }) => {
    const before = service.trace();
    for (const [, headers] of bad) {
      expectError(await send(service.url, { method, path: pathOf(name), headers }), 'UNAUTHORIZED');
    }
    expect(service.trace()).toEqual(before);
  });

  it('is asked for before the body is read', async () => {
    const request = { method: 'POST', path: '/v1/operations', body: 'not JSON' };
    expectError(await send(service.url, request), 'UNAUTHORIZED');
  });

  it('is not needed, and not looked at, where everybody may', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    for (const path of ['/v1/health', '/.well-known/countersign/jwks.json']) {
      expect((await send(service.url, { path, headers })).status).toBe(200);
    }
  });

  it('may spell the scheme in any case', async () => {
    const headers = { authorization: `bEaReR ${token}` };
    expect((await send(service.url, { path: '/v1/agents', headers })).status).toBe(200);
  });
});

describe("a browser's cookie", () => {
  const cookie = `countersign_session=${owner.client.token}`;
  const post = (headers: Record<string, string>) =>
    send(service.url, { method: 'POST', path: '/v1/auth/token', body: '{}', headers: { cookie, ...headers } });

  it('suffices for reading', async () => {
    expect((await send(service.url, { path: '/api/auth/session', headers: { cookie } })).status).toBe(200);
  });

  it.each<[string, () => Record<string, string>]>([
    ['Origin', () => ({ origin: service.url })],
    ['Origin, under the name it was called by', () => localhost()],
    ['Sec-Fetch-Site', () => ({ 'sec-fetch-site': 'same-origin' })],
  ])('changes something with the %s of the service itself', async (_, headers) => {
    expect((await post(headers())).status).toBe(201);
  });

  it.each<[string, Record<string, string>]>([
    ['neither Origin nor Sec-Fetch-Site', {}],
    ['a foreign Origin', { origin: 'https://example.org' }],
    ['an opaque Origin', { origin: 'null' }],
    ['a foreign Origin that claims to be the same', { origin: 'https://example.org', 'sec-fetch-site': 'same-origin' }],
    ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['its own name with another scheme', { origin: service.url.replace('http:', 'https:') }],
    ['its own name as the beginning of another', { origin: `${service.url}.example.org` }],
  ])('changes nothing with %s', async (_, headers) => {
    const before = service.trace();
    expectError(await post(headers), 'FORBIDDEN');
    expect(service.trace()).toEqual(before);
  });

  it.each<[string, Record<string, string>]>([
    ['a foreign Origin', { origin: 'https://example.org' }],
    ['the cookie and no Origin', { cookie }],
  ])('signs nobody in for a page elsewhere: %s', async (_, headers) => {
    const before = service.trace();
    const body = JSON.stringify({ email: owner.email, password: owner.password });
    const request = { method: 'POST', path: '/api/auth/sign-in/email', body };
    expectError(await send(service.url, { ...request, headers }), 'FORBIDDEN');
    expect(service.trace()).toEqual(before);
    expect((await send(service.url, { ...request, headers: { origin: service.url } })).status).toBe(200);
  });

  it('is not needed with a bearer token, whatever the Origin', async () => {
    const headers = { origin: 'https://example.org' };
    expect((await owner.client.call('createToken', { body: {}, headers })).status).toBe(201);
  });

  function localhost(): Record<string, string> {
    const host = `localhost:${new URL(service.url).port}`;
    return { host, origin: `http://${host}` };
  }
});

describe('the Host header', () => {
  const { port } = new URL(service.url);
  const get = (host: string) =>
    send(service.url, { path: '/v1/health', headers: { host: host.replace('PORT', port) } });

  it.each(['127.0.0.1:PORT', '127.0.0.1', 'localhost:PORT', 'LOCALHOST', '[::1]:PORT', '10.1.2.3'])(
    'may be %s',
    async (host) => {
      expect((await get(host)).status).toBe(200);
    },
  );

  it.each([
    'example.org',
    'example.org:PORT',
    '127.0.0.1.example.org:PORT',
    'localhost.example.org',
    'localhost@example.org',
    '[example.org]',
    'localhost:80:80',
  ])('may not be %s', async (host) => {
    expectError(await get(host), 'FORBIDDEN', 'Host');
  });

  it.each(['[::1]evil.example', '127.0.0.1evil.example', '[127.0.0.1].evil.example'])('may not be %s', async (host) => {
    expectError(await get(host), 'FORBIDDEN', 'Host');
  });

  it('is there once', async () => {
    const socket = connect(Number(port), '127.0.0.1');
    let received = '';
    socket.on('data', (piece: Buffer) => {
      received += piece.toString('latin1');
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('GET /v1/health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
    await closed;
    expect(received).toMatch(/^HTTP\/1\.1 400 [\s\S]*more than one Host header/);
  });

  it('is looked at before anything else', async () => {
    const headers = { host: 'example.org' };
    expectError(await owner.client.call('listAgents', { headers }), 'FORBIDDEN', 'Host');
    expectError(await send(service.url, { path: '/nowhere', headers }), 'FORBIDDEN', 'Host');
  });
});

describe("another organization's objects", async () => {
  const signer = await registerAgent(owner, 'secret-agent');
  await submitNext(owner, signer);
  await exportOf(owner);
  const stranger = await service.signUp('stranger');

  it('are in no list by a cursor from there', async () => {
    await exportOf(owner);
    const { nextCursor } = await owner.client.ok('listExports', { query: { limit: '1' } });
    expect((await stranger.client.ok('listExports', { query: { cursor: nextCursor ?? '' } })).data).toEqual([]);
  });

  it('are not changed by a record signed there', async () => {
    const before = service.trace();
    const body = signer.record();
    expectError(await stranger.client.call('submitOperation', { body }), 'FORBIDDEN', 'org_id');
    const forged = signer.record({ org_id: stranger.orgId });
    expectError(await stranger.client.call('submitOperation', { body: forged }), 'UNKNOWN_AGENT');
    expect(service.trace()).toEqual(before);
  });
});

describe('a token', () => {
  it('does what its user may, and is another caller than a session', async () => {
    const { token } = await owner.client.ok('createToken', { body: {} });
    const client = new Client(service.url, token);
    await registerAgent({ ...owner, client });
    await client.ok('listExports');
  });
});
