import './require-node.cjs';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_PACKAGES, FRAMEWORK_TESTS, installAgentPackages } from './support/agent-packages.ts';
import {
  AGENT_PROGRAMS,
  type AgentProgramId,
  CHOSEN_VERSIONS,
  programBin,
  programFolder,
  versionOf,
} from './support/agent-programs.ts';
import { packageCommand } from './support/paths.ts';
import { runNode } from './support/run.ts';

/** For what hangs. */
const INSTALL_LIMIT_MS = 10 * 60_000;
const TESTS_LIMIT_MS = 3 * 60 * 60_000;
const PATIENCE_MS = 5 * 60_000;

// Names of programs choose some of them (`pi@0.74.2` in another version than the pinned one, `@latest` all of them in that one), and
// `frameworks` those that the agent library has adapters for; without any, it is all.
// With `--install` none is run: `npm test` then runs them with its own tests.
const isInstalling = process.argv.includes('--install');
const every = Object.keys(AGENT_PROGRAMS) as AgentProgramId[];
const given = process.argv
  .slice(2)
  .filter((argument) => argument !== '--install')
  .flatMap((argument) => (argument.startsWith('@') ? every.map((id) => `${id}${argument}`) : [argument]));
const chosen = given.map((argument) => argument.replace(/@.*/, ''));
// What a test waits for is slow on a busy machine, where a program alone may take a minute to start.
process.env['COUNTERSIGN_PATIENCE_MS'] ??= String(PATIENCE_MS);
process.env[CHOSEN_VERSIONS] ??= given.filter((argument) => argument.includes('@')).join(' ');
const ids = every.filter((id) => chosen.length === 0 || chosen.includes(id));
// What `latest` was when it was installed may be another version now.
for (const id of ids) if (!/^\d/.test(versionOf(id))) rmSync(programFolder(id), { recursive: true, force: true });
for (const id of ids) if (programBin(id) === undefined) install(id);

const withFrameworks = chosen.length === 0 || chosen.includes('frameworks');
for (const group of withFrameworks ? AGENT_PACKAGES : []) {
  const { ok, output } = await installAgentPackages(group);
  // Its tests pass themselves over, and say so in their names.
  if (!ok) console.log(`${group.folder} cannot be installed here:\n${output.trimEnd()}`);
}

const here = ids.filter((id) => programBin(id) !== undefined);
const skipped = ids.filter((id) => !here.includes(id));
// Gemini CLI is the agent by which the proxy of the Agent Client Protocol is tried.
const acp = here.includes('gemini') ? ['test/agents/acp.test.ts'] : [];
const files = [...here.map((id) => `test/agents/${id}.test.ts`), ...acp, ...(withFrameworks ? FRAMEWORK_TESTS : [])];
for (const id of here) console.log(`${AGENT_PROGRAMS[id].name}: ${installedVersion(id)}`);
if (files.length > 0 && !isInstalling) {
  const args = ['run', '--project', 'agents', ...files];
  const { ok } = await runNode(packageCommand('vitest', 'vitest'), args, { show: true, limitMs: TESTS_LIMIT_MS });
  if (!ok) process.exitCode = 1;
}
console.log('\nSkipped:');
for (const id of skipped) console.log(`  - ${AGENT_PROGRAMS[id].name}: ${specOf(id)} cannot be installed here`);
if (skipped.length === 0) console.log('  - nothing');
// Who asks for a version wants to know of it.
if (skipped.some((id) => given.some((argument) => argument.startsWith(`${id}@`)))) process.exitCode = 1;

function install(id: AgentProgramId): void {
  const folder = programFolder(id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  console.log(`Installing ${specOf(id)} ...`);
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', specOf(id)];
  const { status } = spawnSync('npm', args, { stdio: 'inherit', timeout: INSTALL_LIMIT_MS });
  // Half of a package is none: the next run tries again.
  if (status !== 0) rmSync(folder, { recursive: true, force: true });
}

function specOf(id: AgentProgramId): string {
  return `${AGENT_PROGRAMS[id].package}@${versionOf(id)}`;
}

function installedVersion(id: AgentProgramId): string {
  const file = join(programFolder(id), 'node_modules', AGENT_PROGRAMS[id].package, 'package.json');
  return JSON.parse(readFileSync(file, 'utf8')).version;
}
