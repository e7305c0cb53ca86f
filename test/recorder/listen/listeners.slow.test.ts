import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { RecordError } from '../../../src/recorder/base/record-error.ts';
import type { SeenCall } from '../../../src/recorder/seen/seen.ts';
import { atEnd } from '../../support/cleanup.ts';
import { until } from '../../support/until.ts';
import { recorderFor, type Taken } from './recorder-for.ts';

const HOOK = JSON.stringify({ hook_event_name: 'SessionStart', session_id: 's' });

interface Answered {
  readonly status: number;
  readonly body: string;
}

interface Sent {
  readonly socketPath?: string;
  readonly port?: number;
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

function ask({ body, method = 'POST', ...rest }: Sent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...rest, host: '127.0.0.1', method }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

function codeOf({ body }: Answered): unknown {
  return JSON.parse(body).error.code;
}

describe('the recorder listens on a Unix socket', () => {
  it('answers a hook with what it has to print', async () => {
    const { home, taken } = await recorderFor();
    const answer = await ask({
      socketPath: home.socket,
      path: '/v1/hook/claudecode',
      headers: { 'x-countersign-event': '0b0f4b9e-3c1d-4f6a-8a3b-2f1e0d9c8b7a' },
      body: HOOK,
    });
    expect(answer.status).toBe(200);
    expect(taken.map(({ feed }) => feed)).toEqual(['claudecode']);
    expect(taken[0]?.seen[0]?.event_id).toContain('0b0f4b9e-3c1d-4f6a-8a3b-2f1e0d9c8b7a');
  });

  it('records a hook without content', async () => {
    const { home, taken } = await recorderFor();
    expect((await ask({ socketPath: home.socket, path: '/v1/hook/gemini' })).status).toBe(200);
    expect(taken[0]?.seen[0]?.kind).toBe('note');
  });

  it('is for its user alone, as is what says where it listens', async () => {
    const { home } = await recorderFor();
    for (const path of [home.socket, home.token, home.address, home.pid]) {
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
    expect(JSON.parse(readFileSync(home.address, 'utf8')).pid).toBe(process.pid);
    expect(readFileSync(home.pid, 'utf8').split('\n')[0]).toBe(String(process.pid));
  });

  it('replaces the socket that a crash left, and nothing that is no socket', async () => {
    const { home, close, open } = await recorderFor();
    await close();
    const left = createServer();
    await new Promise<void>((resolve) => left.listen(home.socket, resolve));
    atEnd(() => left.close());
    await open();
    expect((await ask({ socketPath: home.socket, path: '/v1/status', method: 'GET' })).status).toBe(200);
    await close();
    writeFileSync(home.socket, '');
    await expect(open()).rejects.toMatchObject({ code: 'FOLDER_UNUSABLE' });
  });

  it('leaves nothing that says it runs', async () => {
    const { home, close } = await recorderFor();
    await close();
    for (const path of [home.socket, home.address, home.pid]) {
      expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
    }
  });

  it('refuses what it does not know, and what it cannot take', async () => {
    const { home } = await recorderFor();
    const { socket: socketPath } = home;
    const code = async (sent: Omit<Sent, 'socketPath'>): Promise<unknown> => codeOf(await ask({ socketPath, ...sent }));
    expect(await code({ path: '/v1/hook/emacs', body: HOOK })).toBe('NOT_FOUND');
    expect(await code({ path: '/v1/hook/constructor', body: HOOK })).toBe('NOT_FOUND');
    expect(await code({ path: '/', body: HOOK })).toBe('NOT_FOUND');
    expect(await code({ path: '/v1/hook/codex', method: 'GET' })).toBe('NOT_FOUND');
    expect(await code({ path: '/v1/hook/codex', headers: { 'x-countersign-event': '../..' } })).toBe('EVENT_INVALID');
    expect(await code({ path: '/v1/seen/codex', body: '{"seen":[{}]}' })).toBe('EVENT_INVALID');
    expect(await code({ path: '/v1/seen/codex', body: '{' })).toBe('EVENT_INVALID');
    const packed = { 'content-encoding': 'gzip' };
    expect(await code({ path: '/v1/hook/codex', headers: packed, body: gzipSync(HOOK) })).toBe('EVENT_INVALID');
  });

  it.each(['content-length', 'transfer-encoding'])('takes a hook of any size, whose length comes by %s', async (by) => {
    const { home, taken } = await recorderFor();
    const call = { hook_event_name: 'PreToolUse', session_id: 's', tool_use_id: 't', tool_name: 'Bash' };
    const body = JSON.stringify({ tool_input: { command: `rm -r /srv/shop # ${'x'.repeat(9_000_000)}` }, ...call });
    const headers = by === 'content-length' ? {} : { 'transfer-encoding': 'chunked' };
    expect((await ask({ socketPath: home.socket, path: '/v1/hook/codex', headers, body })).status).toBe(200);
    expect(taken).toMatchObject([
      {
        seen: [
          {
            kind: 'call',
            call_id: 't',
            session: { id: 's' },
            tool: { name: 'Bash' },
            touched: [{ kind: 'process', id: 'rm' }],
            shortened: { bytes: body.length, left_out: [{ whole: 9_000_018 }] },
          },
        ],
      },
    ]);
  });

  it('answers a hook whose standard input stays open once its JSON is whole', async () => {
    const { home, taken } = await recorderFor();
    const given = { socketPath: home.socket, path: '/v1/hook/claudecode', method: 'POST' };
    const status = await new Promise((resolve, reject) => {
      const sent = request(given, (answer) => resolve(answer.resume().statusCode));
      sent.on('error', reject);
      sent.write(`${HOOK}\n`);
      atEnd(() => sent.destroy());
    });
    expect(status).toBe(200);
    expect(taken).toMatchObject([{ seen: [{ kind: 'session_started', session: { id: 's' } }] }]);
  });

  // The program gave up on its hook: it closed what it wrote to, or ended the hook with everything that it had begun to send.
  it.each([
    ['short', 'ends', 'rm -r '],
    ['longer than is kept', 'ends', 'rm -r a\n'.repeat(400_000)],
    ['short', 'is broken off', 'rm -r '],
    ['longer than is kept', 'is broken off', 'rm -r a\n'.repeat(400_000)],
  ])('keeps what came of an event that is %s and %s', async (_, how, command) => {
    const { home, taken } = await recorderFor();
    const call = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 't' };
    const text = JSON.stringify({ ...call, tool_input: { command } }).slice(0, -3);
    const given = { socketPath: home.socket, path: '/v1/hook/claudecode', method: 'POST' };
    const sent = request(given, (answer) => answer.resume());
    sent.on('error', () => undefined);
    // Flushed: the bytes are with the system, which hands them over before it says that the connection is gone.
    await new Promise((done) => sent.write(text, done));
    if (how === 'ends') sent.end();
    else sent.destroy();
    const { seen } = await until('what came', () => Promise.resolve(taken[0] ?? false));
    expect(seen).toMatchObject([
      { kind: 'call', stage: 'proposed', tool: { name: 'Bash' }, call_id: 't', shortened: { cut_off: true } },
    ]);
    const { input } = seen[0] as SeenCall;
    expect(JSON.stringify(input)).toMatch(/^\{"command":"rm -r.*\\n\[\.\.\. cut off here \.\.\.\]"\}$/);
  });

  it('takes a body of the largest size', async () => {
    const { home, taken } = await recorderFor();
    const body = Buffer.alloc(2 * 1024 * 1024, 0x20);
    expect((await ask({ socketPath: home.socket, path: '/v1/hook/codex', body })).status).toBe(200);
    expect(taken).toHaveLength(1);
  });

  it('says with 403 that an agent may not go on', async () => {
    const verdict = { allowed: false, reason: 'the agent is frozen', operation_ids: [] };
    const { home } = await recorderFor({ take: async () => verdict });
    const answer = await ask({
      socketPath: home.socket,
      path: '/v1/seen/codex',
      body: JSON.stringify({ seen: [note] }),
    });
    expect(answer).toEqual({ status: 403, body: JSON.stringify(verdict) });
  });

  it('hands in events of other programs as they are', async () => {
    const { home, taken } = await recorderFor();
    const body = JSON.stringify({ seen: [note] });
    expect((await ask({ socketPath: home.socket, path: '/v1/seen/other', body })).status).toBe(200);
    expect(taken).toEqual([{ feed: 'other', seen: [note] } satisfies Taken]);
  });

  it('names why nothing was recorded', async () => {
    const take = async (): Promise<never> => {
      throw new RecordError('NOT_INSTALLED', 'no agent');
    };
    const { home } = await recorderFor({ take });
    const answer = await ask({ socketPath: home.socket, path: '/v1/hook/codex', body: HOOK });
    expect(answer).toEqual({ status: 404, body: '{"error":{"code":"NOT_INSTALLED","message":"no agent"}}' });
  });

  it('says of a hook whether the recorder has counted what was lost', async () => {
    const errors: unknown[] = [];
    const take = async (): Promise<never> => {
      throw new RecordError('EVENT_INVALID', 'no');
    };
    const { home } = await recorderFor({ take, onError: (error) => errors.push(error) });
    const answer = await ask({ socketPath: home.socket, path: '/v1/hook/codex', body: HOOK });
    expect([answer.status, codeOf(answer)]).toEqual([422, 'EVENT_INVALID']);
    expect(errors).toMatchObject([{ code: 'EVENT_INVALID' }]);
  });

  it('tells nobody but its own output of a defect', async () => {
    const errors: unknown[] = [];
    const take = async (): Promise<never> => {
      throw new TypeError('secret');
    };
    const { home } = await recorderFor({ take, onError: (error) => errors.push(error) });
    const body = JSON.stringify({ seen: [note] });
    const answer = await ask({ socketPath: home.socket, path: '/v1/seen/codex', body });
    expect(answer.status).toBe(500);
    expect(answer.body).not.toContain('secret');
    expect(errors).toEqual([new TypeError('secret')]);
  });
});

describe('the recorder listens on a port of 127.0.0.1', () => {
  it('answers who shows the token, on one connection', async () => {
    const { home, listeners, taken } = await recorderFor();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    atEnd(() => agent.destroy());
    const authorization = `Bearer ${readFileSync(home.token, 'utf8').trim()}`;
    for (let i = 0; i < 3; i++) {
      const sent = { port: listeners.port, agent, path: '/v1/hook/codex', headers: { authorization }, body: HOOK };
      expect((await ask(sent)).status).toBe(200);
    }
    expect(taken).toHaveLength(3);
  });

  it('keeps its token', async () => {
    const { home, close, open } = await recorderFor();
    const before = readFileSync(home.token, 'utf8');
    await close();
    await open();
    expect(readFileSync(home.token, 'utf8')).toBe(before);
  });

  it('refuses everybody else, and a page that was led here by another name', async () => {
    const { home, listeners, taken } = await recorderFor();
    const authorization = `Bearer ${readFileSync(home.token, 'utf8').trim()}`;
    const refused: readonly OutgoingHttpHeaders[] = [
      {},
      { authorization: 'Bearer ' },
      { authorization: `${authorization}x` },
      { authorization: authorization.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) },
      { authorization, host: 'evil.example' },
      { authorization, host: `evil.example:${listeners.port}` },
    ];
    for (const headers of refused) {
      const answer = await ask({ port: listeners.port, path: '/v1/hook/codex', headers, body: HOOK });
      expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHORIZED']);
    }
    expect(taken).toHaveLength(0);
  });
});

describe('exports of telemetry', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };

  it('are taken packed and unpacked', async () => {
    const { home } = await recorderFor();
    const plain = await ask({ socketPath: home.socket, path: '/v1/metrics', headers: JSON_TYPE, body: '{}' });
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    const packed = await ask({ socketPath: home.socket, path: '/v1/metrics', headers, body: gzipSync('{}') });
    expect([plain.status, packed.status]).toEqual([200, 200]);
  });

  it('are refused where they unpack to what nobody sends, which a gap tells of', async () => {
    const { home, taken } = await recorderFor({ installed: () => new Set(['enterprise']) });
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    const bomb = gzipSync(Buffer.alloc(15 * 1024 * 1024));
    expect(codeOf(await ask({ socketPath: home.socket, path: '/v1/logs', headers, body: bomb }))).toBe(
      'EVENT_TOO_LARGE',
    );
    expect(taken).toMatchObject([{ feed: 'enterprise', seen: [{ kind: 'gap', source: 'otlp', count: 1 }] }]);
    expect(codeOf(await ask({ socketPath: home.socket, path: '/v1/logs', headers, body: 'no gzip' }))).toBe(
      'EVENT_INVALID',
    );
  });
});

const note = {
  kind: 'note',
  name: 'remark',
  text: 'text',
  source: 'library',
  witness: null,
  event_id: '1',
  raw_event: 'remark',
  raw_sha256: '0'.repeat(64),
  observed_at: '2026-11-22T10:00:00.000Z',
  session: null,
  sub_agent: null,
  model: null,
  program_version: null,
  cwd: null,
  trace: null,
  extra: null,
} as const;
