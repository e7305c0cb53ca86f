// Events that take seconds to clean hold up nobody else, and are recorded as small ones are.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { request } from '../../../src/node/node-http.ts';
import type { AgentFile } from '../../../src/recorder/base/agent-file.ts';
import type { RecorderHome } from '../../../src/recorder/base/home.ts';
import { LargeEvents } from '../../../src/recorder/compose/large-events.ts';
import { makePipeline } from '../../../src/recorder/compose/pipeline.ts';
import { startRecorder } from '../../../src/recorder/compose/start.ts';
import { Recorder } from '../../../src/recorder/engine/recorder.ts';
import { readSeenBody } from '../../../src/recorder/listen/seen-body.ts';
import { RecorderKeys } from '../../../src/recorder/redact/recorder-keys.ts';
import { received } from '../../../src/recorder/seen/received.ts';
import { atEnd } from '../../support/cleanup.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { installAgent, ledgerOf, sent } from '../../support/recorder.ts';
import { TestService } from '../../support/service.ts';
import { callSeen } from '../../support/stand-in-pipeline.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();

/** A recorder with two agents, as `record run` starts it. */
async function twoAgents(): Promise<{ home: RecorderHome; codex: AgentFile; claude: AgentFile; problems: unknown[] }> {
  const folder = temporaryFolder();
  const { home, agent: codex } = await installAgent(owner, service.kid, { feed: 'codex' }, folder);
  const { agent: claude } = await installAgent(owner, service.kid, { feed: 'claudecode' }, folder);
  const problems: unknown[] = [];
  const recorder = await startRecorder(home, { onError: (error) => problems.push(error) });
  atEnd(() => recorder.close());
  return { home, codex, claude, problems };
}

function hook(home: RecorderHome, feed: string, input: string, event = 'PreToolUse'): Promise<number> {
  const body = Buffer.from(
    `{"hook_event_name":"${event}","session_id":"s","cwd":"/srv","tool_name":"Bash","tool_use_id":"${randomUUID()}","tool_input":${input}}`,
  );
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: home.socket, method: 'POST', path: `/v1/hook/${feed}`, headers, agent: false });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.end(body);
  });
}

/** About `bytes` of parts, each with its number. */
function many(part: (number: number) => string, bytes: number): string {
  const parts: string[] = [];
  for (let size = 0; size < bytes; size += parts.at(-1)?.length ?? 0) parts.push(part(parts.length));
  return parts.join('');
}

const SIZE = 1_900_000;

describe('an event of two megabytes of small secrets', () => {
  it.each<[string, string]>([
    ['in one text', JSON.stringify({ command: many((n) => `A_TOKEN=x!${n}!y `, SIZE) })],
    ['in the names of members', `{${many((n) => `"password=x!${n}!y":1,`, SIZE)}"end":1}`],
    ['in a value for each', `[${many((n) => `{"token":"x!${n}!y"},`, SIZE)}1]`],
  ])('%s leaves the recorder answering to another agent', async (_, input) => {
    const { home, codex, problems } = await twoAgents();
    // Both agents have loaded what reads their events.
    await hook(home, 'codex', '{"command":"ls"}');
    await hook(home, 'claudecode', '{"command":"ls"}');
    const sentAt = performance.now();
    let took = 0;
    const large = hook(home, 'codex', input).finally(() => {
      took = performance.now() - sentAt;
    });
    let longest = 0;
    for (let at = sentAt; took === 0; at = performance.now()) {
      await hook(home, 'claudecode', '{"command":"ls"}');
      longest = Math.max(longest, performance.now() - at);
    }
    expect(await large).toBe(200);
    // Held up, the one that was sent with it would have taken as long.
    expect(longest).toBeLessThan(took / 2);
    const record = await until('the record', async () => (await ledgerOf(owner, codex))[1]);
    expect(record.shown['input']).toMatchObject({ truncated: true, bytes: expect.any(Number) });
    // No salt and no digest has an exclamation mark.
    expect(JSON.stringify(record.shown)).not.toMatch(/!\d+!/);
    expect(problems).toEqual([]);
  });

  it.each([
    ['many members', Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [`m${at}`, 1]))],
    ['one text', 'x'.repeat(SIZE)],
    ['many values', Array.from({ length: 150_000 }, () => [1, '2'])],
  ])('with %s is read in some times what parsing it alone takes', (_, input) => {
    const body = received(Buffer.from(JSON.stringify({ seen: [callSeen('started', { input })] })));
    const text = String(body.json);
    // What else the process does meanwhile is counted too, and only ever adds: the least of some turns is the work.
    const cost = (work: () => unknown): number =>
      Math.min(
        ...Array.from({ length: 7 }, () => {
          const before = process.cpuUsage();
          work();
          const { user, system } = process.cpuUsage(before);
          return user + system;
        }),
      );
    const parsed = Math.max(
      200,
      cost(() => JSON.parse(text)),
    );
    expect(cost(() => readSeenBody(body)) / parsed).toBeLessThan(25);
  });

  it('is followed in its chain by what came behind it, however soon that is ready', async () => {
    const { home, agent } = await installAgent(owner, service.kid);
    const pipeline = makePipeline(home, () => [], null);
    const recorder = new Recorder({ home, pipeline });
    atEnd(() => recorder.close().then(pipeline.close));
    pipeline.open();
    const large = callSeen('started', { call_id: 'large', input: 'A_TOKEN=x7y '.repeat(20_000) });
    const small = callSeen('started', { call_id: 'small', input: 'date' });
    await Promise.all([recorder.take('codex', [large]), recorder.take('codex', [small])]);
    await sent(recorder);
    const ids = (await ledgerOf(owner, agent)).map(({ shown }) => shown['tool']);
    expect(ids).toMatchObject([{ call_id: 'large' }, { call_id: 'small' }]);
  });

  it('is cut where it nests too deep, as a small one is', async () => {
    const { home, codex, problems } = await twoAgents();
    const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    for (const levels of [300, 100_000]) await hook(home, 'codex', `{"d":${deep(levels)}}`);
    const ledger = await until('both records', async () => {
      const found = await ledgerOf(owner, codex);
      return found.length === 2 && found;
    });
    const [small, large] = ledger.map(({ shown }) => shown['input']);
    expect(JSON.stringify(small)).toContain('nested deeper than 200 levels');
    expect(Object(large)).toMatchObject({ value: Object(small).value });
    expect(problems).toEqual([]);
  });

  it('keeps the digits of its numbers', async () => {
    const { home, codex } = await twoAgents();
    await hook(home, 'codex', `{"id":1234567890123456789,"text":"${'plain words '.repeat(10_000)}"}`);
    const record = await until('the record', async () => (await ledgerOf(owner, codex))[0]);
    expect(record.shown).toMatchObject({
      input: { value: { id: '1234567890123456789' } },
      redactions: [{ at: '/input/value/id', type: 'number' }],
    });
  });
});

describe('an event that needs more memory than there is', () => {
  it('is refused alone: those that wait behind it are prepared', async () => {
    const events = new LargeEvents(new RecorderKeys(new Uint8Array(32)));
    atEnd(() => events.close());
    const settings = { content: 'full', secrets: [] } as const;
    const tooMuch = callSeen('started', { input: Array.from({ length: 3_000_000 }, () => ({})) });
    const [first, second] = await Promise.allSettled([
      events.prepare([tooMuch], settings),
      events.prepare([callSeen('started')], settings),
    ]);
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'EVENT_TOO_LARGE' } });
    expect(second.status).toBe('fulfilled');
  });
});
