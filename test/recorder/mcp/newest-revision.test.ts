import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it } from 'vitest';
import { proxyHttp } from '../../../src/recorder/mcp/http-proxy.ts';
import { proxyStdio } from '../../../src/recorder/mcp/stdio-proxy.ts';
import { inOrder, listening, type Tapped, tapBefore, tapIn } from './http-taps.ts';
import { newestServer } from './newest-server.ts';
import { Collector, recordingSettings, TOKEN } from './support.ts';

const SERVER = fileURLToPath(new URL('./newest-stdio-server.ts', import.meta.url));

function newestClient(): Client {
  const client = new Client(
    { name: 'claude-code', version: '3' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { city: 'Rome' } }));
  return client;
}

async function use(client: Client): Promise<void> {
  await client.listTools();
  await client.callTool({ name: 'echo', arguments: { text: 'Zoë 🙂' }, _meta: { 'claudecode/toolUseId': 'toolu_1' } });
  await client.callTool({ name: 'ask' });
  await client.readResource({ uri: 'test://greeting' });
}

async function cancelOne(client: Client, recorder: Collector): Promise<void> {
  const controller = new AbortController();
  const called = client.callTool({ name: 'slow' }, { signal: controller.signal }).catch(() => undefined);
  await expect.poll(() => recorder.lines).toContain('started slow {}');
  controller.abort('enough');
  await called;
  await expect.poll(() => recorder.lines.at(-1)).toBe('failed slow cancelled cancelled');
}

function expectEverything(recorder: Collector): void {
  const shape = (line: string): string => line.replace(/,"(ttlMs|cacheScope)":("[a-z]+"|\d+)/g, '');
  expect(recorder.lines.map(shape)).toEqual([
    'tools newest 3',
    'started echo {"text":"Zoë 🙂"}',
    'completed echo ok {"content":[{"type":"text","text":"Zoë 🙂"}]}',
    'started ask {}',
    'started mcp.elicitation {"message":"Which city?","requestedSchema":{"type":"object","properties":{"city":{"type":"string"}}},"mode":"form"}',
    'completed mcp.elicitation ok {"action":"accept","content":{"city":"Rome"}}',
    'completed ask ok {"content":[{"type":"text","text":"asked"}]}',
    'started mcp.resource_read {"uri":"test://greeting"}',
    'completed mcp.resource_read ok {"contents":[{"uri":"test://greeting","text":"Grüße"}]}',
    'started slow {}',
    'failed slow cancelled cancelled',
  ]);
  expect([...recorder.feeds]).toEqual(['claudecode']);
  const calls = recorder.seen.filter((event) => event.kind === 'call');
  expect(calls.slice(0, 2).map(({ call_id }) => call_id)).toEqual(['toolu_1', 'toolu_1']);
  expect(calls[0]).toMatchObject({ extra: { mcp_revision: '2026-07-28' }, program_version: '3' });
  const [asked, , , answered] = calls.slice(2);
  expect(answered?.extra?.['mcp_request']).toBe(asked?.extra?.['mcp_request']);
}

describe('revision 2026-07-28 between client and server of the official packages', () => {
  it('passes over stdio byte for byte, and is recorded', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-'));
    try {
      const [came, went] = [join(folder, 'came'), join(folder, 'went')];
      const [input, output, recorder] = [new PassThrough(), new PassThrough(), new Collector()];
      const [sent, received] = [[] as Buffer[], [] as Buffer[]];
      input.on('data', (chunk: Buffer) => sent.push(chunk));
      output.on('data', (chunk: Buffer) => received.push(chunk));
      const command = { command: process.execPath, args: [SERVER, came, went] };
      const streams = { input, output, closeOutput: () => output.end(), signals: new EventEmitter() };
      const end = proxyStdio({ ...command, ...streams }, recordingSettings(recorder));
      const client = newestClient();
      await client.connect(new StdioServerTransport(output, input));
      await use(client);
      await cancelOne(client, recorder);
      input.end();
      expect(await end).toEqual({ code: 0, signal: null });
      expect(readFileSync(came)).toEqual(Buffer.concat(sent));
      expect(readFileSync(went)).toEqual(Buffer.concat(received));
      expectEverything(recorder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('passes over HTTP byte for byte, and is recorded; a stream that the client closes is a cancelled call', async () => {
    const recorder = new Collector();
    const [before, behind] = [[] as Tapped[], [] as Tapped[]];
    const handle = toNodeHandler(createMcpHandler(newestServer));
    const upstream = await listening((request, response) => handle(request as NodeIncomingMessageLike, response));
    const tap = await listening(tapBefore(upstream.url, behind));
    const say = (text: string): void => {
      throw new Error(text);
    };
    const proxy = await proxyHttp(
      { upstream: tap.url, at: { port: 0, token: TOKEN }, say },
      recordingSettings(recorder),
    );
    try {
      const client = newestClient();
      await client.connect(new StreamableHTTPClientTransport(new URL(proxy.url), { fetch: tapIn(before) }));
      await use(client);
      expect(inOrder(before)).toEqual(inOrder(behind));
      expect(before.length).toBeGreaterThan(5);
      await cancelOne(client, recorder);
      await client.close();
    } finally {
      await proxy.close();
      for (const { server } of [tap, upstream]) {
        server.close();
        server.closeAllConnections();
      }
    }
    expectEverything(recorder);
  });
});
