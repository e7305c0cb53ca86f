import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { type Server as HttpServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpProxy, proxyHttp } from '../../../src/recorder/mcp/http-proxy.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { listening } from './http-taps.ts';
import { Collector, recordingSettings, TOKEN } from './support.ts';

// What no SDK sends, written by hand after the specifications.

let upstream: HttpServer | undefined;
let proxy: HttpProxy | undefined;

afterEach(async () => {
  await proxy?.close();
  upstream?.close();
  upstream?.closeAllConnections();
  [proxy, upstream] = [undefined, undefined];
});

async function proxied(recorder: Collector, listener: RequestListener): Promise<URL> {
  const { server, url } = await listening(listener);
  upstream = server;
  proxy = await proxyHttp(
    { upstream: url, at: { port: 0, token: TOKEN }, say: () => undefined },
    recordingSettings(recorder),
  );
  return new URL(proxy.url);
}

interface Got {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

async function send(url: URL, method: string, headers: readonly string[], body: string | Buffer = ''): Promise<Got> {
  const host = headers.includes('Host') ? [] : ['Host', url.host];
  const sent = request(url, { method, headers: [...host, ...headers], agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode ?? 0, rawHeaders: response.rawHeaders, body: Buffer.concat(chunks) };
}

const JSON_BODY = ['Content-Type', 'application/json'];

const call = (id: number): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'echo', arguments: { id } },
});
const answer = (id: number): object => ({ jsonrpc: '2.0', id, result: { content: [] } });

/** Reads a request whole, then calls back. */
function whenRead(
  respond: (request: IncomingMessage, body: string, ...rest: Parameters<RequestListener>) => void,
): RequestListener {
  return (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => respond(incoming, Buffer.concat(chunks).toString('utf8'), incoming, outgoing));
  };
}

describe('a proxy of HTTP', () => {
  it('passes headers on as they are, but for those of the connection', async () => {
    let came: readonly string[] = [];
    const url = await proxied(new Collector(), (incoming, outgoing) => {
      came = incoming.rawHeaders;
      outgoing.sendDate = false;
      outgoing.writeHead(200, 'Fine', [
        'X-One',
        '1',
        'x-one',
        '2',
        'Connection',
        'X-Hop',
        'X-Hop',
        'gone',
        'Set-Cookie',
        'a=b',
      ]);
      outgoing.end('body');
    });
    const authorization = ['authorization', 'Bearer secret'];
    const got = await send(url, 'GET', [
      ...authorization,
      'X-Mixed',
      'Ü',
      'X-Mixed',
      '2',
      'Connection',
      'x-gone',
      'X-Gone',
      '1',
      'TE',
      'trailers',
    ]);
    expect(came).toEqual([
      'Host',
      expect.stringMatching(/^127/),
      ...authorization,
      'X-Mixed',
      'Ü',
      'X-Mixed',
      '2',
      'Connection',
      'close',
    ]);
    expect(came[1]).not.toBe(url.host);
    expect(got.rawHeaders.slice(0, 6)).toEqual(['X-One', '1', 'x-one', '2', 'Set-Cookie', 'a=b']);
    // What follows is of the proxy's own connection.
    expect(got.rawHeaders.slice(6).join(' ')).toMatch(
      /^Connection keep-alive Keep-Alive \S+ Transfer-Encoding chunked$/,
    );
    expect(got.body.toString()).toBe('body');
  });

  it('listens on a socket that its user alone can open, and on no port', async () => {
    const folder = temporaryFolder();
    const socket = join(folder, 'mcp.sock');
    const recorder = new Collector();
    const { server, url } = await listening((incoming, outgoing) => {
      incoming.resume();
      outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer(1)));
    });
    upstream = server;
    const settings = { upstream: url, at: { socket }, say: () => undefined };
    // What a crash left.
    const left = createServer().listen(socket);
    await once(left, 'listening');
    renameSync(socket, `${socket}.left`);
    await new Promise((resolve) => left.close(resolve));
    renameSync(`${socket}.left`, socket);

    proxy = await proxyHttp(settings, recordingSettings(recorder));
    expect(proxy.url).toBe('http://localhost/mcp');
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    const sent = request(proxy.url, {
      socketPath: socket,
      method: 'POST',
      headers: ['Host', 'localhost', ...JSON_BODY],
    });
    sent.end(JSON.stringify(call(1)));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(JSON.parse(await text(response))).toEqual(answer(1));
    await expect.poll(() => recorder.lines).toEqual(['started echo {"id":1}', 'completed echo ok {"content":[]}']);

    await expect(proxyHttp(settings, recordingSettings(recorder))).rejects.toThrow(`${socket} is in use`);
    await proxy.close();
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(socket, 'a file of somebody');
    await expect(proxyHttp(settings, recordingSettings(recorder))).rejects.toThrow('is not a socket');
    expect(readFileSync(socket, 'utf8')).toBe('a file of somebody');
  });

  it('forwards nothing for a program that does not show the token, but what anybody may ask of a server', async () => {
    const paths: (string | undefined)[] = [];
    const url = await proxied(new Collector(), (incoming, outgoing) => {
      paths.push(incoming.url);
      outgoing.end();
    });
    const ask = async (path: string, method = 'GET') => (await send(new URL(path, url), method, [])).status;
    const wrong = `/${'U'.repeat(43)}/mcp`;
    for (const path of ['/mcp', '/', wrong, `/mcp?${TOKEN}`, `/x/${TOKEN}/mcp`]) expect(await ask(path)).toBe(403);
    expect(await ask('/.well-known/oauth-protected-resource', 'POST')).toBe(403);
    expect(paths).toEqual([]);
    for (const path of [
      url.pathname,
      `/${TOKEN}`,
      `/${TOKEN}?a=1`,
      `/.well-known/oauth-protected-resource${url.pathname}`,
    ])
      expect(await ask(path)).toBe(200);
    const { pathname } = new URL(url.pathname.slice(TOKEN.length + 1), url);
    expect(paths).toEqual([pathname, '/', '/?a=1', `/.well-known/oauth-protected-resource${pathname}`]);
  });

  it.each([
    [['Host', 'evil.example:80'], 403],
    [['Origin', 'https://evil.example'], 403],
    [['Origin', 'null'], 403],
    [['Origin', 'http://localhost:6274'], 403],
    [['Sec-Fetch-Site', 'same-site'], 403],
    [['Origin', 'own'], 200],
    [['Sec-Fetch-Site', 'none'], 200],
  ])('answers a request with %j with %d', async (headers, status) => {
    const url = await proxied(new Collector(), (_, outgoing) => outgoing.end());
    const own = headers.map((value) => (value === 'own' ? url.origin : value));
    expect((await send(url, 'POST', own)).status).toBe(status);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('passes on a body in %s unchanged, and reads it', async (encoding, pack) => {
    const recorder = new Collector();
    const packed = pack(JSON.stringify(answer(1)));
    const url = await proxied(
      recorder,
      whenRead((_, __, ___, outgoing) => {
        outgoing.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': encoding }).end(packed);
      }),
    );
    const got = await send(url, 'POST', JSON_BODY, JSON.stringify(call(1)));
    expect(got.body).toEqual(packed);
    await proxy?.close();
    expect(recorder.lines).toEqual(['started echo {"id":1}', 'completed echo ok {"content":[]}']);
  });

  it('passes on what it cannot decode, and says that nobody saw how the call ended', async () => {
    const recorder = new Collector();
    const url = await proxied(
      recorder,
      whenRead((_, __, ___, outgoing) => {
        outgoing.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end('not gzip');
      }),
    );
    expect((await send(url, 'POST', JSON_BODY, JSON.stringify(call(1)))).body.toString()).toBe('not gzip');
    await proxy?.close();
    expect(recorder.lines.slice(0, 3)).toEqual([
      'started echo {"id":1}',
      'note mcp.message_too_long: from the server, 8 bytes',
      'failed echo unknown not_read',
    ]);
  });

  it('passes events on one by one, as they come', async () => {
    let outgoing: Parameters<RequestListener>[1] | undefined;
    const recorder = new Collector();
    const url = await proxied(
      recorder,
      whenRead((_, __, ___, response) => {
        outgoing = response;
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      }),
    );
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(call(1)),
    });
    const reader = response.body?.getReader();
    const events = ['id: 1\ndata: \n\n', ': comment\r\n\r\n', `event: message\ndata: ${JSON.stringify(answer(1))}\n\n`];
    for (const event of events) {
      outgoing?.write(event);
      const chunk = await reader?.read();
      expect(Buffer.from(chunk?.value ?? []).toString()).toBe(event);
    }
    expect(recorder.lines).toEqual(['started echo {"id":1}', 'completed echo ok {"content":[]}']);
    outgoing?.end();
  });

  it('finds a response in a stream that was taken up again', async () => {
    const recorder = new Collector();
    const seen: unknown[] = [];
    const url = await proxied(
      recorder,
      whenRead((incoming, _, __, outgoing) => {
        outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' });
        if (incoming.method === 'POST') outgoing.end('id: 7\nretry: 1\ndata: \n\n');
        else {
          seen.push(incoming.headers['last-event-id']);
          outgoing.end(`id: 8\ndata: ${JSON.stringify(answer(1))}\n\n`);
        }
      }),
    );
    const session = ['Mcp-Session-Id', 's1'];
    await send(url, 'POST', [...JSON_BODY, ...session], JSON.stringify(call(1)));
    expect(recorder.lines).toEqual(['started echo {"id":1}']);
    await send(url, 'GET', [...session, 'Last-Event-ID', '7']);
    await proxy?.close();
    expect(seen).toEqual(['7']);
    expect(recorder.lines.slice(1)).toEqual(['completed echo ok {"content":[]}']);
  });

  it('reads batches, and refuses them whole', async () => {
    const recorder = new Collector();
    const url = await proxied(
      recorder,
      whenRead((_, __, ___, outgoing) => {
        outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify([answer(2), answer(1)]));
      }),
    );
    const batch = JSON.stringify([call(1), call(2)]);
    await send(url, 'POST', JSON_BODY, batch);
    recorder.block('no');
    const refused = await send(url, 'POST', JSON_BODY, batch);
    expect(JSON.parse(refused.body.toString()).map(({ id }: { id: number }) => id)).toEqual([1, 2]);
    await proxy?.close();
    expect(recorder.lines).toEqual([
      'started echo {"id":1}',
      'started echo {"id":2}',
      'completed echo ok {"content":[]}',
      'completed echo ok {"content":[]}',
      'started echo {"id":1}',
      'started echo {"id":2}',
      'refused echo blocked',
      'refused echo blocked',
    ]);
  });

  it('passes on a challenge, and records the status alone', async () => {
    const recorder = new Collector();
    const challenge = 'Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource"';
    const url = await proxied(
      recorder,
      whenRead((_, __, ___, outgoing) => {
        outgoing
          .writeHead(401, { 'WWW-Authenticate': challenge, 'Content-Type': 'application/json' })
          .end('{"error":"secret"}');
      }),
    );
    const got = await send(url, 'POST', [...JSON_BODY, 'Authorization', 'Bearer token-1'], JSON.stringify(call(1)));
    expect(got.status).toBe(401);
    expect(got.rawHeaders).toContain(challenge);
    await proxy?.close();
    expect(recorder.lines).toEqual(['started echo {"id":1}', 'failed echo error http_401']);
    expect(JSON.stringify(recorder.seen)).not.toMatch(/token-1|secret/);
  });

  it('answers 502 for a server that is gone, and ends its calls', async () => {
    const recorder = new Collector();
    const url = await proxied(recorder, (incoming) => incoming.socket.destroy());
    expect((await send(url, 'POST', JSON_BODY, JSON.stringify(call(1)))).status).toBe(502);
    await proxy?.close();
    expect(recorder.lines).toEqual(['started echo {"id":1}', 'failed echo unknown connection_lost']);
  });

  it('passes on a long body that is no message', async () => {
    const recorder = new Collector();
    let size = 0;
    const url = await proxied(
      recorder,
      whenRead((_, body, __, outgoing) => {
        size = body.length;
        outgoing.writeHead(202).end();
      }),
    );
    expect((await send(url, 'POST', JSON_BODY, 'x'.repeat(17 << 20))).status).toBe(202);
    await proxy?.close();
    expect(size).toBe(17 << 20);
    expect(recorder.lines[0]).toBe('note mcp.not_understood: from the client, 17825792 bytes');
  });

  it('records a call that is longer than is kept before the server has all of it, and its answer', async () => {
    const recorder = new Collector();
    const url = await proxied(
      recorder,
      whenRead((_, body, __, outgoing) => {
        const { id, params } = JSON.parse(String(body));
        outgoing.writeHead(200, { 'Content-Type': 'application/json' });
        outgoing.end(JSON.stringify({ jsonrpc: '2.0', id, result: params }));
      }),
    );
    const params = { arguments: { text: 'x'.repeat(17 << 20) }, name: 'write' };
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'tools/call', params, id: 1 });
    expect((await send(url, 'POST', JSON_BODY, body)).status).toBe(200);
    await proxy?.close();
    expect(recorder.lines.map((line) => line.slice(0, 24))).toEqual([
      'started write {"text":"x',
      expect.stringMatching(/^completed write ok \{"arg/),
    ]);
    expect(recorder.seen[0]).toMatchObject({ shortened: { left_out: [{ whole: 17 << 20 }] } });
  });

  it('gives the server no whole body of a long call that is blocked', async () => {
    const recorder = new Collector();
    recorder.block('frozen');
    let whole = 0;
    const url = await proxied(
      recorder,
      whenRead((_, __, ___, outgoing) => {
        whole++;
        outgoing.writeHead(200).end();
      }),
    );
    const params = { name: 'echo', arguments: { text: 'x'.repeat(17 << 20) } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const answer = await send(url, 'POST', JSON_BODY, body);
    expect(JSON.parse(String(answer.body))).toMatchObject({ id: 1, error: { message: 'frozen' } });
    expect(whole).toBe(0);
  });

  it('gives the server no whole body that cannot be read to its end, where what is not recorded is blocked', async () => {
    const recorder = new Collector();
    recorder.unrecorded = { allowed: false, reason: 'frozen', operation_ids: [] };
    let whole = 0;
    const url = await proxied(
      recorder,
      whenRead((_, __, ___, outgoing) => {
        whole++;
        outgoing.writeHead(200).end();
      }),
    );
    const params = { name: 'echo', arguments: { text: randomBytes(9 << 20).toString('hex') } };
    const body = gzipSync(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    body.fill(0, body.length - 8);
    const answer = await send(url, 'POST', [...JSON_BODY, 'Content-Encoding', 'gzip'], body);
    expect(JSON.parse(String(answer.body))).toMatchObject({ error: { message: 'frozen' } });
    expect(whole).toBe(0);
  });
});
