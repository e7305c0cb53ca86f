// What is handed to the recorder of this machine, by a server that stands where it would listen.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RecorderClient } from '../../src/agent/index.ts';
import { recorderHome } from '../../src/recorder/index.ts';
import { readSeenBody } from '../../src/recorder/listen/seen-body.ts';
import { received } from '../../src/recorder/seen/received.ts';
import { atEnd } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type LocalAnswer, type LocalRequest, serveLocally } from '../support/local-server.ts';
import { until } from '../support/until.ts';

const FINE = { status: 200, body: { allowed: true, reason: null, operation_ids: [] } };

/** A recorder's folder, and what came to its door. */
async function door(answer: (request: LocalRequest, count: number) => LocalAnswer = () => FINE) {
  const requests: LocalRequest[] = [];
  const server = await serveLocally((request) => {
    requests.push(request);
    // The recorder itself takes nothing else.
    if (request.text !== '{"seen":[]}') readSeenBody(received(Buffer.from(request.text)));
    return answer(request, requests.length);
  });
  atEnd(() => server.close());
  const folder = temporaryFolder();
  const open = (port = server.port): void => {
    writeFileSync(join(folder, 'recorder.json'), JSON.stringify({ pid: 1, port, url: `http://127.0.0.1:${port}` }));
  };
  writeFileSync(join(folder, 'token'), 'secret\n');
  open();
  type Event = Record<string, unknown>;
  const events = (): Event[] => requests.flatMap(({ text }) => (JSON.parse(text) as { seen: Event[] }).seen);
  return { folder, open, requests, events };
}

describe('the recorder', () => {
  it('gets each moment once, in its own form, with the token of its folder', async () => {
    const { folder, requests, events } = await door();
    const session = new RecorderClient({ folder }).session({
      id: 's',
      model: 'm',
      program: { name: 'p', version: '3' },
    });
    await session.told({ kind: 'user', value: 'hello' });
    await session.call({ tool: { name: 'read', type: 'file' }, input: { a: 1 } }, () =>
      session.call({ tool: 'inner' }, () => 7),
    );
    const question = await session.ask({ tool: 'pay', input: 1 });
    await session.decided(question, { outcome: 'overridden', by: { kind: 'human', id: 'ada' } });
    await session.end();
    expect(new Set(requests.map(({ url, headers }) => `${url.pathname} ${headers.authorization}`))).toEqual(
      new Set(['/v1/seen/other Bearer secret']),
    );
    expect(events().map(({ kind, stage }) => stage ?? kind)).toEqual([
      ...[
        'session_started',
        'told',
        'started',
        'started',
        'completed',
        'completed',
        'asked',
        'decision',
        'session_ended',
      ],
    ]);
    const [, , outer, inner] = events();
    expect(outer).toMatchObject({
      source: 'library',
      witness: '@countersign/agent',
      raw_event: 'call.started',
      program_version: '3',
      model: { name: 'm' },
      session: { id: 's' },
      sub_agent: null,
      trace: null,
      cwd: process.cwd(),
      tool: { name: 'read', type: 'file', server: null },
      input: { a: 1 },
      touched: [],
      raw_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(inner?.['extra']).toMatchObject({ cause: [outer?.['event_id']] });
    expect(events()[5]).toMatchObject({ output: 7, outcome: { status: 'ok' }, call_id: outer?.['call_id'] });
    expect(events()[7]).toMatchObject({ decision: 'approved', extra: { outcome: 'overridden' } });
  });

  it('keeps an action from being carried out, whatever the policy, and does not undo one', async () => {
    const { folder } = await door((_, count) =>
      count === 2 ? { status: 403, body: { allowed: false, reason: 'Frozen.', operation_ids: [] } } : FINE,
    );
    const session = new RecorderClient({ folder }).session({ onFailure: 'continue' });
    let done = 0;
    const call = () => session.call({ tool: 't' }, () => ++done);
    await expect(call()).rejects.toMatchObject({ code: 'ACTION_BLOCKED', message: 'Frozen.' });
    expect(done).toBe(0);
    expect(await call()).toBe(1);
    const late = await door((_, count) => (count === 3 ? { status: 403, body: 'No.' } : FINE));
    expect(await new RecorderClient({ folder: late.folder }).session().call({ tool: 't' }, () => 'done')).toBe('done');
  });

  it('is tried again where it has moved, with the same event, and given up after a while', async () => {
    const { folder, open, events } = await door((_, count) => (count === 1 ? { status: 503 } : FINE));
    const client = new RecorderClient({ folder, feed: 'gui', retryForMs: 20_000 });
    await client.session().note('x');
    expect(events().map(({ kind }) => kind)).toEqual(['session_started', 'session_started', 'note']);
    expect(events()[0]).toEqual(events()[1]);
    open(1);
    const moved = client.session().note('y');
    setTimeout(open, 150);
    await moved;
    open(1);
    const brief = new RecorderClient({ folder, retryForMs: 0 });
    await expect(brief.session().note('z')).rejects.toMatchObject({ code: 'RECORDER_UNAVAILABLE' });
    const empty = join(folder, 'none');
    mkdirSync(empty);
    const away = new RecorderClient({ folder: empty, retryForMs: 0 }).session({ onFailure: 'continue' });
    expect(await away.call({ tool: 't' }, () => 1)).toBe(1);
    expect(away.counts).toEqual({ records: 0, lost: 3 });
  });

  it('has one deadline for all tries, also where it hangs', async () => {
    let tries = 0;
    const hanging = createServer((_, response) => {
      if (++tries === 1) response.writeHead(503).end();
    });
    await new Promise<void>((listens) => hanging.listen(0, '127.0.0.1', listens));
    atEnd(() => {
      hanging.closeAllConnections();
      hanging.close();
    });
    const { folder, open } = await door();
    open((hanging.address() as AddressInfo).port);
    const error: unknown = await new RecorderClient({ folder, retryForMs: 1_000 }).hand([]).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'RECORDER_UNAVAILABLE', cause: { code: 'ETIMEDOUT' } });
    // The second has what the first left of three seconds, and is the last.
    expect(Number(/within (\d+) ms/.exec(String(error))?.[1])).toBeLessThan(3_000);
    expect(tries).toBe(2);
  });

  it('has all its time where it begins to listen late', async () => {
    const hanging = createServer(() => {});
    await new Promise<void>((listens) => hanging.listen(0, '127.0.0.1', listens));
    atEnd(() => {
      hanging.closeAllConnections();
      hanging.close();
    });
    const { folder, open } = await door();
    open(1);
    setTimeout(() => open((hanging.address() as AddressInfo).port), 1_000);
    const error: unknown = await new RecorderClient({ folder, retryForMs: 2_000 }).hand([]).catch((thrown) => thrown);
    expect(error).toMatchObject({ cause: { code: 'ETIMEDOUT' } });
    // What was waited for nobody is not taken from the three seconds.
    expect(Number(/within (\d+) ms/.exec(String(error))?.[1])).toBeGreaterThan(2_500);
  });

  it('is asked for a sign of life first where it hung, until it answers', async () => {
    const asked: string[] = [];
    let hangs = true;
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      if (!hangs) response.end(JSON.stringify(FINE.body));
    });
    await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
    atEnd(() => {
      server.closeAllConnections();
      server.close();
    });
    const { folder, open } = await door();
    open((server.address() as AddressInfo).port);
    const brief = new RecorderClient({ folder, retryForMs: 0 });
    const vain = { code: 'RECORDER_UNAVAILABLE', cause: { code: 'ETIMEDOUT' } };
    await expect(brief.hand([])).rejects.toMatchObject(vain);
    await expect(brief.hand([])).rejects.toMatchObject(vain);
    expect(asked).toEqual(['POST /v1/seen/other', 'GET /v1/alive']);
    hangs = false;
    await until('a sign of life', () => brief.hand([]).catch(() => undefined));
    expect(asked.slice(-2)).toEqual(['GET /v1/alive', 'POST /v1/seen/other']);
    await brief.hand([]);
    expect(asked.slice(-2)).toEqual(['POST /v1/seen/other', 'POST /v1/seen/other']);
  });

  it('notes what it did not get, where an agent is installed: the recorder makes the gap, and the session none', async () => {
    const { folder, open, events } = await door();
    const [one, other] = ['other', 'gui'].map((feed) =>
      new RecorderClient({ folder, feed, retryForMs: 0 }).session({ onFailure: 'continue' }),
    );
    mkdirSync(join(folder, 'agents'));
    writeFileSync(join(folder, 'agents', 'other.json'), '{}');
    open(1);
    for (const session of [one, other]) expect(await session?.call({ tool: 't' }, () => 1)).toBe(1);
    const noted = readFileSync(join(folder, 'missed', 'other'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(noted).toHaveLength(3);
    expect(new Set(noted.map((line) => line.replace(/^\S+Z [0-9a-f-]{36} /, '')))).toEqual(new Set(['library']));
    expect(existsSync(join(folder, 'missed', 'gui'))).toBe(false);
    open();
    for (const session of [one, other]) await session?.note('n');
    expect(events().map(({ kind, count }) => [kind, count])).toEqual([
      ['note', undefined],
      ['gap', 3],
      ['note', undefined],
    ]);
    // Not what was told already.
    open(1);
    await one?.note('o');
    open();
    await one?.note('p');
    expect(events().map(({ kind }) => kind)).toEqual(['note', 'gap', 'note', 'note']);
  });

  it('is left what no recorder answered by a session that continues, where the policy permits it', async () => {
    const { folder, open, events } = await door((_, count) => (count === 1 ? { status: 503 } : FINE));
    const left = join(folder, 'left');
    const agentFile = join(folder, 'agents', 'other.json');
    mkdirSync(join(folder, 'agents'));
    const session = (onFailure: 'throw' | 'continue') =>
      new RecorderClient({ folder, retryForMs: 0 }).session({ onFailure });
    const lines = (): number =>
      readFileSync(join(folder, 'missed', 'other'), 'utf8')
        .trimEnd()
        .split('\n').length;
    const namesLeft = (): string[] => readdirSync(left).sort((a, b) => leftAt(a) - leftAt(b));
    const leftAt = (name: string): number => statSync(join(left, name)).mtimeMs;

    // One that answers has counted it.
    writeFileSync(agentFile, JSON.stringify({ on_failure: 'allow', threshold: 'captured' }));
    await session('continue').note('busy');
    expect([lines(), existsSync(left)]).toEqual([1, false]);

    open(1);
    const going = session('continue');
    expect(await going.call({ tool: 't', input: 'größe' }, () => 1)).toBe(1);
    expect(going.counts).toEqual({ records: 3, lost: 0 });
    const seen = namesLeft().flatMap((name) => readSeenBody(received(readFileSync(join(left, name)))));
    expect(seen.map((event) => ('stage' in event ? event.stage : event.kind))).toEqual([
      'session_started',
      'started',
      'completed',
    ]);
    for (const name of namesLeft()) {
      expect(name).toMatch(/^other\.[0-9a-f-]{36}\.library\.1$/);
      expect(statSync(join(left, name)).mode & 0o777).toBe(0o600);
    }

    // What a session that throws keeps from happening did not happen.
    await expect(session('throw').call({ tool: 't' }, () => 1)).rejects.toMatchObject({ code: 'RECORDER_UNAVAILABLE' });
    // What has to be recorded, or acknowledged, before the agent continues.
    const policies = [
      { on_failure: 'block', threshold: 'captured' },
      { on_failure: 'allow', threshold: 'countersigned' },
    ];
    for (const policy of policies) {
      writeFileSync(agentFile, JSON.stringify(policy));
      await session('continue').note('n');
    }
    expect(namesLeft()).toHaveLength(3);
    expect(lines()).toBe(1 + 1 + 2 * 2);
    open();
    await going.note('later');
    expect(events().at(-1)).toMatchObject({ kind: 'note', name: 'later' });
    expect(events().filter(({ kind }) => kind === 'gap')).toEqual([]);
  });

  it('takes names and texts of any length, cut to what it has room for', async () => {
    const { folder, events } = await door();
    const long = 'x'.repeat(100_000);
    const options = { id: long, model: { name: long, version: '' }, program: { name: 'p', version: long } };
    const session = new RecorderClient({ folder, retryForMs: 0 }).session({ ...options, subAgent: { id: long } });
    const failing = session.call({ tool: { name: long, server: long } }, () => Promise.reject(new Error(long)));
    await expect(failing).rejects.toThrow();
    const asked = await session.ask({ tool: '' });
    await session.decided(asked, { outcome: 'denied', by: { kind: 'human', id: long }, justification: long });
    await session.note(long, long);
    await session.child({ id: '' }).end();
    await session.end();
    expect(events()).toHaveLength(9);
  });

  it.skipIf(process.platform === 'win32')(
    'is found by its socket where it has no port, and gets no token',
    async () => {
      const folder = temporaryFolder();
      const client = new RecorderClient({ folder, retryForMs: 0 });
      await expect(client.hand([])).rejects.toMatchObject({ code: 'RECORDER_UNAVAILABLE' });
      const requests: LocalRequest[] = [];
      const server = await serveLocally(
        (request) => {
          requests.push(request);
          return FINE;
        },
        join(folder, 'recorder.sock'),
      );
      atEnd(() => server.close());
      expect(await client.hand([])).toEqual(FINE.body);
      const asked = requests.map(({ url, headers }) => [url.pathname, headers.authorization]);
      expect(asked).toEqual([['/v1/seen/other', undefined]]);
    },
  );

  it('is sent no token where its address is not the one of this machine', async () => {
    const { folder, requests } = await door();
    const { port } = JSON.parse(readFileSync(join(folder, 'recorder.json'), 'utf8')) as { port: number };
    // A name, which may lead elsewhere, though here it leads to the very door.
    writeFileSync(join(folder, 'recorder.json'), JSON.stringify({ url: `http://localhost:${port}` }));
    const client = new RecorderClient({ folder, retryForMs: 0 });
    await expect(client.hand([])).rejects.toMatchObject({ code: 'RECORDER_UNAVAILABLE' });
    expect(requests).toEqual([]);
  });

  it('says what it does not take', async () => {
    const { folder } = await door(() => ({ status: 400, body: { error: { code: 'EVENT_INVALID' } } }));
    await expect(new RecorderClient({ folder }).hand([])).rejects.toMatchObject({ code: 'RECORDER_REFUSED' });
  });

  it('is found in the folder that the recorder uses', async () => {
    const { folder, requests } = await door();
    const before = process.env['COUNTERSIGN_RECORDER'];
    process.env['COUNTERSIGN_RECORDER'] = folder;
    try {
      await new RecorderClient().hand([]);
      expect(requests).toHaveLength(1);
      const { address, token } = recorderHome(process.env);
      expect([address, token]).toEqual([join(folder, 'recorder.json'), join(folder, 'token')]);
    } finally {
      if (before === undefined) delete process.env['COUNTERSIGN_RECORDER'];
      else process.env['COUNTERSIGN_RECORDER'] = before;
    }
  });
});
