// docs/interface.md, Errors: whatever comes in, the envelope goes out, soon, and the service goes on.
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { noQuery } from '../../src/api/fields.ts';
import { type ErrorEnvelope, errorEnvelope, ROUTES, type Route, type RouteName } from '../../src/api/index.ts';
import { parseJson } from '../../src/protocol/index.ts';
import { type Answer, type Client, expectError, send } from '../support/client.ts';
import { runs } from '../support/extent.ts';
import { PATIENCE_MS } from '../support/processes.ts';
import { registerAgent, submitNext, TestService } from '../support/service.ts';

const service = await TestService.start({ maxBodyBytes: 65_536, maxBatchBytes: 131_072 });
const owner = await service.signUp();
const signer = await registerAgent(owner, 'agent-1');
/** Of an agent that nothing else here acts on. */
const undisturbed = await registerAgent(owner, 'undisturbed');
const routes = Object.entries(ROUTES) as [RouteName, Route][];
/** Routes that take JSON: an upload may be anything. */
const withBody = routes.filter(([, { body, upload }]) => body !== undefined && upload !== true);

/** A generator that starts at the same place in every run: what fails once, fails again. */

/** A caller of its own for each test: some calls end sessions. */
const newCaller = (): Client => service.addMember(owner, 'org_owner').client;

/** Whatever it is, it is an answer of the interface (the client checks its form), and no fault of the service. */
function expectSane(answer: Answer<unknown>): void {
  const text = answer.bytes.toString('utf8').slice(0, 500);
  // A provider that is not set up is the one honest answer above 500.
  const expected = (ERRORS_WITH_500 as readonly number[]).includes(answer.status) || answer.status < 500;
  expect(expected, `${answer.status} ${text}`).toBe(true);
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  if (answer.status < 400) return;
  const { error } = errorEnvelope.parse(answer.body);
  expect(error.request_id).toBe(answer.headers['x-request-id']);
  expect(error.message.length).toBeLessThan(17_000);
  expect(error.message).not.toMatch(/SqliteError|\.ts:\d|at \w+ \(/);
}
const ERRORS_WITH_500 = [501] as const;

const HOSTILE_STRINGS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfff',
  '😀',
  '👩‍👩‍👧',
  '\u202e\u2066gnp.exe',
  '\ufeff',
  '\r\nSet-Cookie: x=1',
  "'; DROP TABLE operations; --",
  '" OR ""="',
  '../../../../etc/passwd',
  '..\\..\\service-key.json',
  '%00',
  '%2f',
  '$(id)',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-0',
  '1e999',
  'true',
  'x'.repeat(10_000),
  '😀'.repeat(3000),
  'ا'.repeat(600),
  '2026-13-45T99:99:99Z',
  '9999-12-31T23:59:60Z',
  '0000-00-00T00:00:00Z',
  'a@b',
  'https://127.0.0.1/',
  'https://[::1]:0/',
  'https://user:pw@example.org/',
  'javascript:alert(1)',
];
const hostileString = fc.oneof(
  fc.constantFrom(...HOSTILE_STRINGS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  // Single code units, halves of pairs among them.
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
);
const memberName = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'hasOwnProperty', ''),
  hostileString,
);

const hostileNumber = fc.constantFrom(0, -0, -1, 1, 0.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324, 201, 100_000);
const deep = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
const anything: fc.Arbitrary<unknown> = fc.oneof(
  hostileString,
  hostileNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], [null], deep(40), deep(300)),
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(memberName, fc.oneof(hostileString, hostileNumber), { maxKeys: 5 }),
  fc.array(hostileString, { maxLength: 30 }),
);

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly items?: JsonSchema;
  readonly pattern?: string;
}

/** Values that a schema describes, as far as its types go: the nearer to what is right, the deeper a call gets. */
function plausible(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(plausible));
  if (schema.properties !== undefined) return members(schema.properties);
  if (schema.type === 'array') return fc.array(plausible(schema.items ?? {}), { maxLength: 4 });
  if (schema.type === 'integer' || schema.type === 'number') return fc.oneof(hostileNumber, fc.nat(1000));
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'string') {
    const likely = ['agent-1', owner.userId, owner.email, 'sha256:00', 'key-1', 'file.write', '2026-01-01T00:00:00Z'];
    return fc.oneof(fc.constantFrom(...likely), hostileString);
  }
  return anything;
}

/** An object with members of a schema: right, wrong or missing, and now and then one that is not there. */
function members(properties: { readonly [name: string]: JsonSchema }): fc.Arbitrary<unknown> {
  const each = Object.entries(properties).map(([name, schema]) =>
    fc
      .oneof(
        { weight: 6, arbitrary: plausible(schema).map((value) => ({ value })) },
        { weight: 1, arbitrary: anything.map((value) => ({ value })) },
        { weight: 1, arbitrary: fc.constant(null) },
      )
      .map((given) => (given === null ? [] : [[name, given.value] as const])),
  );
  const extra = fc.oneof(
    { weight: 5, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.tuple(memberName, anything).map((one) => [one]) },
  );
  // As own members, __proto__ too.
  return fc.tuple(extra, ...each).map((parts) => Object.fromEntries(parts.flat()) as unknown);
}

function schemaOf({ body, bodyForm }: Route): JsonSchema {
  return z.toJSONSchema(bodyForm ?? body ?? z.unknown(), { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** Path with values in place of its parameters, as they are: already escaped, or wrongly. */
const fill = (path: string, value: string): string => path.replace(/:\w+/g, value);
const pathOf = ({ path }: Route): string => fill(path, 'agent-1');

const call = (client: Client, route: Route, body: string, path = pathOf(route)): Promise<Answer<unknown>> =>
  client.send({ method: route.method, path, body, limitMs: PATIENCE_MS });

afterAll(async () => {
  // All that changed nothing of what was there, and the service does its work.
  const { client } = owner;
  await client.ok('health');
  expect((await service.client().call('deepHealth')).status).toBe(200);
  expect((await client.ok('session')).role).toBe('org_owner');
  const fresh = await registerAgent(owner);
  await submitNext(owner, fresh);
});

describe('bodies made from the schemas', () => {
  it.each(withBody)('%s', async (name, route) => {
    const client = newCaller();
    const generated = fc.oneof(
      { weight: 8, arbitrary: plausible(schemaOf(route)) },
      { weight: 1, arbitrary: anything },
    );
    // Each of these may cost a hash of a password.
    const isCostly = ['signUp', 'signIn', 'acceptInvitation'].includes(name);
    await fc.assert(
      fc.asyncProperty(generated, async (body) => expectSane(await call(client, route, JSON.stringify(body)))),
      runs(isCostly ? 25 : 60),
    );
  });
});

describe('bodies that are spoiled on the way', () => {
  it.each(withBody)('%s', async (_, route) => {
    const client = newCaller();
    const names = Object.keys(schemaOf(route).properties ?? {});
    const text = JSON.stringify(Object.fromEntries(names.map((member) => [member, 'x'])));
    // Without signing in nobody needs more (docs/limits.md).
    const open = route.access === 'public' ? 16_384 : 65_536;
    const limit = route.large ? 131_072 : open;
    const spoiled: (string | Uint8Array)[] = [
      ...[1, 2, Math.floor(text.length / 2), text.length - 1].map((length) => text.slice(0, length)),
      ...names.map((member) => text.replace('{', `{"${member}":1,`)),
      text.replace('{', '{"__proto__":{"role":"org_owner"},'),
      text.replace('{', '{"constructor":{"prototype":{"x":1}},'),
      text.replace('"x"', '"\\ud800"'),
      text.replace('"x"', '"\u0001"'),
      `\ufeff${text}`,
      `${text}${text}`,
      `${text.slice(0, -1)},"x":1e999}`,
      '['.repeat(20_000),
      `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      `{"a":`.repeat(5000),
      'a=b&c=d',
      '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
      new Uint8Array(1000).fill(0xff),
      Buffer.from(text, 'utf16le'),
      '\u0000',
    ];
    for (const body of spoiled) {
      const answer = await client.send({ method: route.method, path: pathOf(route), body, limitMs: PATIENCE_MS });
      expectSane(answer);
      const status = Buffer.byteLength(body) > limit ? 413 : 400;
      expect(answer.status, String(body).slice(0, 100)).toBe(status);
    }
    expectError(await call(client, route, text.padEnd(limit + 1)), 'PAYLOAD_TOO_LARGE');
  });

  it('white space costs no more than its reading', async () => {
    const other = await TestService.start();
    const { client } = await other.signUp();
    const body = JSON.stringify({ ...signer.registration, more: 1 }).padEnd(1_048_576);
    const attempt = () => client.send({ method: 'POST', path: '/v1/agents/register', body, limitMs: PATIENCE_MS });
    // Once the parser was used for a while the compiler makes another program of it: it must cost no more then.
    for (let n = 0; n < 2000; n++) parseJson(JSON.stringify(signer.registration));
    for (let n = 0; n < 10; n++) expectError(await attempt(), 'VALIDATION_ERROR', 'more');
  });
});

describe('parameters of paths', () => {
  const values = [
    '%00',
    'a%00b',
    '%2f',
    '..%2f..%2fservice-key.json',
    '%2e%2e',
    '%',
    '%zz',
    '%ff',
    '%c0%ae',
    '%ed%a0%80',
    '%E0%A4%A',
    'a'.repeat(12_000),
    '%F0%9F%98%80'.repeat(300),
    '__proto__',
    'constructor',
    "'%20OR%201=1--",
    '%0d%0aX-Injected:%201',
    '-1',
    '*',
    ';x=y',
    '%3Fx%3Dy',
    '%23',
    'undefined',
    '[object%20Object]',
  ];
  it.each(routes.filter(([, { path }]) => path.includes(':')))('%s', async (name, route) => {
    const client = newCaller();
    const body = { freezeAgent: { reason: 'x' }, unfreezeAgent: { reason: 'x' }, assign: { user_id: 'x' } }[
      name as string
    ];
    for (const value of values) {
      const path = fill(route.path, value);
      // Clients take such a step up by themselves, and may arrive at another route.
      if (new URL(path, service.url).pathname !== path) continue;
      const answer = await call(client, route, JSON.stringify(body ?? {}), path);
      expectSane(answer);
      expect(answer.status, value).toBeGreaterThanOrEqual(400);
      expect(answer.headers).not.toHaveProperty('x-injected');
    }
    await fc.assert(
      fc.asyncProperty(hostileString, async (value) => {
        const path = fill(route.path, encodeURIComponent(value.toWellFormed()).slice(0, 8000));
        expectSane(await call(client, route, '{}', path));
      }),
      runs(20),
    );
  });
});

describe('queries', () => {
  const queries = [
    'limit=5&limit=6',
    'limit[]=5',
    'limit[a]=5',
    'limit=%00',
    'limit=%',
    'limit=1e1',
    'limit=0x10',
    'limit=٣',
    'limit=99999999999999999999',
    'cursor=&limit=',
    'cursor=a&cursor=b',
    `cursor=${'A'.repeat(5000)}`,
    `cursor=${Buffer.from('{"__proto__":{}}').toString('base64url')}`,
    `cursor=${Buffer.from('[[[[[[]]]]]]').toString('base64url')}`,
    `cursor=${Buffer.from('9007199254740993').toString('base64url')}`,
    '__proto__=1',
    '__proto__[x]=1',
    'constructor=1',
    'a=1&a=2&a=3',
    '=',
    '&&&',
    '%',
    'a&'.repeat(6000),
    Array.from({ length: 2000 }, (_, n) => `a${n}`).join('&'),
    '?',
    "x='%20OR%201=1",
  ];
  it.each(routes)('%s', async (_, route) => {
    const client = newCaller();
    // Where no parameter is expected all of them are refused alike.
    const given = route.query === noQuery ? queries.filter((_, index) => index % 5 === 0) : queries;
    for (const query of given) expectSane(await call(client, route, '', `${pathOf(route)}?${query}`));
    // A parameter that there is not is named.
    if (route.path.startsWith('/api/auth/callback')) return;
    const other = newCaller();
    const needed = route.path === ROUTES.consistencyProof.path ? 'from=1&to=1&' : '';
    expectError(await call(other, route, '', `${pathOf(route)}?${needed}surprise=1`), 'VALIDATION_ERROR', 'surprise');
  });
});

describe('headers', () => {
  it.each(routes)('%s', async (_, route) => {
    const given: Record<string, string>[] = [
      { 'content-type': 'text/xml' },
      { 'content-type': '' },
      { 'content-encoding': 'gzip' },
      { 'transfer-encoding': 'chunked' },
      { 'x-http-method-override': 'DELETE' },
      { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'example.org', 'x-forwarded-proto': 'https' },
      { accept: 'text/html' },
      { range: 'bytes=0-1' },
      { cookie: 'countersign_session=%00; countersign_sign_in=\u00ff; =; ;;' },
      { authorization: `Bearer ${'x'.repeat(8000)}` },
      { 'if-none-match': '*' },
      { expect: 'tea' },
    ];
    for (const headers of given) {
      const request = { method: route.method, path: pathOf(route), headers, limitMs: PATIENCE_MS };
      expectSane(await service.client().send(request));
    }
  });
});

describe('what is hardly HTTP', () => {
  const { port } = new URL(service.url);

  /** Sends bytes and reads until the other side ends or has answered whole. */
  function exchange(text: string, end = false): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
      const limit = setTimeout(() => {
        socket.destroy();
        reject(new Error('no answer in time'));
      }, PATIENCE_MS);
      let got = '';
      const done = (): void => {
        clearTimeout(limit);
        socket.destroy();
        resolve(got);
      };
      socket.on('data', (piece) => {
        got += piece.toString('utf8');
        if (got.endsWith('}}')) done();
      });
      socket.on('end', done);
      socket.on('error', done);
      socket.write(text);
      if (end) socket.end();
    });
  }

  /** The error of an answer as text. */
  function envelopeOf(text: string): ErrorEnvelope['error'] & { status: number } {
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const { error } = errorEnvelope.parse(JSON.parse(body));
    expect(head).toContain(`X-Request-Id: ${error.request_id}`);
    return { ...error, status: Number(head.split(' ')[1]) };
  }

  const post = (headers: string, body: string): string =>
    `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n${body}`;

  it.each<[string, string, string]>([
    ['no HTTP at all', 'hello\r\n\r\n', 'VALIDATION_ERROR'],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'VALIDATION_ERROR'],
    ['a NUL in the address', 'GET /v1/agents/\0 HTTP/1.1\r\nHost: localhost\r\n\r\n', 'VALIDATION_ERROR'],
    ['an address that is none', 'GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n', 'VALIDATION_ERROR'],
    ['no Host', 'GET /v1/health HTTP/1.1\r\n\r\n', 'FORBIDDEN'],
    ['a very long address', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 'PAYLOAD_TOO_LARGE'],
    ['a very long header', post(`X: ${'a'.repeat(20_000)}`, ''), 'PAYLOAD_TOO_LARGE'],
    ['a length that is none', post('Content-Length: abc', '{}'), 'VALIDATION_ERROR'],
    ['a negative length', post('Content-Length: -1', '{}'), 'VALIDATION_ERROR'],
    ['two lengths', post('Content-Length: 2\r\nContent-Length: 3', '{}'), 'VALIDATION_ERROR'],
    ['a length and chunks', post('Content-Length: 2\r\nTransfer-Encoding: chunked', '0\r\n\r\n'), 'VALIDATION_ERROR'],
    ['chunks that are none', post('Transfer-Encoding: chunked', 'zz\r\n{}\r\n'), 'VALIDATION_ERROR'],
    ['a body beyond its length', post('Content-Length: 2', '{}{"x":1}\r\n\r\n'), 'VALIDATION_ERROR'],
    ['a length beyond every limit', post('Content-Length: 99999999999', '{}'), 'PAYLOAD_TOO_LARGE'],
  ])('%s', async (_, text, code) => {
    expect(envelopeOf(await exchange(text)).code).toBe(code);
  });

  it('a body that ends too early', async () => {
    const error = envelopeOf(await exchange(post('Content-Length: 100', '{"email":'), true));
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', status: 400 });
  });

  it('a caller who goes away in the middle', async () => {
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(post('Content-Length: 100', '{"email":'), () => socket.destroy());
      });
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });
    await owner.client.ok('session');
  });

  it('thousands of parameters, in no time', async () => {
    const began = process.cpuUsage();
    for (const query of ['a&'.repeat(8000), Array.from({ length: 2500 }, (_, n) => `a${n}`).join('&')]) {
      for (let n = 0; n < 5; n++) {
        expectError(await send(service.url, { path: `/v1/health?${query}` }), 'VALIDATION_ERROR');
      }
    }
    // Of processors, in microseconds: with the square of their number it would be several seconds.
    expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
  });

  it('a method that HTTP has and the interface does not', async () => {
    for (const method of ['PUT', 'TRACE', 'OPTIONS', 'PROPFIND', 'LOCK', 'M-SEARCH']) {
      expectError(await send(service.url, { method, path: '/v1/agents', limitMs: PATIENCE_MS }), 'NOT_FOUND');
    }
  });
});

describe('a signed record with hostile values', () => {
  it('is stored, found, verified and exported as it is', async () => {
    await fc.assert(
      fc.asyncProperty(hostileString, hostileString, fc.jsonValue({ maxDepth: 3 }), async (subject, key, value) => {
        const cut = subject.slice(0, 200).toWellFormed();
        const text = cut === '' ? 'x' : cut;
        const payload = JSON.parse(JSON.stringify({ [key.toWellFormed()]: value, text })) as { [name: string]: never };
        const receipt = await submitNext(owner, undisturbed, { subject: text, payload });
        const params = { operation_id: receipt.operation_id };
        const { eor } = await owner.client.ok('getOperation', { params });
        expect(eor.subject).toBe(text);
        expect(JSON.stringify(eor.payload)).toHaveLength(JSON.stringify(payload).length);
        expect((await owner.client.ok('verifyOperation', { params })).valid).toBe(true);
        const found = await owner.client.ok('auditQuery', { body: { subject: text, limit: 1 } });
        expect(found.data[0]?.operation_id).toBe(receipt.operation_id);
      }),
      runs(60),
    );
  });
});
