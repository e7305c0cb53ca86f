// An action cannot be hidden by padding it: each event has its record, with names, size and digest, whatever its length.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { contentDigest } from '../../../src/actions/profile/index.ts';
import { startRecorder } from '../../../src/recorder/compose/start.ts';
import { type FeedId, type ProgramId, planInstall, scriptPath } from '../../../src/recorder/index.ts';
import { openRecorderKeys } from '../../../src/recorder/redact/key-file.ts';
import { RecorderClient } from '../../../src/recorder/seen/recorder-client.ts';
import type { SeenCall } from '../../../src/recorder/seen/seen.ts';
import { atEnd } from '../../support/cleanup.ts';
import { IS_NIGHTLY } from '../../support/extent.ts';
import { runHook } from '../../support/hook-runs.ts';
import { span, spanInProtobuf } from '../../support/otlp.ts';
import { openPlugin, post, throughAcp, throughMcp } from '../../support/planted/doors.ts';
import { RecordedHome } from '../../support/recorded-home.ts';
import { type Stored, storedOf } from '../../support/recorder.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** The largest in the gate is beyond what is kept whole. */
const SIZES = [1_000, 600_000, 3_200_000, ...(IS_NIGHTLY ? [16_000_000, 100_000_000] : [])];
/** Longer events are made shorter while they come. */
const KEPT_WHOLE = 2 * 1024 * 1024;

const service = await TestService.start();
const owner = await service.signUp();
const home = new RecordedHome();
const { home: folders } = home.around;
const FEEDS: readonly FeedId[] = ['claudecode', 'codex', 'gemini', 'copilot', 'kimi', 'opencode', 'gui', 'enterprise'];
for (const feed of FEEDS) {
  const given = { feed, service: service.url, token: owner.client.token ?? '', serviceKid: null, inProject: false };
  const policy = { before: 'all', content: 'full' } as const;
  await (await planInstall(home.around, { ...given, policy })).carryOut();
}
const problems: unknown[] = [];
const recorder = await startRecorder(folders, { onError: (error) => problems.push(error) });
atEnd(() => recorder.close());
const keys = openRecorderKeys(folders.secretsKey);

function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A hook with patience for any machine: how long a program waits is another test's. */
function patientHook(feed: ProgramId): string {
  const path = join(home.path, `patient-${feed}`);
  const script = readFileSync(scriptPath(folders, feed), 'utf8').replace('\npatience=3\n', '\npatience=120\n');
  expect(script).toContain('\npatience=120\n');
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}

/** What is written, of so many bytes, with the names that tell of it around. */
function padded(bytes: number): string {
  const line = 'a line of the file é\n';
  return line.repeat(Math.ceil(bytes / Buffer.byteLength(line)));
}

/** How each program says that a file is about to be written, and that it was. */
const BODIES: Readonly<Record<string, (text: string, id: string) => readonly [before: object, after: object]>> = {
  claudecode: (text, id) => {
    const call = { session_id: 's', cwd: '/srv/shop', tool_name: 'Write', tool_use_id: id };
    const input = { tool_input: { content: text, file_path: '/srv/shop/big.txt' } };
    return [
      { ...input, ...call, hook_event_name: 'PreToolUse' },
      { ...call, hook_event_name: 'PostToolUse', ...input, tool_response: { type: 'create', originalFile: text } },
    ];
  },
  codex: (text, id) => {
    const call = { session_id: 's', turn_id: 't', cwd: '/srv/shop', tool_name: 'apply_patch', tool_use_id: id };
    const tool_input = { command: `*** Begin Patch\n*** Add File: big.txt\n+${text}*** End Patch` };
    return [
      { ...call, hook_event_name: 'PreToolUse', tool_input },
      { ...call, hook_event_name: 'PostToolUse', tool_input, tool_response: text },
    ];
  },
  gemini: (text, id) => {
    const call = { session_id: id, cwd: '/srv/shop', tool_name: 'write_file' };
    const tool_input = { content: text, file_path: '/srv/shop/big.txt' };
    return [
      { ...call, hook_event_name: 'BeforeTool', tool_input },
      { ...call, hook_event_name: 'AfterTool', tool_input, tool_response: { llmContent: text, returnDisplay: text } },
    ];
  },
  copilot: (text, id) => {
    const call = { session_id: id, cwd: '/srv/shop', tool_name: 'Write' };
    const tool_input = { content: text, file_path: '/srv/shop/big.txt' };
    const tool_result = { result_type: 'success', text_result_for_llm: text };
    return [
      { ...call, hook_event_name: 'PreToolUse', tool_input },
      { ...call, hook_event_name: 'PostToolUse', tool_input, tool_result },
    ];
  },
  kimi: (text, id) => {
    const call = { session_id: 's', cwd: '/srv/shop', tool_name: 'WriteFile', tool_call_id: id };
    const tool_input = { path: '/srv/shop/big.txt', content: text };
    return [
      { ...call, hook_event_name: 'PreToolUse', tool_input },
      { ...call, hook_event_name: 'PostToolUse', tool_input, tool_output: text },
    ];
  },
};

/** The records of the one call of an agent that its id, or its session, names. */
async function recordsOf(feed: FeedId, id: string, name?: string): Promise<Stored[]> {
  return until(`records of ${id}`, async () => {
    const status = recorder.status();
    const agent = status.agents.find((one) => one.feed === feed);
    if (agent === undefined || agent.waiting > 0) return false;
    const stored = await storedOf(owner, agent.agent_id);
    const own = stored.filter(({ shown }) => {
      const { tool, session } = shown as { tool?: { call_id?: string; name?: string }; session?: { id?: string } };
      return (tool?.call_id === id || session?.id === id) && (name === undefined || tool?.name === name);
    });
    return own.length >= 2 && own;
  });
}

const named = { outcome: { status: 'ok' }, output: { bytes: expect.any(Number) } };

/** Of what is longer than is kept, the record has the size and a digest that whoever has the text and the key makes again. */
function expectWhole({ shown }: Stored | undefined = {} as Stored, body: number, ...texts: readonly string[]): void {
  const { raw_bytes, left_out } = shown['x_recorder'] as Record<string, unknown>;
  if (body <= KEPT_WHOLE) {
    expect(left_out).toBeUndefined();
    return;
  }
  if (body !== Number.POSITIVE_INFINITY) expect(raw_bytes).toBe(body);
  const known = texts.map((text) => {
    const digest = sha256(text);
    return { bytes: Buffer.byteLength(text), digest: contentDigest(keys.leftOutSalt(digest), digest) };
  });
  expect(left_out).toEqual(expect.arrayContaining(known));
}

describe.each(SIZES)('a call of %i bytes', (size) => {
  const text = padded(size);

  it.each(Object.keys(BODIES) as ProgramId[])(
    'is one call with its names, size and digest, by the hooks of %s',
    async (feed) => {
      const id = `${feed} ${size}`;
      const [before, after] = (BODIES[feed]?.(text, id) ?? []).map((body) => JSON.stringify(body));
      for (const input of [before, after]) {
        const ran = await runHook(patientHook(feed), { input: input ?? '' });
        expect([ran.code, ran.stderr]).toEqual([0, '']);
      }
      const [proposed, ended, ...more] = await recordsOf(feed, id);
      expect(more).toEqual([]);
      expect(proposed?.shown).toMatchObject({
        phase: 'proposed',
        touched: [{ kind: 'file', id: '/srv/shop/big.txt', access: 'write' }],
        ...(size > 65_536 && { input: { bytes: expect.any(Number), truncated: true } }),
      });
      expect(ended?.shown).toMatchObject({ phase: 'completed', tool: proposed?.shown['tool'] });
      for (const stored of [proposed, ended]) expect(stored?.subject).toBe('big.txt');
      for (const [stored, member] of [
        [proposed, 'input'],
        [ended, 'output'],
      ] as const) {
        if (size > 65_536) expect(stored?.shown[member]).toHaveProperty('bytes', expect.any(Number));
      }
      const { tool_input } = JSON.parse(before ?? '');
      expectWhole(proposed, Buffer.byteLength(before ?? ''), tool_input.command ?? tool_input.content);
      expectWhole(ended, Buffer.byteLength(after ?? ''), text);
    },
  );

  it("is one call by opencode's plugin", async () => {
    const hooks = await openPlugin(join(home.path, '.config/opencode/plugins/countersign.js'), folders);
    const of = { tool: 'write', sessionID: 'ses', callID: `opencode ${size}` };
    const args = { content: text, filePath: '/srv/shop/big.txt' };
    await hooks['tool.execute.before']?.(of, { args });
    await hooks['tool.execute.after']?.({ ...of, args }, { output: text, metadata: {} });
    const [proposed, ended, ...more] = await recordsOf('opencode', of.callID);
    expect(more).toEqual([]);
    expect(proposed?.shown).toMatchObject({ tool: { name: 'write' }, touched: [{ id: '/srv/shop/big.txt' }] });
    expect(ended?.shown).toMatchObject({ phase: 'completed', outcome: { status: 'ok' } });
    if (size > KEPT_WHOLE) expectWhole(proposed, Number.POSITIVE_INFINITY, text);
  });

  it('is one call by MCP over stdio', async () => {
    const id = `mcp ${size}`;
    const params = { name: 'note', arguments: { text, path: '/a' }, _meta: { callId: id } };
    const said = await throughMcp(folders, { args: [], environment: {} }, [{ method: 'tools/call', params }]);
    expect(said).toBe('');
    const [started, ended, ...more] = await recordsOf('gui', id);
    expect(more).toEqual([]);
    expect(started?.shown).toMatchObject({ phase: 'started', tool: { name: 'note', server: 'files', call_id: id } });
    expect(ended?.shown).toMatchObject({ phase: 'completed', ...(size > 65_536 && named) });
    if (size > KEPT_WHOLE) {
      expectWhole(started, Number.POSITIVE_INFINITY, text);
      expectWhole(ended, Number.POSITIVE_INFINITY, JSON.stringify(params));
    }
  });

  it('is one call by ACP over stdio, and one of what the client is asked for', async () => {
    const [id, session] = [`acp ${size}`, `/srv/shop/${size}`];
    expect(await throughAcp(folders, session, id, text)).toBe('');
    const [started, ended, ...more] = await recordsOf('gui', id);
    expect(more).toEqual([]);
    const touched = [{ kind: 'file', id: '/srv/shop/big.txt', access: 'write' }];
    expect(started?.shown).toMatchObject({
      phase: 'started',
      tool: { call_id: id },
      session: { id: session },
      touched,
    });
    expect(ended?.shown).toMatchObject({
      phase: 'completed',
      tool: started?.shown['tool'],
      ...(size > 65_536 && named),
    });
    const [asked, written, ...others] = await recordsOf('gui', session, 'fs/write_text_file');
    expect(others).toEqual([]);
    expect(asked?.shown).toMatchObject({ phase: 'started', touched });
    expect(written?.shown).toMatchObject({ phase: 'completed', outcome: { status: 'ok' } });
    if (size > KEPT_WHOLE) {
      const prompt = (await recordsOf('gui', session)).find(({ operation_type }) => operation_type === 'prompt.submit');
      for (const stored of [started, ended, asked, prompt]) expectWhole(stored, Number.POSITIVE_INFINITY, text);
    }
  });

  it('is one call by a library', async () => {
    const id = `library ${size}`;
    const call = (stage: 'started' | 'completed'): SeenCall => ({
      kind: 'call',
      stage,
      source: 'library',
      witness: null,
      event_id: `${id} ${stage}`,
      raw_event: 'call',
      raw_sha256: '0'.repeat(64),
      observed_at: new Date().toISOString(),
      session: null,
      sub_agent: null,
      model: null,
      program_version: null,
      cwd: null,
      trace: null,
      extra: null,
      tool: { name: 'note', type: 'function', server: null },
      call_id: id,
      input: { text },
      ...(stage === 'completed' && { output: text }),
      touched: [],
    });
    const client = new RecorderClient(folders);
    for (const stage of ['started', 'completed'] as const) {
      expect(await client.take('gui', [call(stage)])).toMatchObject({ allowed: true });
    }
    const [started, ended, ...more] = await recordsOf('gui', id);
    expect([started?.shown['phase'], ended?.shown['phase'], more]).toEqual(['started', 'completed', []]);
    if (size > KEPT_WHOLE) for (const stored of [started, ended]) expectWhole(stored, Number.POSITIVE_INFINITY, text);
  });

  describe('is one call by OpenTelemetry', () => {
    it.each([
      ['in JSON', 'application/json', false],
      ['in JSON, packed', 'application/json', true],
      ['in protobuf', 'application/x-protobuf', false],
      ['in protobuf, packed', 'application/x-protobuf', true],
    ] as const)('%s', async (form, contentType, isPacked) => {
      const id = `otlp ${form} ${size}`;
      const spanId = sha256(id).slice(0, 16);
      const values = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'note',
        'gen_ai.tool.call.arguments': text,
        'gen_ai.tool.call.id': id,
        'gen_ai.conversation.id': id,
      };
      const spans = [span('execute_tool note', values, { spanId })];
      const body =
        contentType === 'application/json'
          ? Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ scope: { name: 'test' }, spans }] }] }))
          : Buffer.from(spanInProtobuf('execute_tool note', spanId, values));
      const headers = {
        'x-countersign-feed': 'enterprise',
        'content-type': contentType,
        ...(isPacked && { 'content-encoding': 'gzip' }),
      };
      // Packed so little that its ratio is one that telemetry has.
      await post(
        folders,
        '/v1/traces',
        isPacked ? gzipSync(body, { strategy: constants.Z_HUFFMAN_ONLY }) : body,
        headers,
      );
      const agent = recorder.status().agents.find(({ feed }) => feed === 'enterprise')?.agent_id ?? '';
      const stored = await until('the record', async () => {
        const all = await storedOf(owner, agent);
        return all.find(({ shown }) => (shown['tool'] as { call_id?: string } | undefined)?.call_id === id) ?? false;
      });
      expect(stored.shown).toMatchObject({ tool: { name: 'note' }, session: { id } });
      if (body.length > 16 * 1024 * 1024) expectWhole(stored, body.length, text);
    });
  });
});

describe('a recorder that was given calls of every size', () => {
  it('lost none', () => {
    expect(problems).toEqual([]);
    expect(recorder.status().agents.map(({ lost }) => lost)).toEqual(FEEDS.map(() => 0));
  });
});
