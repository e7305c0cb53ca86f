import { randomUUID } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpProxy, proxyHttp } from '../../../src/recorder/mcp/http-proxy.ts';
import { inOrder, listening, type Tapped, tapBefore, tapIn } from './http-taps.ts';
import { sdkServer } from './sdk-server.ts';
import { Collector, recordingSettings, TOKEN } from './support.ts';
import { answerServer, CLIENT_CAPABILITIES, everything, useEverything } from './use-everything.ts';

const servers: HttpServer[] = [];
let proxy: HttpProxy | undefined;

afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A proxy, with a tap behind it, before a server. */
async function proxied(
  upstream: { server: HttpServer; url: URL },
  recorder: Collector,
  behind: Tapped[],
): Promise<URL> {
  const tap = await listening(tapBefore(upstream.url, behind));
  servers.push(upstream.server, tap.server);
  const say = (text: string): void => {
    throw new Error(text);
  };
  proxy = await proxyHttp({ upstream: tap.url, at: { port: 0, token: TOKEN }, say }, recordingSettings(recorder));
  return new URL(proxy.url);
}

/** A server with a session for each client. */
async function streamable(revision: string, enableJsonResponse: boolean): Promise<{ server: HttpServer; url: URL }> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return listening(async (request, response) => {
    const id = request.headers['mcp-session-id'];
    let transport = typeof id === 'string' ? sessions.get(id) : undefined;
    if (transport === undefined) {
      const made = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse,
        onsessioninitialized: (session) => {
          sessions.set(session, made);
        },
      });
      transport = made;
      await sdkServer(revision).connect(transport as Transport);
    }
    await transport.handleRequest(request, response);
  });
}

describe('a proxy of HTTP between client and server of the official SDK', () => {
  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'forwards every byte of revision %s, and records what it means',
    async (revision) => {
      const [recorder, behind, before] = [new Collector(), [] as Tapped[], [] as Tapped[]];
      const url = await proxied(await streamable(revision, false), recorder, behind);
      const transport = new StreamableHTTPClientTransport(url, { fetch: tapIn(before) });
      const client = new Client({ name: 'cursor-vscode', version: '1' }, { capabilities: CLIENT_CAPABILITIES });
      answerServer(client);
      await client.connect(transport as Transport);
      await useEverything(client, true);
      await transport.terminateSession();
      await client.close();
      await proxy?.close();
      expect(inOrder(before)).toEqual(inOrder(behind));
      // The notice that tools changed has a stream of its own, which may be the faster one.
      expect([...recorder.lines].sort()).toEqual(everything(true).sort());
      expect([...recorder.feeds]).toEqual(['cursor']);
      const session = recorder.seen[1]?.session?.id;
      expect(session).toMatch(/^mcp-[0-9a-f]{32}$/);
      expect(recorder.seen.every((event) => event.session?.id === session)).toBe(true);
    },
  );

  it('reads responses that are JSON', async () => {
    const [recorder, behind, before] = [new Collector(), [] as Tapped[], [] as Tapped[]];
    const url = await proxied(await streamable('2025-11-25', true), recorder, behind);
    const client = new Client({ name: 'someone', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url, { fetch: tapIn(before) }) as Transport);
    await client.callTool({ name: 'echo', arguments: { text: 'Grüße' } });
    await client.close();
    await proxy?.close();
    expect(inOrder(before)).toEqual(inOrder(behind));
    expect(recorder.lines).toEqual([
      'started echo {"text":"Grüße"}',
      'completed echo ok {"content":[{"type":"text","text":"Grüße"}]}',
    ]);
    expect([...recorder.feeds]).toEqual(['gui']);
  });

  it('follows the stream and the endpoint of revision 2024-11-05', async () => {
    const [recorder, behind] = [new Collector(), [] as Tapped[]];
    const transports = new Map<string, SSEServerTransport>();
    const upstream = await listening(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname === '/messages') {
        await transports.get(searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response);
        return;
      }
      const transport = new SSEServerTransport('/messages', response);
      transports.set(transport.sessionId, transport);
      await sdkServer('2024-11-05').connect(transport);
    });
    const url = await proxied(upstream, recorder, behind);
    const client = new Client({ name: 'claude-ai', version: '1' }, { capabilities: CLIENT_CAPABILITIES });
    answerServer(client);
    await client.connect(new SSEClientTransport(url));
    await useEverything(client, true);
    await client.close();
    await proxy?.close();
    expect(recorder.lines).toEqual(everything(true));
    expect([...recorder.feeds]).toEqual(['gui']);
  });

  it('answers a refused call itself, and the server never sees it', async () => {
    const [recorder, behind] = [new Collector(), [] as Tapped[]];
    recorder.block('not today');
    const url = await proxied(await streamable('2025-11-25', false), recorder, behind);
    const client = new Client({ name: 'someone', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url) as Transport);
    await expect(client.callTool({ name: 'echo', arguments: { text: 'hi' } })).rejects.toMatchObject({
      code: -32001,
      message: expect.stringContaining('not today'),
    });
    await client.close();
    await proxy?.close();
    expect(behind.some(({ sent }) => sent.includes('tools/call'))).toBe(false);
    expect(recorder.lines).toEqual(['started echo {"text":"hi"}', 'refused echo blocked']);
  });
});
