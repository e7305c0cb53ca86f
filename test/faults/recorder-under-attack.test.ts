import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, symlinkSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { RecorderHome } from '../../src/recorder/base/home.ts';
import { askStatus } from '../../src/recorder/listen/ask-status.ts';
import { atEnd } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/folders.ts';
import { CommandProcess } from '../support/processes.ts';
import { installAgent, ledgerOf } from '../support/recorder.ts';
import { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** What a recorder may take at its worst, in MB: 64 of bodies at once, what they become when they are read, and itself. */
const MOST_MEMORY_MB = 500;

const service = await TestService.start();
const owner = await service.signUp();

interface Live {
  readonly home: RecorderHome;
  readonly process: CommandProcess;
  readonly pid: number;
  readonly port: number;
  readonly token: string;
  ledger(): ReturnType<typeof ledgerOf>;
}

/** A recorder as hooks start it, with an agent at a real service. */
async function live(): Promise<Live> {
  const { home, agent } = await installAgent(owner, service.kid);
  const process = new CommandProcess(['record', 'run', '--quiet'], { COUNTERSIGN_RECORDER: home.folder });
  const status = await until('the recorder to answer', () => askStatus(home).catch(() => undefined));
  const port = Number(new URL(status.url ?? '').port);
  const token = readFileSync(home.token, 'utf8').trim();
  return { home, process, pid: status.pid, port, token, ledger: () => ledgerOf(owner, agent) };
}

interface Way {
  readonly socketPath?: string;
  readonly port?: number;
  readonly token?: string;
  readonly eventId?: string;
  /** Where it is no hook's. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Hands a body in. @returns the status; 0 where the connection was cut */
function post(way: Way, body: string | Uint8Array): Promise<number> {
  const { token, eventId, path = '/v1/hook/codex', ...where } = way;
  const headers = {
    ...way.headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(eventId === undefined ? {} : { 'x-countersign-event': eventId }),
  };
  return new Promise((resolve) => {
    const sent = request({ ...where, host: '127.0.0.1', method: 'POST', path, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.once('error', () => resolve(0));
    sent.end(body);
  });
}

function hook(command: string, call: string): string {
  const tool = { tool_name: 'Bash', tool_use_id: call, tool_input: { command } };
  return JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 's', cwd: '/', ...tool });
}

/** The most memory that a process had at once, in MB. */
function mostMemory({ pid }: Live): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

async function allSent({ home }: Live): Promise<void> {
  await until('everything to be sent', async () => (await askStatus(home)).waiting === 0);
}

/** Connects and stays. */
function hold(where: { readonly port: number } | { readonly path: string }, text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect('port' in where ? { ...where, host: '127.0.0.1' } : where);
    atEnd(() => socket.destroy());
    socket.once('connect', () => {
      socket.write(text);
      resolve(socket);
    });
    // Cut off by the recorder, or not let in.
    socket.on('error', () => resolve(socket)).resume();
  });
}

const MIB = 1024 * 1024;

/** Bodies that no program sends, each of which happened all the same. */
const BODIES: Readonly<Record<string, string | Uint8Array>> = {
  nothing: '',
  'no JSON': '{"hook_event_name": "PreToolUse", ',
  'JSON that is no object': '[1, "two", null]',
  'bytes that are no text': randomBytes(4096),
  'a byte order mark and text beyond Latin':
    '\ufeff{"hook_event_name":"Überprüfung \u202e漢字\u0000","session_id":"😀\ud800"}',
  'lists within lists': `{"hook_event_name":"PreToolUse","tool_input":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
  'objects within objects': hook('x', 'deep').replace('"x"', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
  'a number beyond any': '{"hook_event_name":"PreToolUse","session_id":1e999999,"tool_input":-1e999}',
  'names of what objects have': '{"hook_event_name":"PreToolUse","__proto__":{"session_id":"x"},"constructor":1}',
  'many members': JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`m${n}`, n]))),
  'the largest that is kept whole': hook('x'.repeat(2 * MIB - 200), 'large'),
  'more than is kept': hook('x'.repeat(3 * MIB), 'larger'),
  'more than is kept, and no JSON': 'x'.repeat(3 * MIB),
  'much that must be escaped': hook('"\\\u0001'.repeat(100_000), 'escaped'),
};

describe('a recorder that is attacked', () => {
  it('records each event once, whatever is in it, and says what it could not keep', async () => {
    const recorder = await live();
    const { home, port, token } = recorder;
    for (const [name, body] of Object.entries(BODIES)) {
      const eventId = randomUUID();
      // By either way, and once more by who thinks that it got lost.
      for (const way of [{ socketPath: home.socket }, { port, token }, { socketPath: home.socket }]) {
        expect([name, await post({ ...way, eventId }, body)]).toEqual([name, 200]);
      }
    }
    // What shrinks further than telemetry does is not unpacked.
    const headers = { 'content-type': 'application/x-protobuf', 'x-countersign-feed': 'codex' };
    const long = new Uint8Array(17 * MIB);
    expect(await post({ port, token, path: '/v1/logs', headers }, long)).toBe(400);
    const packed = { ...headers, 'content-encoding': 'gzip' };
    expect(await post({ port, token, path: '/v1/logs', headers: packed }, gzipSync(long))).toBe(413);
    await allSent(recorder);
    const ledger = await recorder.ledger();
    const gaps = ledger.filter(({ operation_type }) => operation_type === 'recorder.gap');
    expect(gaps.map(({ shown }) => shown['gap'])).toEqual([expect.objectContaining({ count: 1 })]);
    expect(ledger).toHaveLength(Object.keys(BODIES).length + gaps.length);
    expect((await askStatus(home)).agents[0]).toMatchObject({ lost: 0, stopped: null });
  });

  it('answers hooks while others hold connections, send slowly, or know no token', async () => {
    const recorder = await live();
    const { home, port, token } = recorder;
    const slow = 'POST /v1/hook/codex HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{';
    const silent = await Promise.all(Array.from({ length: 2000 }, () => hold({ port }, '')));
    const held = await Promise.all([
      ...Array.from({ length: 100 }, () => hold({ path: home.socket }, slow)),
      ...Array.from({ length: 100 }, () => hold({ path: home.socket }, 'POST /v1/hook/codex HTTP/1.1\r\nx: ')),
    ]);
    const began = performance.now();
    for (let n = 0; n < 20; n++) expect(await post({ socketPath: home.socket }, hook('date', `held-${n}`))).toBe(200);
    // As long as a single hook waits before it gives up.
    expect(performance.now() - began).toBeLessThan(20 * 3000);
    // They are let go, without anybody's help: then the port is free again.
    await until('the slow ones to be cut off', () => held.every(({ closed }) => closed));
    const free = { port, token, eventId: randomUUID() };
    await until('the port to be free', async () => (await post(free, hook('date', 'free'))) === 200);
    // Where the recorder's queue was full, the system let a caller believe that it is connected: whoever speaks learns of it.
    for (const socket of silent) if (!socket.closed) socket.write('x');
    await until('the silent ones to be cut off', () => silent.every(({ closed }) => closed));
    const wrong = await Promise.all(
      Array.from({ length: 200 }, () => post({ port, token: 'x'.repeat(43) }, hook('rm', 'wrong'))),
    );
    expect(new Set(wrong)).toEqual(new Set([401]));
    expect(await post({ port, token }, hook('date', 'after'))).toBe(200);
    await allSent(recorder);
    const calls = (await recorder.ledger()).filter(({ operation_type }) => operation_type === 'tool.shell');
    expect(calls).toHaveLength(22);
  });

  it('stays within its memory under many large bodies at once, and refuses the rest by name', async () => {
    const recorder = await live();
    const { home } = recorder;
    const deep = `{"hook_event_name":"PreToolUse","tool_input":[${'[1,2,{"a":"b"}],'.repeat(120_000)}0]}`;
    const ids = Array.from({ length: 12 }, () => randomUUID());
    const send = (eventId: string): Promise<number> => post({ socketPath: home.socket, eventId }, deep);
    const first = await Promise.all(ids.map(send));
    expect([...new Set(first)].filter((status) => status !== 200 && status !== 503 && status !== 0)).toEqual([]);
    // Whoever was refused sends again, as it was told.
    for (const [index, eventId] of ids.entries()) {
      if (first[index] !== 200) await until('its turn', async () => (await send(eventId)) === 200);
    }
    await allSent(recorder);
    expect(await recorder.ledger()).toHaveLength(ids.length);
    expect(mostMemory(recorder)).toBeLessThan(MOST_MEMORY_MB);
  });

  it('is one, however many are started at once', async () => {
    const { home, agent } = await installAgent(owner, service.kid);
    const start = (): CommandProcess =>
      new CommandProcess(['record', 'run', '--quiet'], { COUNTERSIGN_RECORDER: home.folder });
    const all = Array.from({ length: 5 }, start);
    const status = await until('one to answer', () => askStatus(home).catch(() => undefined));
    expect(await post({ socketPath: home.socket }, hook('date', '1'))).toBe(200);
    const codes: (number | null)[] = [];
    for (const one of all) void one.ended.then(({ code }) => codes.push(code));
    await until('four to end', () => codes.length === 4);
    expect(codes).toEqual([2, 2, 2, 2]);
    expect((await askStatus(home)).pid).toBe(status.pid);
    await until('it to be sent', async () => (await askStatus(home)).waiting === 0);
    expect(await ledgerOf(owner, agent)).toHaveLength(1);
  });

  it('does not follow a link from its spool', async () => {
    const { home } = await installAgent(owner, service.kid);
    symlinkSync(join(temporaryFolder(), 'elsewhere'), home.spool);
    const { code, stderr } = await new CommandProcess(['record', 'run'], { COUNTERSIGN_RECORDER: home.folder }).ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${home.spool} is a link, or no file`)]);
  });
});
