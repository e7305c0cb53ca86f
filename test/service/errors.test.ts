import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ROUTES, type Route } from '../../src/api/index.ts';
import { expectError, send } from '../support/client.ts';
import { registerAgent, TestService } from '../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp();
const signer = await registerAgent(owner);

const post = (body: string | Uint8Array, path = '/v1/agents/register') =>
  owner.client.send({ method: 'POST', path, body });

describe('an address that there is not', () => {
  it.each<[string, string]>([
    ['GET', '/nowhere'],
    ['GET', '/v1'],
    ['GET', '/v1/agents/x/y/z'],
    ['GET', '/v2/agents'],
    ['GET', '/v1/agents/../../etc/passwd'],
    ['GET', '/v1//agents'],
    ['PUT', '/v1/agents'],
    ['DELETE', '/v1/epochs'],
    ['PATCH', '/api/auth/session'],
    ['POST', '/v1/health'],
    ['GET', '/v1/operations'],
    ['OPTIONS', '/v1/agents'],
    ['PROPFIND', '/v1/agents'],
  ])('%s %s', async (method, path) => {
    expectError(await owner.client.send({ method, path }), 'NOT_FOUND');
    expectError(await send(service.url, { method, path }), 'NOT_FOUND');
  });

  it.each(['/v1/agents/%', '/v1/agents/%ff', '/v1/agents/%E0%A4%A'])('%s, with a bad escape', async (path) => {
    expectError(await owner.client.send({ path }), 'NOT_FOUND');
  });
});

describe('a body that is compressed', () => {
  it.each(['gzip', 'br', 'GZIP, identity'])('%s', async (encoding) => {
    const headers = { 'content-encoding': encoding };
    const raw = { method: 'POST', path: '/v1/operations', body: gzipSync('{}'), headers };
    expectError(await owner.client.send(raw), 'VALIDATION_ERROR', 'Content-Encoding');
    const signUp = { ...raw, path: '/api/auth/sign-up/email' };
    expectError(await send(service.url, signUp), 'VALIDATION_ERROR', 'Content-Encoding');
  });

  it('is not one that names the identity encoding', async () => {
    const raw = {
      method: 'POST',
      path: '/v1/agents/register',
      body: '{}',
      headers: { 'content-encoding': 'identity' },
    };
    expectError(await owner.client.send(raw), 'VALIDATION_ERROR', 'agent_id');
  });
});

describe('a body that is not JSON as it should be', () => {
  const text = JSON.stringify({ ...signer.registration, agent_id: 'broken' });
  it.each<[string, string | Uint8Array]>([
    ['cut short', text.slice(0, -1)],
    ['with something after it', `${text}x`],
    ['with a comma too many', text.replace('}', ',}')],
    ['with single quotes', text.replaceAll('"', "'")],
    ['with a comment', `${text} // comment`],
    ['with a byte order mark', `\ufeff${text}`],
    ['with NaN', '{"a":NaN}'],
    ['with a number beyond a double', '{"a":1e999}'],
    ['with a lone surrogate', '{"agent_id":"\\ud800"}'],
    ['with bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['nested too deeply', '['.repeat(5000) + ']'.repeat(5000)],
    ['of white space', '   '],
    ['a form', 'agent_id=broken&keys=1'],
    ['zeros', new Uint8Array(64)],
  ])('%s', async (_, body) => {
    const before = service.trace();
    expectError(await post(body), 'VALIDATION_ERROR', 'body');
    expectError(await post(body, '/v1/operations'), 'VALIDATION_ERROR');
    expectError(await send(service.url, { method: 'POST', path: '/api/auth/sign-up/email', body }), 'VALIDATION_ERROR');
    expect(service.trace()).toEqual(before);
  });

  it.each<[string, string]>([
    ['at the top', text.replace('{', '{"agent_id":"other",')],
    ['spelled with an escape', text.replace('{', '{"agent\\u005fid":"other",')],
    ['with the same value', text.replace('{', '{"agent_id":"broken",')],
    ['deeper', text.replace('"kid":', '"kid":"other","kid":')],
  ])('with the same member twice, %s', async (_, body) => {
    const before = service.trace();
    expectError(await post(body), 'VALIDATION_ERROR', 'twice');
    expect(service.trace()).toEqual(before);
  });

  it('a record with the same member twice in its payload', async () => {
    const body = JSON.stringify(signer.record({ payload: { a: 1 } })).replace('{"a":1}', '{"a":1,"a":1}');
    expectError(await post(body, '/v1/operations'), 'VALIDATION_ERROR', 'twice');
  });

  it('a prototype in place of members', async () => {
    const body = text.replace('{', '{"__proto__":{"status":"frozen"},');
    expectError(await post(body), 'VALIDATION_ERROR', '__proto__');
  });

  it('an unknown member, however long its name', async () => {
    const name = `x${'y'.repeat(500)}`;
    const { message } = expectError(await post(`{"${name}":1,${text.slice(1)}`), 'VALIDATION_ERROR', 'xyyy');
    expect(message.length).toBeLessThan(300);
  });

  // Of an upload the body is a file, whatever is in it.
  it.each(Object.entries(ROUTES).filter(([, route]) => 'body' in route && !('upload' in route)))(
    '%s: a list, a text, a number, null',
    async (_, { method, path }: Route) => {
      for (const body of ['[]', '"text"', '7', 'null', 'true']) {
        const answer = await owner.client.send({ method, path, body });
        expectError(answer, 'VALIDATION_ERROR');
      }
    },
  );

  it('nothing where something is needed', async () => {
    expectError(await post(''), 'VALIDATION_ERROR', 'agent_id');
  });
});

describe('a query where none is expected', () => {
  // Providers may add members of their own to a callback (RFC 6749 §4.1.2).
  const strict = Object.entries(ROUTES).filter(([name]) => name !== 'signInCallback');
  it.each(strict)('%s', async (name, { method, path }: Route) => {
    const needed = { enterWorkstation: '&code=none', consistencyProof: '&from=1' }[name] ?? '';
    const answer = await owner.client.send({ method, path: `${path}?surprise=1${needed}` });
    expectError(answer, 'VALIDATION_ERROR', 'surprise');
  });
});

describe('a body where none is expected', () => {
  const bodyless = (Object.entries(ROUTES) as [string, Route][]).filter(
    ([, { method, body }]) => method !== 'GET' && body === undefined,
  );
  it.each(bodyless)('%s', async (_, { method, path }) => {
    const before = service.trace();
    const send = (body: string) =>
      owner.client.send({ method, path, body, headers: { 'content-length': String(body.length) } });
    expectError(await send('{"surprise":1}'), 'VALIDATION_ERROR', 'surprise');
    expectError(await send('{bad'), 'VALIDATION_ERROR');
    expect(service.trace()).toEqual(before);
  });
});

describe('an address', () => {
  it.each(['/V1/agents', '/v1/agents/', '/v1//agents'])('is taken to the letter: not %s', async (path) => {
    expectError(await owner.client.send({ method: 'GET', path }), 'NOT_FOUND');
  });
});

describe('an error within the service', () => {
  it('is told without a word about its inside, under an id', async () => {
    const other = await TestService.start();
    const { client } = await other.signUp();
    other.sql.exec('ALTER TABLE agents RENAME TO agents_gone');
    const { message } = expectError(await client.call('listAgents'), 'INTERNAL_ERROR');
    expect(message).not.toContain('agents');
    other.sql.exec('ALTER TABLE agents_gone RENAME TO agents');
    expect(await client.ok('listAgents')).toEqual({ agents: [] });
  });

  it('does not follow from a caller who goes away in the middle of a body', async () => {
    const { port, hostname } = new URL(service.url);
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write('POST /v1/agents/register HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n');
        socket.write(`Authorization: Bearer ${owner.client.token}\r\n\r\n{"agent_id":`, () => socket.destroy());
      });
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });
    await owner.client.ok('listAgents');
  });
});

describe('every answer', () => {
  it('has its own id', async () => {
    const answers = await Promise.all(
      ['/v1/health', '/v1/agents', '/nowhere'].map((path) => owner.client.send({ path })),
    );
    const ids = answers.map(({ headers }) => headers['x-request-id']);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(['/v1/health', '/v1/agents', '/nowhere'])('%s: tells browsers to be careful', async (path) => {
    const { headers } = await owner.client.send({ path });
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers).not.toHaveProperty('x-powered-by');
  });
});
