import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAgentFile, writeAgentFile } from '../../../src/recorder/base/agent-file.ts';
import { startRecorder } from '../../../src/recorder/compose/start.ts';
import {
  checkSession,
  examine,
  type Finding,
  type FindingCode,
  type ProgramId,
  planInstall,
  scriptPath,
} from '../../../src/recorder/index.ts';
import { askStatus } from '../../../src/recorder/listen/ask-status.ts';
import { fixture } from '../../actions/transcripts/read.ts';
import { atEnd } from '../../support/cleanup.ts';
import { RecordedHome } from '../../support/recorded-home.ts';
import { run } from '../../support/run-script.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();
const token = owner.client.token ?? '';

async function installed(feed: ProgramId, policy: { on_failure?: 'allow' | 'block' } = {}): Promise<RecordedHome> {
  const home = new RecordedHome();
  const given = { feed, service: service.url, token, serviceKid: null, policy, inProject: false };
  await (await planInstall(home.around, given)).carryOut();
  return home;
}

async function withRecorder(feed: ProgramId): Promise<RecordedHome> {
  const home = await installed(feed);
  const recorder = await startRecorder(home.around.home, { onError: () => undefined });
  atEnd(() => recorder.close());
  return home;
}

function codes(found: readonly Finding[]): FindingCode[] {
  return found.map(({ code }) => code);
}

/** Without a recorder to be started: what is looked for is something else. */
function withoutScript(home: RecordedHome, feed: ProgramId): void {
  writeFileSync(scriptPath(home.around.home, feed), '#!/bin/sh\nexit 0\n');
}

describe('the doctor', () => {
  it('finds no problem in a sound installation, and that its event was recorded', async () => {
    const home = await withRecorder('claudecode');
    const found = await examine(home.around, 'claudecode');
    expect(found.filter(({ level }) => level === 'problem')).toEqual([]);
    expect(codes(found)).toEqual(['PROGRAM_MISSING', 'CANARY_RECORDED', 'FAILS_OPEN']);
    const { agent_id } = readAgentFile(home.around.home, 'claudecode');
    await until('the note', async () => {
      const { data } = await owner.client.ok('agentOperations', { params: { agent_id } });
      return data.some((row) => row.operation_type === 'recorder.note');
    });
  });

  it('finds a frozen agent, and a recorder that may not submit', async () => {
    const home = await withRecorder('gemini');
    const { agent_id } = readAgentFile(home.around.home, 'gemini');
    await owner.client.ok('freezeAgent', { params: { agent_id }, body: { reason: 'a test' } });
    await examine(home.around, 'gemini');
    await until('the refusal', async () =>
      codes(await examine(home.around, 'gemini', false)).includes('AGENT_REFUSED'),
    );
    writeAgentFile(home.around.home, { ...readAgentFile(home.around.home, 'gemini'), token: 'csn_api_wrong' });
    expect(codes(await examine(home.around, 'gemini', false))).toContain('TOKEN_REFUSED');
  });

  it.each(['goose', 'cline', 'cursor'] as const)('finds the hooks of %s that were installed to block', async (feed) => {
    const home = await installed(feed, { on_failure: 'block' });
    const found = codes(await examine(home.around, feed, false));
    expect(found.filter((code) => code.startsWith('HOOKS_'))).toEqual([]);
  });

  it('finds that the script blocks without a recorder where the policy says so', async () => {
    const home = await installed('kimi', { on_failure: 'block' });
    withoutScript(home, 'kimi');
    expect(codes(await examine(home.around, 'kimi'))).toContain('FAILS_CLOSED');
  });

  it('finds an event that was lost', async () => {
    const home = await installed('kimi');
    const path = scriptPath(home.around.home, 'kimi');
    const missed = join(home.around.home.missed, 'kimi');
    mkdirSync(home.around.home.missed);
    writeFileSync(path, `#!/bin/sh\necho 2026-01-01T00:00:00Z - >>'${missed}'\n`);
    expect(codes(await examine(home.around, 'kimi'))).toEqual(
      expect.arrayContaining(['CANARY_LOST', 'EVENTS_MISSED', 'SCRIPT_CHANGED', 'RECORDER_AWAY']),
    );
  });

  it('finds nothing installed, and a key that others can read', async () => {
    expect(codes(await examine(new RecordedHome().around, 'codex'))).toEqual(['NOT_INSTALLED']);
    const home = await installed('letta');
    chmodSync(home.around.home.agent('letta'), 0o644);
    expect(codes(await examine(home.around, 'letta'))).toEqual(['FOLDER_UNUSABLE']);
  });

  it('finds a service that is away, and one with another key', async () => {
    const home = await installed('letta');
    const agent = readAgentFile(home.around.home, 'letta');
    writeAgentFile(home.around.home, { ...agent, service_kid: 'A'.repeat(43) });
    expect(codes(await examine(home.around, 'letta', false))).toContain('SERVICE_KEY_CHANGED');
    writeAgentFile(home.around.home, { ...agent, service_url: 'http://127.0.0.1:1' });
    expect(codes(await examine(home.around, 'letta', false))).toContain('SERVICE_AWAY');
  });

  type Case = readonly [feed: ProgramId, code: FindingCode, harm: (home: RecordedHome) => unknown];
  const edit = (path: string, change: (value: Record<string, unknown>) => unknown) => (home: RecordedHome) =>
    home.put(path, JSON.stringify(change(JSON.parse(home.read(path)))));
  const harms: Readonly<Record<string, Case>> = {
    disableAllHooks: [
      'claudecode',
      'HOOKS_SWITCHED_OFF',
      edit('.claude/settings.json', (file) => ({ ...file, disableAllHooks: true })),
    ],
    'hooks that Gemini has disabled': [
      'gemini',
      'HOOKS_SWITCHED_OFF',
      edit('.gemini/settings.json', (file) => ({ ...file, hooksConfig: { disabled: ['countersign'] } })),
    ],
    'a feature that is off in Codex': [
      'codex',
      'HOOKS_SWITCHED_OFF',
      (home) => home.put('.codex/config.toml', '[features]\nhooks = false\n'),
    ],
    'an event that Cursor does not know': [
      'cursor',
      'CONFIG_UNUSABLE',
      edit('.cursor/hooks.json', (file) => ({ ...file, hooks: { ...Object(file['hooks']), onWhim: [] } })),
    ],
    'a member that Kimi Code refuses': [
      'kimi',
      'CONFIG_UNUSABLE',
      (home) =>
        home.put(
          '.kimi-code/config.toml',
          `${home.read('.kimi-code/config.toml')}[[hooks]]\nevent = "Stop"\nname = "x"\ncommand = "y"\n`,
        ),
    ],
    'a file that no longer parses': ['letta', 'CONFIG_UNUSABLE', (home) => home.put('.letta/settings.json', '{')],
    'hooks that are gone': ['copilot', 'HOOKS_MISSING', (home) => home.put('.copilot/hooks/countersign.json', '{}')],
    'a hook that is gone': [
      'claudecode',
      'HOOKS_INCOMPLETE',
      edit('.claude/settings.json', (file) => ({ hooks: { PreToolUse: Object(file['hooks']).PreToolUse } })),
    ],
    'a hook that is there twice': [
      'letta',
      'RECORDED_TWICE',
      edit('.letta/settings.json', (file) => ({
        hooks: {
          ...Object(file['hooks']),
          Stop: [...Object(file['hooks']).PreToolUse, ...Object(file['hooks']).PreToolUse],
        },
      })),
    ],
    'Cursor, which reads the hooks of Claude Code': [
      'claudecode',
      'RECORDED_AS_OTHER',
      (home) => mkdirSync(join(home.path, '.cursor')),
    ],
    'a script that is gone': ['kirocli', 'SCRIPT_MISSING', (home) => rmSync(scriptPath(home.around.home, 'kirocli'))],
    'a script that others can write to': [
      'kirocli',
      'SCRIPT_MODE',
      (home) => chmodSync(scriptPath(home.around.home, 'kirocli'), 0o777),
    ],
  };
  for (const [name, [feed, code, harm]] of Object.entries(harms)) {
    it(`finds ${name}`, async () => {
      const home = await installed(feed);
      expect(codes(await examine(home.around, feed, false))).not.toContain(code);
      harm(home);
      const found = await examine(home.around, feed, false);
      expect(codes(found)).toContain(code);
      expect(found.find((one) => one.code === code)?.level).toBe('problem');
    });
  }
});

describe('the check of a session', () => {
  it('waits for the records of that session alone', async () => {
    const home = await withRecorder('claudecode');
    const { path } = fixture('claudecode', '2.1.330/*.jsonl');
    const prompt = async (session_id: string): Promise<void> => {
      const body = JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id, prompt: 'go' });
      expect(await run(scriptPath(home.around.home, 'claudecode'), body)).toBe(0);
    };
    const check = (session: string) => checkSession(home.around, 'claudecode', session, token, [path]);
    await prompt('sent');
    expect(await check('sent')).toMatchObject({ waiting: 0 });
    await until('all is sent', async () => (await askStatus(home.around.home)).waiting === 0);
    // From here on the service takes nothing.
    writeAgentFile(home.around.home, { ...readAgentFile(home.around.home, 'claudecode'), token: 'none' });
    await prompt('another');
    expect(await check('sent')).toMatchObject({ waiting: 0 });
    expect(await check('another')).toMatchObject({ waiting: 1 });
  });

  it.each([
    // As one of another version answers, which does not know the question.
    ['NOT_FOUND', 'there is nothing at this path', /of another version: stop it/],
    ['FOLDER_UNUSABLE', 'its file is damaged', /^its file is damaged$/],
  ])('says what is wrong with a recorder that answers %s', async (code, message, said) => {
    const home = await installed('claudecode');
    const { folder } = home.around.home;
    const server = createServer((_, response) => response.end(JSON.stringify({ error: { code, message } })));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    atEnd(() => server.close());
    const { port } = server.address() as AddressInfo;
    writeFileSync(join(folder, 'token'), 'a token', { mode: 0o600 });
    const address = { pid: process.pid, url: `http://127.0.0.1:${port}` };
    writeFileSync(join(folder, 'recorder.json'), JSON.stringify(address), { mode: 0o600 });
    const { path } = fixture('claudecode', '2.1.330/*.jsonl');
    await expect(checkSession(home.around, 'claudecode', 'one', token, [path])).rejects.toMatchObject({
      code: 'RECORDER_UNUSABLE',
      message: expect.stringMatching(said),
    });
  });

  it('finds the call that no hook reported, and has the result signed', async () => {
    const home = await withRecorder('claudecode');
    const session = '7a1635d7-6acd-44ef-82e2-228cd6ca1dd1';
    const { socket } = home.around.home;
    expect(existsSync(socket)).toBe(true);
    const { path } = fixture('claudecode', '2.1.330/*.jsonl');
    const call = {
      session_id: session,
      tool_name: 'Bash',
      tool_input: { command: 'echo hi' },
      tool_use_id: 'call_t0_c0_0',
    };
    for (const event of ['SessionStart', 'PreToolUse', 'PostToolUse']) {
      const body = { ...call, hook_event_name: event, tool_response: { stdout: 'hi' } };
      expect(await run(scriptPath(home.around.home, 'claudecode'), JSON.stringify(body))).toBe(0);
    }
    // What is still on its way to the service is waited for.
    const check = await checkSession(home.around, 'claudecode', session, token, [path]);
    expect(check).toMatchObject({
      waiting: 0,
      calls: 12,
      recorded: 1,
      matched: 1,
      unknown: [],
      differing: [],
      byId: true,
    });
    expect(check.missing).toHaveLength(11);
    const denied = { callId: 'call_t1_c0_1', tool: 'Bash', input: '{"command":"rm a.txt","description":"x"}' };
    expect(check.missing).toContainEqual({ ...denied, operationId: null });
    const signed = await until('the note', async () => {
      const answer = await owner.client.call('getOperation', { params: { operation_id: check.operationId ?? '' } });
      return answer.status === 200 && answer.body;
    });
    expect(JSON.stringify(signed)).toContain('session.check');
    expect(JSON.stringify(signed)).toContain('call_t1_c0_1');
  });
});
