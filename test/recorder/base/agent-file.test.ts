import { chmodSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generateKeyPair } from '../../../src/agent/index.ts';
import {
  type AgentFile,
  readAgentFile,
  readAgentFiles,
  writeAgentFile,
} from '../../../src/recorder/base/agent-file.ts';
import { recorderHome } from '../../../src/recorder/base/home.ts';
import { temporaryFolder } from '../../support/folders.ts';

const AGENT: AgentFile = {
  feed: 'codex',
  service_url: 'http://127.0.0.1:8787',
  org_id: 'org',
  agent_id: 'codex-ada-laptop',
  kid: 'kid',
  private_key: generateKeyPair().privateKey,
  token: 'csn_api_token',
  service_kid: 'service',
  on_failure: 'allow',
  threshold: 'captured',
  require_receipt_for: 'changes',
  before: 'changes',
  content: 'full',
  installed_at: '2026-11-21T10:00:00.000Z',
  head: null,
  config: [{ path: '/home/ada/.codex/hooks.json', created: true }],
};

function installed() {
  const home = recorderHome({ COUNTERSIGN_RECORDER: temporaryFolder() });
  writeAgentFile(home, AGENT);
  return home;
}

test('it reads what was written, from a file of mode 600', () => {
  const home = installed();
  expect(readAgentFile(home, 'codex')).toEqual(AGENT);
  expect(readAgentFiles(home)).toEqual([AGENT]);
  expect(statSync(home.agent('codex')).mode & 0o777).toBe(0o600);
});

test('it says so where no agent is installed', () => {
  expect(() => readAgentFile(installed(), 'gemini')).toThrow(expect.objectContaining({ code: 'NOT_INSTALLED' }));
});

test('it refuses a file that others can read, and a symbolic link', () => {
  const home = installed();
  const path = home.agent('codex');
  chmodSync(path, 0o640);
  expect(() => readAgentFile(home, 'codex')).toThrow(/chmod 600/);
  chmodSync(path, 0o600);
  renameSync(path, `${path}.away`);
  symlinkSync(`${path}.away`, path);
  expect(() => readAgentFile(home, 'codex')).toThrow(/symbolic link/);
});

test('it refuses a file of another form without quoting it', () => {
  const home = installed();
  const path = home.agent('codex');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"allow"', '"perhaps"'));
  expect(() => readAgentFile(home, 'codex')).toThrow(/^(?!.*perhaps).*on_failure/);
  writeFileSync(path, '{"private_key": "secret');
  expect(() => readAgentFile(home, 'codex')).toThrow(/^(?!.*secret).*is not JSON/);
});
