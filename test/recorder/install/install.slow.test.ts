import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { integrationOf } from '../../../src/api/index.ts';
import { readAgentFile } from '../../../src/recorder/base/agent-file.ts';
import {
  examine,
  type FeedId,
  type Installed,
  type InstallPlan,
  PROGRAM_IDS,
  type ProgramId,
  planInstall,
  planUninstall,
  RecordError,
  recorderHome,
} from '../../../src/recorder/index.ts';
import { writeScript } from '../../../src/recorder/install/folders.ts';
import { type InstallOptions, scriptOptions } from '../../../src/recorder/install/install.ts';
import { RecordedHome } from '../../support/recorded-home.ts';
import { TestService } from '../../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp();
const token = owner.client.token ?? '';

function plan(home: RecordedHome, feed: FeedId, options: Partial<InstallOptions> = {}): Promise<InstallPlan> {
  const given = { feed, service: service.url, token, serviceKid: null, policy: {}, inProject: false };
  return planInstall(home.around, { ...given, ...options });
}

async function install(home: RecordedHome, feed: FeedId, options: Partial<InstallOptions> = {}): Promise<Installed> {
  return (await plan(home, feed, options)).carryOut();
}

async function codeOf(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return 'fine';
  } catch (error) {
    if (error instanceof RecordError) return error.code;
    throw error;
  }
}

/** Where each program's hooks go, and a file of somebody who has some. */
const FILES: { readonly [id in ProgramId]: readonly [path: string, theirs: string | null] } = {
  claudecode: [
    '.claude/settings.json',
    '{\n  // allowed\n  "permissions": { "allow": ["Bash(npm test)"] },\n  "hooks": {\n    "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "lint" }] }]\n  }\n}\n',
  ],
  codex: ['.codex/hooks.json', '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"bell"}]}]}}'],
  gemini: ['.gemini/settings.json', '{\n  "security": { "auth": { "selectedType": "gemini-api-key" } },\n}\n'],
  copilot: ['.copilot/hooks/countersign.json', null],
  opencode: ['.config/opencode/plugins/countersign.js', null],
  kimi: ['.kimi-code/config.toml', '# mine\ndefault_model = "k"\n\n[[hooks]]\nevent = "Stop"\ncommand = "bell"'],
  letta: ['.letta/settings.json', '{"hooks":{}}'],
  cursor: ['.cursor/hooks.json', '{\n\t"version": 1,\n\t"hooks": {\n\t\t"stop": [{ "command": "bell" }]\n\t}\n}'],
  kirocli: ['.kiro/hooks/countersign.json', null],
  kiroide: ['.kiro/hooks/countersign.json', null],
  qwen: [
    '.qwen/settings.json',
    '{"security":{"auth":{"selectedType":"openai"}},"hooks":{"Stop":[{"hooks":[{"command":"bell"}]}]}}',
  ],
  pi: ['.pi/agent/extensions/countersign.js', null],
  openhands: ['.openhands/hooks.json', '{"hooks":{"Stop":[{"hooks":[{"command":"lint"}]}]}}'],
  goose: ['.agents/plugins/countersign/hooks/hooks.json', null],
  cline: ['Documents/Cline/Hooks/PreToolUse', null],
  windsurf: ['.codeium/windsurf/hooks.json', '{"hooks":{"post_write_code":[{"command":"format"}]}}'],
  openclaw: ['.openclaw/extensions/countersign/index.js', null],
};

/** What a program's plugin names, which runs no script. */
const PLUGINS: Partial<Readonly<Record<ProgramId, string>>> = {
  opencode: 'tool.execute.before',
  pi: 'tool_execution_end',
  openclaw: 'before_tool_call',
};

describe('installing', () => {
  for (const feed of PROGRAM_IDS) {
    const [path, theirs] = FILES[feed];
    it(`configures ${feed}, registers its agent, and leaves no trace but its agent once uninstalled`, async () => {
      const home = new RecordedHome();
      if (theirs !== null) chmodSync(home.put(path, theirs), 0o640);
      const before = home.state();
      const planned = await plan(home, feed);
      expect(home.state()).toEqual(before);
      expect(planned.edits.map(({ diff }) => diff).join('\n')).toContain('+++ ');

      const { agent, tokenEndsAt } = await planned.carryOut();
      expect(tokenEndsAt).toBeNull();
      const { agent: registered, keys } = await owner.client.ok('getAgent', { params: { agent_id: agent.agent_id } });
      expect(registered.integration_type).toBe(integrationOf(feed));
      expect(keys.map(({ kid }) => kid)).toContain(agent.kid);
      const listed = await owner.client.ok('listTokens');
      expect(listed.tokens.find((row) => row.agent_id === agent.agent_id)?.scope).toBe('submit');
      expect(statSync(home.around.home.agent(feed)).mode & 0o777).toBe(0o600);
      expect(home.read(path)).toContain(PLUGINS[feed] ?? `/hooks/${feed}`);
      if (theirs !== null) expect(statSync(join(home.path, path)).mode & 0o777).toBe(0o640);
      if (path.endsWith('.toml')) expect(parseToml(home.read(path))['hooks']).toHaveLength(11);

      const installed = home.state();
      const file = readFileSync(home.around.home.agent(feed), 'utf8');
      await install(home, feed);
      expect(home.state()).toEqual(installed);
      expect(readFileSync(home.around.home.agent(feed), 'utf8')).toBe(file);

      const end = await (await planUninstall(home.around, feed, token)).carryOut();
      expect(end).toEqual({ kind: 'revoked' });
      expect(home.state()).toEqual(before);
      expect(existsSync(home.around.home.agent(feed))).toBe(false);
      expect((await owner.client.ok('listTokens')).tokens.some((row) => row.agent_id === agent.agent_id)).toBe(false);
    });
  }

  for (const feed of ['enterprise', 'gui', 'other'] as const) {
    it(`registers an agent for ${feed}, and configures nothing`, async () => {
      const home = new RecordedHome();
      await install(home, feed);
      expect(readAgentFile(home.around.home, feed).config).toEqual([]);
      expect(home.state()).toEqual({});
    });
  }

  it('takes the places that variables name', async () => {
    const home = new RecordedHome();
    const folder = join(home.path, 'elsewhere');
    const environment = { ...home.around.environment, CLAUDE_CONFIG_DIR: folder };
    await (
      await planInstall(
        { ...home.around, environment },
        { feed: 'claudecode', service: service.url, token, serviceKid: null, policy: {}, inProject: false },
      )
    ).carryOut();
    expect(existsSync(join(folder, 'settings.json'))).toBe(true);
  });

  it('changes an option of an earlier installation, without a token, and the files with it', async () => {
    const home = new RecordedHome();
    const { agent } = await install(home, 'claudecode');
    const again = await install(home, 'claudecode', { token: null, service: null, policy: { on_failure: 'block' } });
    expect(again.agent).toMatchObject({
      agent_id: agent.agent_id,
      kid: agent.kid,
      token: agent.token,
      on_failure: 'block',
    });
    const { hooks } = JSON.parse(home.read('.claude/settings.json'));
    expect(hooks.PreToolUse).toEqual([{ matcher: '*', hooks: [expect.objectContaining({ onFailure: 'block' })] }]);
  });

  it('keeps what somebody else wrote since when it is uninstalled', async () => {
    const home = new RecordedHome();
    home.put('.claude/settings.json', '{\n  "a": 1\n}\n');
    await install(home, 'claudecode');
    home.put('.claude/settings.json', home.read('.claude/settings.json').replace('"a": 1', '"a": 2'));
    await (await planUninstall(home.around, 'claudecode', null)).carryOut();
    expect(home.read('.claude/settings.json')).toBe('{\n  "a": 2\n}\n');
    expect(Object.keys(home.state())).toEqual(['.claude/settings.json']);
  });

  it('edits the file at the end of a symbolic link, and keeps the link', async () => {
    const home = new RecordedHome();
    const dotfile = home.put('dotfiles/claude.json', '{}\n');
    mkdirSync(join(home.path, '.claude'));
    symlinkSync(dotfile, join(home.path, '.claude/settings.json'));
    await install(home, 'claudecode');
    expect(home.read('dotfiles/claude.json')).toContain('PreToolUse');
    await (await planUninstall(home.around, 'claudecode', null)).carryOut();
    expect(home.read('dotfiles/claude.json')).toBe('{}\n');
    expect(Object.keys(home.state())).toEqual(['dotfiles/claude.json']);
  });
});

describe('the agent', () => {
  it('takes the next name where another machine has this one, and its own one again after an uninstallation', async () => {
    const [first, second] = [new RecordedHome(), new RecordedHome()];
    const one = (await install(first, 'letta')).agent.agent_id;
    const two = (await install(second, 'letta')).agent.agent_id;
    expect(two).not.toBe(one);
    mkdirSync(second.around.home.receipts, { recursive: true });
    second.put(`.local/share/countersign/recorder/receipts/${two}.jsonl`, '');
    await (await planUninstall(second.around, 'letta', null)).carryOut();
    expect((await install(second, 'letta')).agent.agent_id).toBe(two);
    const { keys } = await owner.client.ok('getAgent', { params: { agent_id: two } });
    expect(keys).toHaveLength(2);
  });

  it('gets a token that ends with the API token that was given', async () => {
    const home = new RecordedHome();
    const api = await owner.client.ok('createToken', { body: { ttl_seconds: 3600 } });
    const { agent, tokenEndsAt } = await install(home, 'gemini', { token: api.token });
    expect(agent.token).not.toBe(api.token);
    expect(tokenEndsAt).toBe((api.expires_at ?? 0) * 1000);
    const { status } = await service.client(agent.token).call('listAgents');
    expect(status).toBe(403);
  });

  it('wants no more than a token that registers one agent, and only once', async () => {
    const home = new RecordedHome();
    const enrol = await owner.client.ok('createToken', { body: { scope: 'enrol', ttl_seconds: 900 } });
    const { agent, tokenEndsAt } = await install(home, 'gemini', { token: enrol.token });
    expect(agent.org_id).toBe(owner.orgId);
    expect(tokenEndsAt).toBeNull();
    await expect(install(new RecordedHome(), 'gemini', { token: enrol.token })).rejects.toMatchObject({
      code: 'SERVICE_REFUSED',
    });
  });

  it('has its token made worthless by that token itself', async () => {
    const home = new RecordedHome();
    const { agent } = await install(home, 'gemini');
    expect(await (await planUninstall(home.around, 'gemini', null)).carryOut()).toEqual({ kind: 'replaced' });
    const { status } = await service.client(agent.token).call('agentHead', { params: { agent_id: agent.agent_id } });
    expect(status).toBe(401);
  });
});

describe('a second recorder of one user', () => {
  // As with another XDG_DATA_HOME: the folder, and with it agents and keys, is another one; programs have one configuration.
  function beside({ path, around }: RecordedHome): RecordedHome {
    const second = new RecordedHome();
    const home = recorderHome({ ...around.environment, XDG_DATA_HOME: join(path, 'données de Zoë') });
    return Object.assign(second, { path, around: { ...around, home } });
  }

  for (const feed of ['gemini', 'kimi', 'opencode', 'copilot', 'kirocli'] as const) {
    it(`is refused where ${feed} has hooks of the first, whichever that is, until they are taken out`, async () => {
      const home = new RecordedHome();
      const second = beside(home);
      for (const [first, other] of [
        [home, second],
        [second, home],
      ] as const) {
        await install(first, feed);
        await install(first, feed);
        const before = home.state();
        expect(await codeOf(() => plan(other, feed))).toBe('OTHER_RECORDER');
        expect(home.state()).toEqual(before);
        await (await planUninstall(first.around, feed, token)).carryOut();
      }
    });
  }

  it('records what the first does not, with its own agent and key', async () => {
    const home = new RecordedHome();
    const [first, second] = [await install(home, 'gemini'), await install(beside(home), 'letta')];
    expect(second.agent.agent_id).not.toBe(first.agent.agent_id);
    const others = [await install(home, 'other'), await install(beside(home), 'other')].map(({ agent }) => agent);
    expect(new Set(others.map(({ agent_id }) => agent_id)).size).toBe(2);
    expect(new Set(others.map(({ kid }) => kid)).size).toBe(2);
  });

  it('is found by doctor where somebody wrote its hooks in', async () => {
    const home = new RecordedHome();
    const second = beside(home);
    const { agent } = await install(second, 'gemini');
    const theirs = home.read('.gemini/settings.json');
    await (await planUninstall(second.around, 'gemini', token)).carryOut();
    await install(home, 'gemini');
    const { on_failure: onFailure, threshold } = agent;
    await writeScript({ ...scriptOptions(second.around, 'gemini'), onFailure, threshold });
    home.put('.gemini/settings.json', theirs);
    const found = await examine(home.around, 'gemini', false);
    expect(found.filter(({ code }) => code === 'RECORDED_TWICE').map(({ text }) => text)).toEqual([
      expect.stringContaining('données de Zoë/countersign/recorder'),
    ]);
  });
});

describe('nothing is changed', () => {
  const hostile: Readonly<Record<string, (home: RecordedHome) => unknown>> = {
    'hooks of a wrong type': (home) => home.put('.claude/settings.json', '{"hooks": 7}'),
    'a file that does not parse': (home) => home.put('.claude/settings.json', '{"a": '),
    'a file of five megabytes': (home) => home.put('.claude/settings.json', ' '.repeat(5_000_000)),
    'a file that is not UTF-8': (home) => home.put('.claude/settings.json', Buffer.from([0x7b, 0xff, 0x7d])),
    'a folder in its place': (home) => home.put('.claude/settings.json/file', ''),
    'links in a circle': (home) => {
      mkdirSync(join(home.path, '.claude'));
      symlinkSync(join(home.path, '.claude/b'), join(home.path, '.claude/settings.json'));
      symlinkSync(join(home.path, '.claude/settings.json'), join(home.path, '.claude/b'));
    },
  };
  for (const [name, make] of Object.entries(hostile)) {
    it(`where there is ${name}`, async () => {
      const home = new RecordedHome();
      make(home);
      const before = home.state();
      expect(await codeOf(() => install(home, 'claudecode'))).toBe('CONFIG_UNUSABLE');
      expect(home.state()).toEqual(before);
      expect(existsSync(home.around.home.folder)).toBe(false);
    });
  }

  it('where the file is read-only, or was changed after it was read', async () => {
    const home = new RecordedHome();
    chmodSync(home.put('.claude/settings.json', '{}'), 0o444);
    expect(await codeOf(() => install(home, 'claudecode'))).toBe('CONFIG_UNUSABLE');
    const planned = await plan(home, 'gemini');
    home.put('.gemini/settings.json', '{"new": 1}');
    expect(await codeOf(() => planned.carryOut())).toBe('CONFIG_UNUSABLE');
    expect(home.read('.gemini/settings.json')).toBe('{"new": 1}');
  });

  it('where the service has another key than it must have, or the token is not valid', async () => {
    const home = new RecordedHome();
    expect(await codeOf(() => plan(home, 'gemini', { serviceKid: 'A'.repeat(43) }))).toBe('SERVICE_REFUSED');
    expect(await codeOf(() => plan(home, 'gemini', { token: 'csn_api_wrong' }))).toBe('SERVICE_REFUSED');
    expect(await codeOf(() => plan(home, 'gemini', { token: null }))).toBe('SERVICE_REFUSED');
    expect(await codeOf(() => plan(home, 'gemini', { service: 'ftp://x' }))).toBe('SERVICE_REFUSED');
  });

  it('where another installation runs, or has run since, and each is told', async () => {
    const home = new RecordedHome();
    const agents = async (): Promise<number> => (await owner.client.ok('listAgents')).agents.length;
    const before = await agents();
    const plans = await Promise.all([plan(home, 'gemini'), plan(home, 'gemini')]);
    const ends = await Promise.all(plans.map((planned) => codeOf(() => planned.carryOut())));
    expect(ends.sort()).toEqual(['INSTALL_RUNNING', 'fine']);
    // Neither a second agent was registered, nor a key of it lost.
    expect(await agents()).toBe(before + 1);
    const { agent_id } = readAgentFile(home.around.home, 'gemini');
    const late = await plan(home, 'gemini', { policy: { on_failure: 'block' } });
    await install(home, 'gemini', { policy: { content: 'digest' } });
    expect(await codeOf(() => late.carryOut())).toBe('INSTALL_RUNNING');
    expect(readAgentFile(home.around.home, 'gemini')).toMatchObject({
      agent_id,
      content: 'digest',
      on_failure: 'allow',
    });
  });

  it('where another program that is recorded reads the same file', async () => {
    const home = new RecordedHome();
    await install(home, 'kirocli');
    expect(await codeOf(() => plan(home, 'kiroide'))).toBe('CONFIG_UNUSABLE');
  });
});
