import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MOST_LEFT } from '../../../src/agent/light.ts';
import { type RecorderHome, recorderHome } from '../../../src/recorder/base/home.ts';
import { Handing } from '../../../src/recorder/mcp/handing.ts';
import { RecorderClient } from '../../../src/recorder/seen/recorder-client.ts';
import type { SeenCall, SeenCommon, SeenNote } from '../../../src/recorder/seen/seen.ts';

const ID = '0b0e3b36-9d7c-4b5e-8a43-6a54f7f6d4b1';

const common: SeenCommon = {
  ...({ source: 'mcp', witness: 'w' } as const),
  event_id: ID,
  raw_event: 'x',
  raw_sha256: '0'.repeat(64),
  extra: null,
  observed_at: '2026-11-22T00:00:00Z',
  session: null,
  sub_agent: null,
  model: null,
  program_version: null,
  cwd: null,
  trace: null,
};
const note: SeenNote = { ...common, kind: 'note', name: 'n', text: null };
const call: SeenCall = {
  ...common,
  ...({ kind: 'call', stage: 'started', tool: { name: 'echo', type: 'mcp', server: 'w' } } as const),
  call_id: null,
  input: 'long',
  touched: [],
};

let folder = '';
let home: RecorderHome;
let server: Server | undefined;
const came: { url: string | undefined; body: string; authorization: string | undefined }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recorder-'));
  home = recorderHome({ COUNTERSIGN_RECORDER: folder });
  came.length = 0;
});
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
  server = undefined;
  rmSync(folder, { recursive: true });
});

/** What a recorder would answer, on the socket of this folder or on a port. */
async function answering(status: number, answer: unknown, where: string | number = home.socket): Promise<void> {
  const listener: RequestListener = (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.url === '/v1/alive') {
        response.end('{}');
        return;
      }
      came.push({ url: request.url, body, authorization: request.headers.authorization });
      response.writeHead(status).end(JSON.stringify(answer));
    });
  };
  server = createServer(listener);
  if (typeof where === 'number') server.listen(where, '127.0.0.1');
  else server.listen(where);
  await once(server, 'listening');
}

function install(onFailure: string, threshold?: string): void {
  mkdirSync(home.agents);
  writeFileSync(home.agent('gui'), JSON.stringify({ feed: 'gui', on_failure: onFailure, threshold }), { mode: 0o600 });
}

const error = (code: string): object => ({ error: { code, message: 'because' } });

describe('client of the recorder', () => {
  it('finds it by its port, with its token, where there is no socket', async () => {
    const verdict = { allowed: true, reason: null, operation_ids: ['o1'] };
    await answering(200, verdict, 0);
    const at = server?.address();
    const port = typeof at === 'object' ? at?.port : undefined;
    writeFileSync(home.address, JSON.stringify({ pid: 1, port, url: `http://127.0.0.1:${port}` }));
    writeFileSync(home.token, 'secret\n');
    expect(await new RecorderClient(home).take('gui', [note])).toEqual(verdict);
    expect(came).toMatchObject([{ url: '/v1/seen/gui', authorization: 'Bearer secret' }]);
  });

  it('takes an answer of more than 1 MiB for none', async () => {
    install('allow');
    await answering(200, { allowed: false, reason: 'x'.repeat(1 << 20), operation_ids: [] });
    expect(await new RecorderClient(home).take('gui', [note])).toMatchObject({ allowed: true });
    expect(existsSync(join(home.missed, 'gui'))).toBe(true);
  });

  it.each([
    [200, { allowed: true, reason: null, operation_ids: ['o1'] }],
    [403, { allowed: false, reason: 'frozen', operation_ids: [] }],
  ])('hands events over the socket, and takes the verdict of an answer with status %d', async (status, verdict) => {
    await answering(status, verdict);
    expect(await new RecorderClient(home).take('gui', [note])).toEqual(verdict);
    expect(came).toEqual([{ url: '/v1/seen/gui', body: JSON.stringify({ seen: [note] }) }]);
  });

  it('sends nothing to a recorder that hangs, and notes for hooks that it waited, until one answers', async () => {
    install('block');
    // Takes connections, as the system does for a process that hangs, and answers nothing.
    const asked: (string | undefined)[] = [];
    server = createServer((request) => asked.push(request.url)).listen(home.socket);
    await once(server, 'listening');
    const client = new RecorderClient(home);
    for (const count of [1, 2]) {
      expect(await client.take('gui', [note])).toMatchObject({ allowed: false });
      expect(asked).toEqual(Array(count).fill('/v1/alive'));
      expect(existsSync(home.away)).toBe(true);
    }
    expect(readFileSync(join(home.missed, 'gui'), 'utf8').match(/\n/g)).toHaveLength(2);
    server.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    await answering(200, { allowed: true, reason: null, operation_ids: [] });
    expect(await client.take('gui', [note])).toMatchObject({ allowed: true });
    expect(existsSync(home.away)).toBe(false);
  });

  it.each(['EVENT_INVALID', 'EVENT_TOO_LARGE', 'NOT_INSTALLED'])('throws %s', async (code) => {
    await answering(400, error(code));
    await expect(new RecorderClient(home).take('gui', [note])).rejects.toMatchObject({ code, message: 'because' });
  });

  it.each([
    ['allow', true],
    ['block', false],
  ])('notes events as missed where nobody listens, and follows the policy %s', async (policy, allowed) => {
    install(policy);
    const verdict = await new RecorderClient(home).take('gui', [note, note]);
    expect(verdict.allowed).toBe(allowed);
    // Nobody was waited for: the next hook may start a recorder.
    expect(existsSync(home.away)).toBe(false);
    const line = new RegExp(`^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ ${ID} mcp\\n){2}$`);
    expect(readFileSync(join(home.missed, 'gui'), 'utf8')).toMatch(line);
  });

  it('leaves events where nobody listens and the policy lets it, in their order, and has a recorder started once', async () => {
    install('allow', 'captured');
    const woken = Promise.withResolvers<void>();
    let wakes = 0;
    const client = new RecorderClient(home, 'acp', () => {
      wakes++;
      return woken.promise;
    });
    const turns = [0, 1, 2].map((turn): SeenNote => ({ ...note, text: String(turn) }));
    for (const turn of turns) expect(await client.take('gui', [turn, call])).toMatchObject({ allowed: true });
    expect([wakes, existsSync(home.missed)]).toEqual([1, false]);
    const left = readdirSync(home.left).map((name) => ({ name, ...statSync(join(home.left, name)) }));
    for (const { name, mode } of left) {
      expect(name).toMatch(/^gui\.[0-9a-f-]{36}\.acp\.2$/);
      expect(mode & 0o777).toBe(0o600);
    }
    const bodies = left
      .toSorted((a, b) => a.mtimeMs - b.mtimeMs)
      .map(({ name }) => JSON.parse(readFileSync(join(home.left, name), 'utf8')));
    expect(bodies).toEqual(turns.map((turn) => ({ seen: [turn, call] })));
  });

  it.each([
    ['where calls wait for the service', 'allow', 'countersigned', {}],
    ['where nothing is to run unrecorded', 'block', 'captured', {}],
    ['for a recorder of the system, which cannot see the folder', 'allow', 'captured', { isSystem: true }],
  ])('notes events as missed %s', async (_, policy, threshold, members) => {
    install(policy, threshold);
    await new RecorderClient({ ...home, ...members }).take('gui', [note]);
    expect([existsSync(home.left), existsSync(join(home.missed, 'gui'))]).toEqual([false, true]);
  });

  it('notes events as missed where as many wait as may', async () => {
    install('allow', 'captured');
    mkdirSync(home.left);
    for (let n = 0; n < MOST_LEFT.files - 1; n++) writeFileSync(join(home.left, String(n)), '');
    const client = new RecorderClient(home);
    await client.take('gui', [note]);
    expect(existsSync(home.missed)).toBe(false);
    await client.take('gui', [note]);
    expect(readFileSync(join(home.missed, 'gui'), 'utf8').match(/\n/g)).toHaveLength(1);
    expect(readdirSync(home.left)).toHaveLength(MOST_LEFT.files);
  });

  it.each([
    ['an answer that says nothing', 200, 'hello'],
    ['a recorder that is out of order', 503, error('SPOOL_FULL')],
  ])('takes %s for no answer', async (_, status, answer) => {
    install('block');
    await answering(status, answer);
    expect(await new RecorderClient(home).take('gui', [note])).toMatchObject({ allowed: false, operation_ids: [] });
  });

  it('blocks where the policy cannot be read', async () => {
    install('allow');
    writeFileSync(home.agent('gui'), 'not JSON');
    expect((await new RecorderClient(home).take('gui', [note])).allowed).toBe(false);
  });

  it('says where missed events cannot be noted, and the policy is followed all the same', async () => {
    install('block');
    writeFileSync(home.missed, 'no folder');
    await expect(new RecorderClient(home).take('gui', [note])).rejects.toMatchObject({ code: 'FOLDER_UNUSABLE' });
    const handing = new Handing(new RecorderClient(home), () => undefined);
    expect((await handing.asked('gui', [note], 1)).allowed).toBe(false);
  });

  it('hands in to the recorder of the system what was missed, and removes it once that is durable', async () => {
    install('allow');
    const client = new RecorderClient({ ...home, isSystem: true });
    await client.take('gui', [note]);
    const noted = readFileSync(join(home.missed, 'gui'), 'utf8');
    await answering(200, { allowed: true, reason: null, operation_ids: ['o1'] });
    await client.take('gui', [note]);
    expect(readdirSync(home.missed)).toHaveLength(1);
    await client.take('gui', [note]);
    expect(came.map(({ url }) => url)).toEqual(['/v1/seen/gui', '/v1/seen/gui', '/v1/missed/gui']);
    expect(came.at(-1)?.body).toBe(noted);
    expect(readdirSync(home.missed)).toEqual([]);
  });

  it('keeps what was missed while the recorder of the system does not take it', async () => {
    mkdirSync(home.missed);
    writeFileSync(join(home.missed, 'gui.1'), 'x');
    await answering(403, { allowed: false, reason: 'frozen', operation_ids: [] });
    const verdict = await new RecorderClient({ ...home, isSystem: true }).take('gui', [note]);
    expect(verdict.allowed).toBe(false);
    expect(came).toHaveLength(2);
    expect(readdirSync(home.missed)).toEqual(['gui.1']);
  });

  it('says NOT_INSTALLED where nothing is, and leaves nothing behind', async () => {
    await expect(new RecorderClient(home).take('gui', [note])).rejects.toMatchObject({ code: 'NOT_INSTALLED' });
    expect(existsSync(home.missed)).toBe(false);
  });
});

const NOT_ASKED = {
  missed: () => Promise.reject(new Error('not asked')),
  withoutRecord: () => Promise.reject(new Error('not asked')),
};

describe('handing over', () => {
  it('hands a call without its content where that is too large', async () => {
    const said: string[] = [];
    await answering(413, error('EVENT_TOO_LARGE'));
    install('block');
    const handing = new Handing(new RecorderClient(home), (text) => said.push(text));
    expect((await handing.asked('gui', [call], 1)).allowed).toBe(false);
    const bodies = came.map(({ body }) => JSON.parse(body).seen[0]);
    expect(bodies.map(({ input, extra }) => [input, extra])).toEqual([
      ['long', null],
      [undefined, { content_too_large: true }],
    ]);
    expect(said).toEqual(['something could not be recorded: because']);
  });

  it('keeps the order, puts together what nobody waits for, and gives a verdict on nothing later', async () => {
    const taken: number[][] = [];
    const events = [0, 1, 2, 3].map((turn): SeenNote => ({ ...note, text: String(turn) }));
    const recorder = {
      take: async (_: unknown, seen: readonly { text?: unknown }[]) => {
        taken.push(seen.map(({ text }) => Number(text)));
        return { allowed: true, reason: null, operation_ids: [] };
      },
      ...NOT_ASKED,
    };
    const handing = new Handing(recorder as never, () => undefined);
    handing.later('gui', events.slice(0, 1), 1);
    const asked = handing.asked('gui', events.slice(1, 2), 1);
    handing.later('gui', events.slice(2, 3), 1);
    handing.later('other', events.slice(3), 1);
    await asked;
    await handing.idle();
    expect(taken).toEqual([[0, 1], [2], [3]]);
  });

  it('drops events where the recorder is too slow, and says so once', async () => {
    const [said, missed] = [[] as string[], [] as string[]];
    let release: (() => void) | undefined;
    const recorder = {
      take: async () => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return { allowed: true, reason: null, operation_ids: [] };
      },
      ...NOT_ASKED,
      missed: (_: unknown, ids: readonly string[]) => {
        missed.push(...ids);
        return Promise.resolve({ allowed: true, reason: null, operation_ids: [] });
      },
    };
    const handing = new Handing(recorder, (text) => said.push(text));
    handing.later('gui', [note], 65 << 20);
    handing.later('gui', [note], 60 << 20);
    handing.later('gui', [note], 60 << 20);
    expect(said).toEqual(['the recorder is too slow: events are dropped']);
    await expect.poll(() => release).toBeDefined();
    release?.();
    await handing.idle();
    expect(missed).toEqual([ID, ID]);
  });
});
