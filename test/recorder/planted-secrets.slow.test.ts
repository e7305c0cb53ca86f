import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askStatus, type FeedId, type ProgramId, planInstall, scriptPath } from '../../src/recorder/index.ts';
import { RecorderClient } from '../../src/recorder/seen/recorder-client.ts';
import type { SeenCall } from '../../src/recorder/seen/seen.ts';
import { temporaryFolder } from '../support/folders.ts';
import { runHook } from '../support/hook-runs.ts';
import {
  curl,
  openPlugin,
  post,
  type TelemetryFacts,
  telemetryInJson,
  telemetryInProtobuf,
  throughMcp,
} from '../support/planted/doors.ts';
import { Needles } from '../support/planted/needles.ts';
import { ARGUMENT, BESIDES, HEADER, SERVER_VARIABLE, UNREAD, VARIABLE } from '../support/planted/unread.ts';
import { CommandProcess } from '../support/processes.ts';
import { RecordedHome } from '../support/recorded-home.ts';
import { bundleOf, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { POSITIONS, plantedSecrets } from './redact/corpus.ts';

/*
 * All planted secrets go through every way into a recorder that runs as people run it, before a service; then no part of one is in any
 * file of the two, in what they print, or in an exported bundle.
 */

const PROGRAMS = ['claudecode', 'codex', 'gemini', 'copilot', 'opencode'] as const satisfies readonly ProgramId[];
const FEEDS: readonly FeedId[] = [...PROGRAMS, 'enterprise', 'gui', 'other'];

/** Several secrets at a time, in all positions, in the room that a content has. */
const BATCH = 12;
const planted = plantedSecrets();
const batches = Array.from({ length: Math.ceil(planted.length / BATCH) }, (_, n) => {
  const some = planted.slice(n * BATCH, (n + 1) * BATCH);
  const placed = some.flatMap(({ text }) => POSITIONS.map((position) => position.place(text)));
  return {
    texts: some.map(({ text }) => text),
    input: placed.map(({ input }) => input),
    output: placed.map(({ output }) => output),
    error: placed.map(({ error }) => error).find((error) => error !== '') ?? '',
  };
});

const log: string[] = [];
const service = await TestService.start({ logLevel: 'trace' }, { log: { write: (line) => void log.push(line) } });
const owner = await service.signUp();
const home = new RecordedHome();
for (const feed of FEEDS) {
  const given = { feed, service: service.url, token: owner.client.token ?? '', serviceKid: null, inProject: false };
  const policy = { before: 'all', content: 'full' } as const;
  await (await planInstall(home.around, { ...given, policy })).carryOut();
}
const { home: folders } = home.around;

/** What the four programs with a script have in common of their hooks' bodies. */
function hookBodies(feed: ProgramId): object[] {
  const common = { session_id: `session of ${feed}`, cwd: '/srv/shop', ...BESIDES };
  const calls = batches.flatMap(({ input, output, error, texts }, n) => {
    const call = { ...common, tool_name: n % 2 === 0 ? 'Bash' : 'mcp__files__note', tool_use_id: `${feed} ${n}` };
    const tool_input = { marker: `marker of ${feed}`, input };
    const text_result_for_llm = JSON.stringify(output);
    return [
      { ...call, hook_event_name: feed === 'gemini' ? 'BeforeTool' : 'PreToolUse', tool_input },
      {
        ...call,
        hook_event_name: feed === 'gemini' ? 'AfterTool' : 'PostToolUse',
        tool_input,
        tool_response: { output, error: n % 3 === 0 ? error : undefined },
        error,
        tool_result: { result_type: n % 3 === 0 ? 'failure' : 'success', text_result_for_llm },
      },
      { ...common, hook_event_name: feed === 'gemini' ? 'BeforeAgent' : 'UserPromptSubmit', prompt: texts },
    ];
  });
  return [{ ...common, hook_event_name: 'SessionStart', source: 'startup' }, ...calls];
}

async function throughHooks(feed: ProgramId): Promise<string> {
  let said = '';
  for (const body of hookBodies(feed)) {
    const ran = await runHook(scriptPath(folders, feed), {
      input: JSON.stringify(body),
      environment: { NOTE: VARIABLE },
    });
    expect(ran.code, ran.stderr).toBe(0);
    said += ran.stdout + ran.stderr;
  }
  return said;
}

async function throughPlugin(): Promise<void> {
  const path = join(home.path, '.config/opencode/plugins/countersign.js');
  const hooks = await openPlugin(path, folders);
  const call = async (name: string, ...given: unknown[]): Promise<void> => hooks[name]?.(...given);
  await call('event', { event: { type: 'session.created', properties: { info: { id: 'ses', version: '1.18.33' } } } });
  for (const [n, { input, output, error, texts }] of batches.entries()) {
    const of = { tool: 'bash', sessionID: 'ses', callID: `plugin ${n}` };
    const args = { marker: 'marker of opencode', input };
    await call('tool.execute.before', of, { args });
    if (n % 2 === 0) {
      const metadata = { exit: 1, env: BESIDES.env, headers: BESIDES.headers };
      await call('tool.execute.after', { ...of, args }, { title: texts[0], output: JSON.stringify(output), metadata });
    } else {
      const part = {
        type: 'tool',
        tool: 'bash',
        callID: of.callID,
        sessionID: 'ses',
        state: { status: 'error', error, input: args },
      };
      await call('event', { event: { type: 'message.part.updated', properties: { part } } });
    }
    const parts = texts.map((text) => ({ type: 'text', text }));
    await call('chat.message', { sessionID: 'ses' }, { message: { role: 'user' }, parts });
  }
}

/** Our own form: each secret in every member that is a text. */
async function throughForm(): Promise<void> {
  const common = (text: string): object => ({
    session: { id: text, parent: text },
    sub_agent: { id: text, type: text },
    program_version: text,
    model: { name: text, provider: text, version: text },
    cwd: text,
    raw_event: text,
    ...BESIDES,
  });
  for (const { text } of planted) {
    const error = { type: text, message: `Command failed: ${text}` };
    const touched = [{ kind: 'file', id: text, within: text, access: 'read' }];
    const tool = { name: text, server: text, type: 'mcp' };
    const by = { kind: 'human', id: text };
    const bodies = [
      { event: 'call_failed', tool, call_id: text, input: 'marker of other', error, touched },
      { event: 'decided', tool, call_id: text, decision: 'denied', by, reason: text },
      { event: 'note', kind: text, text },
      { event: 'told', kind: 'memory', value: text },
      { event: 'session_started', reason: text },
      { event: text },
    ];
    await Promise.all(
      bodies.map((body) => post(folders, '/v1/hook/other', JSON.stringify({ ...common(text), ...body }))),
    );
  }
  for (const [n, { input, output }] of batches.entries()) {
    const call = {
      event: 'call_completed',
      tool: 'deploy',
      call_id: `curl ${n}`,
      input: { marker: 'marker of curl', input },
      output,
    };
    expect(await curl(folders, 'other', JSON.stringify({ ...call, ...BESIDES }))).toContain('"allowed":true');
  }
}

/** What a library of ours hands in. */
async function throughClient(): Promise<void> {
  const client = new RecorderClient(folders);
  for (const { input, output, texts } of batches) {
    const [text = ''] = texts;
    const call: SeenCall = {
      kind: 'call',
      stage: 'completed',
      source: 'library',
      witness: text,
      event_id: randomUUID(),
      raw_event: 'call',
      raw_sha256: '0'.repeat(64),
      observed_at: new Date().toISOString(),
      session: { id: text },
      sub_agent: null,
      model: null,
      program_version: null,
      cwd: text,
      trace: null,
      extra: { texts },
      tool: { name: 'note', type: 'function', server: null },
      call_id: text,
      input: JSON.parse(JSON.stringify({ marker: 'marker of seen', input })),
      output: JSON.parse(JSON.stringify(output)),
      touched: texts.map((id) => ({ kind: 'secret', id, access: 'read' })),
    };
    expect(await client.take('gui', [call])).toMatchObject({ allowed: true });
  }
}

const telemetry = (marker: string): { resource: TelemetryFacts; calls: readonly TelemetryFacts[] } => ({
  resource: {
    'service.name': 'shop-agent',
    'process.environment_variable.NOTE': VARIABLE,
    'process.command_args': ARGUMENT,
    'process.command_line': ARGUMENT,
  },
  calls: batches.map(({ input, output, texts, error }) => ({
    'gen_ai.tool.call.arguments': JSON.stringify({ marker, input }),
    'gen_ai.tool.call.result': JSON.stringify(output),
    'gen_ai.conversation.id': texts[0] ?? '',
    'app.texts': JSON.stringify(texts),
    ...Object.fromEntries(texts.map((text, n) => [`app.note.${n}`, text])),
    'error.type': 'failed',
    'error.message': error,
    'http.request.header.x-note': HEADER,
    'http.response.header.x-note': HEADER,
    'rpc.grpc.request.metadata.x-note': HEADER,
    'process.environment_variable.NOTE': VARIABLE,
    'process.command_args': ARGUMENT,
    'process.command_line': ARGUMENT,
  })),
});

function viaMcp(): Promise<string> {
  const calls = batches.flatMap(({ input, texts: [text = ''] }) => [
    {
      method: 'tools/call',
      params: { name: 'note', arguments: { marker: 'marker of mcp', input }, _meta: { callId: text } },
    },
    { method: 'resources/read', params: { uri: text } },
    { method: 'tools/call', params: { name: text, arguments: { marker: 'marker of mcp', input } } },
  ]);
  return throughMcp(folders, { args: [ARGUMENT], environment: { NOTE: SERVER_VARIABLE } }, calls);
}

/** Every file below a folder, by its name there. */
function filesOf(folder: string): (readonly [name: string, bytes: Buffer])[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [relative(folder, path), readFileSync(path)];
  });
}

describe('what is left of planted secrets', () => {
  const needles = new Needles(UNREAD);

  it('is found where it is, as it is and encoded', () => {
    const [{ kind, secret } = { kind: '', secret: '' }] = planted;
    const cut = secret.slice(3);
    const encoded = Buffer.from(`{"note":"${secret}${secret}"}`).toString('base64url');
    for (const text of [`x${cut}y`, JSON.stringify({ cut }), encoded]) {
      expect(needles.in(Buffer.from(`${'é'.repeat(9)}${text}`)).join()).toContain(kind);
    }
  });

  it('is nothing, whichever way it came in', async () => {
    // Before there is a recorder, and without what could start one: nothing is kept but when, and which event.
    const bin = temporaryFolder();
    for (const name of ['date', 'mkdir', 'rm', 'sleep']) symlinkSync(join('/bin', name), join(bin, name));
    const missed = await runHook(scriptPath(folders, 'claudecode'), {
      input: JSON.stringify(hookBodies('claudecode')[1]),
      environment: { PATH: bin },
    });
    const noted = [
      ['away', Buffer.alloc(0)],
      ['claudecode', expect.anything()],
    ];
    expect([missed.code, filesOf(folders.missed)]).toEqual([0, noted]);
    const recorder = new CommandProcess(['record', 'run'], {
      HOME: home.path,
      COUNTERSIGN_RECORDER: folders.folder,
      NOTE: VARIABLE,
    });
    await recorder.listening();
    // One after the other: an exporter in this process waits for what it sent.
    await telemetryInJson(folders, telemetry('marker of json'));
    await telemetryInProtobuf(folders, telemetry('marker of protobuf'));
    const said = await Promise.all([
      ...PROGRAMS.filter((feed) => feed !== 'opencode').map(throughHooks),
      throughPlugin(),
      throughForm(),
      throughClient(),
      viaMcp(),
    ]);
    const running = filesOf(folders.folder);
    const { agents } = await until('everything to be sent', async () => {
      const status = await askStatus(folders);
      return status.waiting === 0 && status;
    });
    expect(agents.map(({ lost, stopped }) => [lost, stopped])).toEqual(FEEDS.map(() => [0, null]));
    const bundle = await bundleOf(owner);
    const whole = bundle.toString('utf8');
    const doors = [...PROGRAMS, 'other', 'curl', 'seen', 'json', 'protobuf', 'mcp'];
    expect(doors.filter((door) => !whole.includes(`marker of ${door}`))).toEqual([]);
    expect(whole).toContain('[REDACTED:');

    const places = [
      ...running,
      ...filesOf(folders.folder),
      ...filesOf(service.dataDir),
      ['bundle', bundle],
      ['log of the service', Buffer.from(log.join(''))],
      ['output of the recorder', Buffer.from(recorder.stdout + recorder.stderr)],
      ['what was said', Buffer.from(said.join('\n'))],
    ] as const;
    const names = places.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['spool.sqlite', 'spool.sqlite-wal', 'ledger.sqlite', 'secrets.key']));
    expect(places.flatMap(([name, bytes]) => needles.in(bytes).map((found) => `${name}: ${found}`))).toEqual([]);
    const ended = await recorder.kill('SIGTERM');
    expect(
      [...filesOf(folders.folder), ['output', Buffer.from(ended.stdout + ended.stderr)] as const].flatMap(([, bytes]) =>
        needles.in(bytes),
      ),
    ).toEqual([]);
  });
});
