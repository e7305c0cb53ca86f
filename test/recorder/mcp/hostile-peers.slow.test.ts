// What no sound client or server sends: nothing is forwarded unseen, a stream of events is no flood of notes, and nothing ends the proxy.
import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpProxy, proxyHttp } from '../../../src/recorder/mcp/http-proxy.ts';
import { MCP } from '../../../src/recorder/mcp/mcp-protocol.ts';
import { readMessages } from '../../../src/recorder/mcp/message.ts';
import { proxyStdio } from '../../../src/recorder/mcp/stdio-proxy.ts';
import { seedOf, share } from '../../support/extent.ts';
import { SeededRandom } from '../../support/random.ts';
import { listening } from './http-taps.ts';
import { Played } from './played.ts';
import { Collector, recordingSettings } from './support.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Upstream {
  /** Bodies that came through, as they came. */
  readonly bodies: Buffer[];
  answer: (response: import('node:http').ServerResponse) => void;
}

async function proxied(recorder: Collector): Promise<{ url: URL; upstream: Upstream; proxy: HttpProxy }> {
  const upstream: Upstream = {
    bodies: [],
    answer: (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
  };
  const { server, url } = await listening((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      if (chunks.length > 0) upstream.bodies.push(Buffer.concat(chunks));
      upstream.answer(outgoing);
    });
  });
  const at = { port: 0, token: null };
  const proxy = await proxyHttp({ upstream: url, at, say: () => undefined }, recordingSettings(recorder));
  closing.push(
    () => closed(server),
    () => proxy.close(),
  );
  return { url: new URL(proxy.url), upstream, proxy };
}

function closed(server: Server): void {
  server.close();
  server.closeAllConnections();
}

async function send(
  url: URL,
  method: string,
  headers: readonly string[],
  body: Buffer | string = '',
): Promise<{ status: number; body: string }> {
  const sent = request(url, { method, headers: ['Host', url.host, ...headers], agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('latin1') };
}

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":1}}}';
const BLOCKED = { allowed: false, reason: 'not recorded', operation_ids: [] };
const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(CALL, 'utf16le')]);

/** A call in forms in which some server reads it. */
const READABLE: readonly (readonly [string, string, readonly string[], Buffer | string])[] = [
  ['as text/plain', 'POST', ['Content-Type', 'text/plain'], CALL],
  ['without a type', 'POST', [], CALL],
  ['as application/json-rpc', 'POST', ['Content-Type', 'application/json-rpc'], CALL],
  ['by PUT', 'PUT', ['Content-Type', 'application/json'], CALL],
  ['packed as "GZIP , identity"', 'POST', ['Content-Encoding', 'GZIP , identity'], gzipSync(CALL)],
  ['with a byte order mark', 'POST', [], `\ufeff${CALL}`],
  ['for another path', 'POST', ['X-Path', '/other'], CALL],
];
const UNREADABLE: readonly (readonly [string, string, readonly string[], Buffer | string])[] = [
  ['in UTF-16', 'POST', ['Content-Type', 'application/json; charset=utf-16'], utf16],
  ['with a comment', 'POST', [], `/* ${'-'.repeat(9)} */ ${CALL}`],
  ['two JSON texts', 'POST', [], `{}${CALL}`],
  ['with an id of null', 'POST', [], CALL.replace('"id":1', '"id":null')],
  ['without an id', 'POST', [], CALL.replace('"id":1,', '')],
  ['with "Method"', 'POST', [], CALL.replace('"method"', '"Method"')],
  ['with "Method" besides', 'POST', [], CALL.replace('"method"', '"method":"ping","Method"')],
  ['with "Name" besides', 'POST', [], CALL.replace('"name"', '"Name":"drop","name"')],
  ['with two methods', 'POST', [], CALL.replace('"method"', '"method":"ping","method"')],
  ['with two ids', 'POST', [], CALL.replace('"id":1', '"id":1,"\\u0069d":2')],
  ['with two names', 'POST', [], CALL.replace('"name"', '"name":"drop","name"')],
  ['with "paramſ", which folds to "params"', 'POST', [], CALL.replace('"params"', '"param\u017f"')],
  ['with "argumentſ" besides', 'POST', [], CALL.replace('"arguments"', '"argument\u017f":{},"arguments"')],
  ['for another path, with "Method"', 'POST', ['X-Path', '/MCP'], CALL.replace('"method"', '"Method"')],
  [
    'for another path, with two methods',
    'POST',
    ['X-Path', '/mcp/'],
    CALL.replace('"method"', '"method":"x","method"'),
  ],
  ['for another path, with no more than "Params"', 'POST', ['X-Path', '/MCP'], '{"Params":{"name":"echo"}}'],
  [
    'for another path, as a form that is none',
    'POST',
    ['X-Path', '/MCP', 'Content-Type', 'application/x-www-form-urlencoded'],
    `/**/${CALL}`,
  ],
  ['with two values of an argument', 'POST', [], CALL.replace('"a":1', '"a":[{}],"a":1')],
  [
    'with two ids in a batch',
    'POST',
    [],
    `[{"jsonrpc":"2.0","id":7,"method":"ping"},${CALL.replace('"id":1', '"id":1,"id":2')}]`,
  ],
  ['in a batch with something else', 'POST', [], `[{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","ID":1}]`],
  ['packed twice', 'POST', ['Content-Encoding', 'gzip, gzip'], gzipSync(gzipSync(CALL))],
  ['said to be packed', 'POST', ['Content-Encoding', 'gzip'], CALL],
  ['packed with something unknown', 'POST', ['Content-Encoding', 'compress'], CALL],
];

const at = (url: URL, [name, path = '']: readonly string[]): URL => (name === 'X-Path' ? new URL(path, url) : url);

describe('a request over HTTP', () => {
  it.each(READABLE)('is recorded where it comes %s, and refused where the policy wants it', async (_, ...given) => {
    const recorder = new Collector();
    const { url, upstream } = await proxied(recorder);
    const [method, headers, body] = given;
    await send(at(url, headers), method, headers, body);
    expect(recorder.lines[0]).toBe('started echo {"a":1}');
    expect(upstream.bodies).toHaveLength(1);
    recorder.block('no');
    const refused = await send(at(url, headers), method, headers, body);
    expect(JSON.parse(refused.body)).toMatchObject({ id: 1, error: { message: 'no' } });
    expect(upstream.bodies).toHaveLength(1);
  });

  it.each(UNREADABLE)('is noted at once where it comes %s, and refused under block', async (_, ...given) => {
    const recorder = new Collector();
    const { url, upstream } = await proxied(recorder);
    await send(at(url, given[1]), ...given);
    expect(
      recorder.lines.filter((line) => /^note mcp\.(not_understood|message_too_long): from the client/.test(line)),
    ).toHaveLength(1);
    expect(upstream.bodies).toHaveLength(1);
    recorder.unrecorded = BLOCKED;
    const refused = await send(at(url, given[1]), ...given);
    expect(refused.body).toContain('not recorded');
    expect(upstream.bodies).toHaveLength(1);
    expect(recorder.lines.filter((line) => /from the client/.test(line))).toHaveLength(2);
  });

  it('is passed on without a note where it is a form or an object for another path, as sign-in has them', async () => {
    const recorder = new Collector();
    const { url, upstream } = await proxied(recorder);
    recorder.unrecorded = BLOCKED;
    const form = ['Content-Type', 'application/x-www-form-urlencoded'];
    await send(new URL('/token', url), 'POST', form, 'grant_type=refresh_token');
    await send(new URL('/register', url), 'POST', ['Content-Type', 'application/json'], '{"client_name":"c"}');
    expect(upstream.bodies).toHaveLength(2);
    expect(recorder.lines).toEqual([]);
    await send(url, 'POST', form, 'grant_type=refresh_token');
    expect(upstream.bodies).toHaveLength(2);
  });

  it.each(['http://elsewhere.example/mcp', '*'])('for %s is refused', async (path) => {
    const { url, upstream } = await proxied(new Collector());
    const socket = connect(Number(url.port), '127.0.0.1');
    socket.end(`OPTIONS ${path} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(upstream.bodies).toEqual([]);
  });
});

describe('a line over stdio', () => {
  const ECHO = "process.stdin.on('data', (bytes) => process.stdout.write(JSON.stringify(String(bytes)) + '\\n'))";

  async function through(recorder: Collector, text: string): Promise<{ server: string; client: string }> {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const settings = { command: process.execPath, args: ['-e', ECHO], input, output };
    const ended = proxyStdio(
      { ...settings, closeOutput: () => output.end(), signals: new EventEmitter() },
      recordingSettings(recorder),
    );
    input.end(text);
    let client = '';
    for await (const chunk of output) client += String(chunk);
    await ended;
    const echoed = client.split('\n').filter((line) => line.startsWith('"'));
    return { server: echoed.map((line) => JSON.parse(line)).join(''), client };
  }

  it('with a carriage return in it is read as two lines, as some servers read it', async () => {
    const hidden = `{"jsonrpc":"2.0","method":"notifications/x","params":\r${CALL}\r}\n`;
    const recorder = new Collector();
    expect((await through(recorder, hidden)).server).toBe(hidden);
    expect(recorder.lines.slice(0, 3)).toEqual([
      'note mcp.not_understood: from the client, 54 bytes',
      'started echo {"a":1}',
      'note mcp.not_understood: from the client, 2 bytes',
    ]);
    const strict = new Collector();
    strict.unrecorded = BLOCKED;
    strict.block('no');
    expect((await through(strict, hidden)).server).toBe('');
  });

  it('that cannot be read is refused under block, and one that is too long', async () => {
    const recorder = new Collector();
    recorder.unrecorded = BLOCKED;
    const { server, client } = await through(recorder, `nonsense\n${CALL}\n{"a":"${'x'.repeat(17 << 20)}"}\n\r\n`);
    expect(server).toBe(`${CALL}\n\r\n`);
    expect(client.match(/"id":null/g)).toHaveLength(2);
  });
});

describe('a server that says 30,000 times that its tools changed', () => {
  it('has one note at once and one with the count', () => {
    const played = new Played();
    for (let n = 0; n < 30_000; n++) played.server({ method: 'notifications/tools/list_changed' });
    played.close();
    expect(played.lines).toEqual([
      'note mcp.tools_list_changed',
      'note mcp.tools_list_changed: 29999 times since the last such note',
    ]);
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What this process holds that is not garbage, in bytes. */
function held(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Takes what it is handed in its own time, counts it and keeps none of it. */
class SlowRecorder extends Collector {
  taken = 0;
  /** What the process held at most, looked at now and then while something was taken, in bytes. */
  most = 0;
  #times = 0;

  constructor() {
    super();
    this.verdict = async (seen) => {
      this.taken += seen.filter((one) => one.kind === 'call' && one.stage === 'started').length;
      this.seen.length = 0;
      if (this.#times++ % 25 === 0) this.most = Math.max(this.most, held());
      // As long as the system takes to write and answer: what floods it is faster.
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      return { allowed: true, reason: null, operation_ids: [] };
    };
  }
}

describe('a flood of requests by a server', () => {
  const COUNT = share(20_000);
  const asks = (n: number, bytes: number): string =>
    JSON.stringify({ jsonrpc: '2.0', id: n, method: 'sampling/createMessage', params: { text: 'x'.repeat(bytes) } });
  /** 32 MiB of open calls and 16 MiB that wait for the recorder, as they were read, and what is in the pipes: less than half of the flood. */
  const ROOM = 160 << 20;

  async function floodOverStdio(recorder: Collector, count: number, bytes: number): Promise<number> {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const script = `const line = (n) => ${JSON.stringify(asks(-1, bytes))}.replace('-1', n) + '\\n';
      let n = 0;
      const more = () => { while (n < ${count}) if (!process.stdout.write(line(n++))) return process.stdout.once('drain', more); };
      more();`;
    const ended = proxyStdio(
      {
        command: process.execPath,
        args: ['-e', script],
        input,
        output,
        closeOutput: () => output.end(),
        signals: new EventEmitter(),
      },
      recordingSettings(recorder),
    );
    let lines = 0;
    for await (const chunk of output) {
      // Hundreds of megabytes: a look at each byte would take longer than all else here.
      for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) lines++;
    }
    input.end();
    await ended;
    return lines;
  }

  it('over stdio waits for the recorder, and all of it is recorded', async () => {
    const recorder = new SlowRecorder();
    expect(await floodOverStdio(recorder, COUNT, 1)).toBe(COUNT);
    expect({ taken: recorder.taken, missing: recorder.missing }).toEqual({ taken: COUNT, missing: 0 });
  });

  it('holds no more memory the longer it lasts', async () => {
    const recorder = new SlowRecorder();
    const before = held();
    expect(await floodOverStdio(recorder, 4_000, 100_000)).toBe(4_000);
    expect(recorder.missing).toBe(0);
    expect(recorder.most - before).toBeLessThan(ROOM);
  });

  it('in a packed stream of events waits for the recorder, and all of it is recorded', async () => {
    const recorder = new SlowRecorder();
    const { url, upstream } = await proxied(recorder);
    const events = Array.from({ length: COUNT }, (_, n) => `data: ${asks(n, 1)}\n\n`).join('');
    upstream.answer = (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Content-Encoding': 'gzip' });
      response.end(gzipSync(events));
    };
    await send(url, 'GET', []);
    upstream.answer = (response) => response.end();
    recorder.verdict = async (seen) => {
      recorder.taken += seen.filter((one) => one.kind === 'call' && one.stage === 'started').length;
      return { allowed: true, reason: null, operation_ids: [] };
    };
    // Answered once all that came before it was taken.
    await send(url, 'POST', [], CALL);
    expect({ taken: recorder.taken, missing: recorder.missing }).toEqual({ taken: COUNT + 1, missing: 0 });
  });
});

describe('a hostile server', () => {
  it('ends no proxy by an endpoint that is no address, packed', async () => {
    const recorder = new Collector();
    const { url, upstream } = await proxied(recorder);
    upstream.answer = (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Content-Encoding': 'gzip' });
      response.end(gzipSync('event: endpoint\ndata: http://[bad\n\n'));
    };
    expect((await send(url, 'GET', [])).status).toBe(200);
    upstream.answer = (response) => response.end();
    expect((await send(url, 'POST', [], CALL)).status).toBe(200);
  });

  const SEED = seedOf(20_264);
  it(`and a hostile client, drawn at random, end no proxy, and nothing passes unseen (seed ${SEED})`, async () => {
    const draw = new SeededRandom(SEED);
    const pick = <T>(all: readonly T[]): T => all[draw.below(all.length)] as T;
    const pieces = [
      CALL,
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      '\r',
      '\n',
      '\0',
      '\ufeff',
      'null',
      '1e999',
      '"id":',
      '\u2028',
      'é',
      'event: endpoint\n',
    ];
    const more = [
      'data: ',
      'data: http://[bad\n\n',
      'data: //\n\n',
      ': \n',
      '\n\n',
      '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
    ];
    const text = (): Buffer => {
      const parts = Array.from({ length: draw.below(6) }, () =>
        draw.below(4) === 0 ? Buffer.from([draw.below(256), draw.below(256)]) : Buffer.from(pick([...pieces, ...more])),
      );
      return Buffer.concat(parts);
    };
    const packed = (): readonly [string[], Buffer] => {
      const bytes = text();
      const [name, pack] = pick([
        ['', (given: Buffer) => given],
        ['gzip', gzipSync],
        ['GZIP , identity', gzipSync],
        ['br', brotliCompressSync],
        ['deflate', deflateSync],
        ['gzip', (given: Buffer) => given],
        ['zstd', (given: Buffer) => given],
      ] as const);
      const body = pack(bytes);
      return [
        name === '' ? [] : ['Content-Encoding', name],
        draw.below(5) === 0 ? body.subarray(0, draw.below(body.length + 1)) : body,
      ];
    };
    const type = (): string[] =>
      pick([
        [],
        ...['application/json', 'text/event-stream', 'text/plain', '\u00ff;;'].map((one) => ['Content-Type', one]),
      ]);
    const recorder = new Collector();
    const { url, upstream } = await proxied(recorder);
    upstream.answer = (response) => {
      const [encoding, body] = packed();
      response.writeHead(pick([200, 200, 202, 400, 404, 500]), [...type(), ...encoding]);
      if (draw.below(8) === 0) response.destroy();
      else response.end(body);
    };
    for (let n = 0; n < share(400); n++) {
      const [encoding, body] = packed();
      const given = upstream.bodies.length;
      const before = recorder.seen.length;
      await send(url, pick(['POST', 'POST', 'PUT', 'GET', 'DELETE']), [...type(), ...encoding], body).catch(
        () => undefined,
      );
      // What passed was understood, or there is a note of it (100 on one connection, all else is counted).
      const passed = upstream.bodies.slice(given);
      const notes = recorder.seen.slice(before).filter((seen) => seen.kind === 'note');
      const understood = passed.every(
        (bytes) => readMessages(bytes, MCP.acts)?.others === 0 || bytes.every((byte) => byte <= 0x20),
      );
      if (!understood && encoding.length === 0 && n < 100) expect(notes.length, `request ${n}`).toBeGreaterThan(0);
    }
    upstream.answer = (response) => response.end();
    expect((await send(url, 'POST', [], CALL)).status).toBe(200);
    expect(recorder.lines.at(-1)).not.toBeUndefined();
  });
});
