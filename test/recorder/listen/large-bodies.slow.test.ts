// docs/recorders.md, When a record cannot be made: large bodies are read beside the thread that hooks wait for, with the same result.
import { describe, expect, it, vi } from 'vitest';
import { request } from '../../../src/node/node-http.ts';
import { readSeenBody } from '../../../src/recorder/listen/seen-body.ts';
import { receiveOtlp } from '../../../src/recorder/otlp/receive.ts';
import { received } from '../../../src/recorder/seen/received.ts';
import { span } from '../../support/otlp.ts';
import { callSeen } from '../../support/stand-in-pipeline.ts';
import { recorderFor } from './recorder-for.ts';

/** Posts a body. @returns the status, and the answer as it came */
async function post(home: { readonly socket: string }, path: string, body: Buffer): Promise<[number, string]> {
  const headers = { 'content-type': 'application/json', 'content-length': body.length, 'x-countersign-feed': 'codex' };
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: home.socket, method: 'POST', path, headers, agent: false });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (part: Buffer) => {
        text += part.toString();
      });
      response.on('end', () => resolve([response.statusCode ?? 0, text]));
    });
    sent.end(body);
  });
}

const names = (bytes: number): string => {
  const members: string[] = [];
  for (let size = 0; size < bytes; size += members.at(-1)?.length ?? 0) members.push(`"m${members.length}":1,`);
  return members.join('');
};

/** A span with a call of a tool that was given a lot, numbers beyond a double among it. */
const exported = (bytes: number): Buffer => {
  const given = `{"n":12345678901234567890,"text":"${'x'.repeat(bytes)}"}`;
  const values = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 't',
    'gen_ai.tool.call.arguments': given,
  };
  return Buffer.from(
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span('execute_tool t', values)] }] }] }),
  );
};
const LARGE = 300_000;
const seenBody = (bytes: number): Buffer =>
  Buffer.from(
    JSON.stringify({ seen: [callSeen('started', { input: 'x'.repeat(bytes) })] })
      .replace('"x', '{"n":1e400,"text":"x')
      .replace(/x"/, 'x"}'),
  );

describe('a large body', () => {
  it('of an export is not parsed by the thread that answers', async () => {
    const { home } = await recorderFor({ installed: () => new Set(['codex']) });
    const body = Buffer.from(`{${names(15_000_000)}"end":1}`);
    const parse = vi.spyOn(JSON, 'parse');
    expect(await post(home, '/v1/traces', body)).toEqual([200, '{}']);
    const longest = Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(longest).toBeLessThan(1000);
  });

  it.each([10, LARGE])('of an export is read as a small one is: %d bytes', async (bytes) => {
    const { home, taken } = await recorderFor({ installed: () => new Set(['codex']) });
    const body = exported(bytes);
    expect(await post(home, '/v1/traces', body)).toEqual([200, '{}']);
    const [given] = receiveOtlp({
      path: 'traces',
      contentType: 'application/json',
      body: received(body),
      feed: 'codex',
      installed: new Set(['codex']),
      receivedAt: '2026-01-01T00:00:00.000Z',
    }).byFeed.values();
    expect(taken).toEqual([{ feed: 'codex', seen: given }]);
  });

  it.each([10, LARGE])('of events is read as a small one is: %d bytes', async (bytes) => {
    const { home, taken } = await recorderFor({ installed: () => new Set(['codex']) });
    const body = seenBody(bytes);
    expect((await post(home, '/v1/seen/codex', body))[0]).toBe(200);
    expect(taken).toEqual([{ feed: 'codex', seen: readSeenBody(received(body)) }]);
  });

  it('that cannot be read is refused with its code', async () => {
    const { home } = await recorderFor({ installed: () => new Set(['codex']) });
    const [status, text] = await post(home, '/v1/seen/codex', Buffer.from(`{"seen":[${'1,'.repeat(LARGE)}1]}`));
    expect([status, JSON.parse(text)]).toMatchObject([400, { error: { code: 'EVENT_INVALID' } }]);
    expect((await post(home, '/v1/traces', Buffer.from('['.repeat(LARGE))))[0]).toBe(400);
    expect((await post(home, '/v1/traces', Buffer.from(`[${'1,'.repeat(1_600_000)}1]`)))[0]).toBe(413);
  });
});
