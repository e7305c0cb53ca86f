import { readFile, stat } from 'node:fs/promises';
import { hasCode } from '../../protocol/light.ts';
import type { AgentFacts } from '../base/agent-file.ts';
import { type ProgramId, programName } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import { listCodexHooks, runs } from '../install/codex-trust.ts';
import { readConfigFile } from '../install/config/config-file.ts';
import { readEditedFiles } from '../install/config/edited-files.ts';
import { TextUnusable } from '../install/config/json-text.ts';
import { otherRecordersIn } from '../install/config/other-hooks.ts';
import { findProgram } from '../install/find-program.ts';
import { scriptPath } from '../install/folders.ts';
import { type Surroundings, scriptOptions } from '../install/install.ts';
import { setupOf } from '../install/uninstall.ts';
import { hookScript } from '../listen/hook-script.ts';
import { DESCRIPTIONS } from '../programs/described.ts';
import { shellWord } from '../programs/description.ts';
import { type Finding, finding } from './finding.ts';

/** Whether the program's configuration has our hooks, each once. */
export async function configured(around: Surroundings, feed: ProgramId, agent: AgentFacts): Promise<Finding[]> {
  const found: Finding[] = [];
  const reached: string[] = [];
  for (const edited of readEditedFiles(agent.config)) {
    const setup = setupOf(around, { feed, on_failure: agent.on_failure }, edited);
    try {
      const { text } = await readConfigFile(edited.path);
      if (text === null) continue;
      for (const folder of await otherRecordersIn(edited.path, feed, scriptPath(around.home, feed))) {
        const why = `${edited.path} has hooks of another recorder as well, that of the folder ${folder}`;
        found.push(finding(feed, 'RECORDED_TWICE', why));
      }
      reached.push(...setup.hooked(text));
      const doubled = setup.doubled(text);
      if (doubled.length > 0) {
        found.push(finding(feed, 'RECORDED_TWICE', `${edited.path} runs the script twice for ${doubled.join(', ')}`));
      }
    } catch (error) {
      if (!(error instanceof TextUnusable) && !(error instanceof RecordError)) throw error;
      found.push(finding(feed, 'CONFIG_UNUSABLE', `${edited.path}: ${error.message}`));
    }
  }
  const again = `run: countersign record install ${feed}`;
  const missing = DESCRIPTIONS[feed].events.filter((event) => !reached.includes(event));
  if (reached.length === 0) {
    found.push(
      finding(feed, 'HOOKS_MISSING', `none of our hooks is in the configuration of ${programName(feed)}: ${again}`),
    );
  } else if (missing.length > 0) {
    found.push(finding(feed, 'HOOKS_INCOMPLETE', `the hooks for ${missing.join(', ')} are missing: ${again}`));
  }
  return found;
}

/** Whether the hook's script is what installation writes, and can run. */
export async function scripted(around: Surroundings, feed: ProgramId, agent: AgentFacts): Promise<Finding[]> {
  if (DESCRIPTIONS[feed].isPlugin) return [];
  const path = scriptPath(around.home, feed);
  const again = `run: countersign record install ${feed}`;
  let text: string;
  let mode: number;
  try {
    text = await readFile(path, 'utf8');
    mode = (await stat(path)).mode & 0o777;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    return [finding(feed, 'SCRIPT_MISSING', `${path} is not there: ${again}`)];
  }
  const found: Finding[] = [];
  if (process.platform !== 'win32' && ((mode & 0o100) === 0 || (mode & 0o022) !== 0)) {
    found.push(finding(feed, 'SCRIPT_MODE', `${path} has the mode ${mode.toString(8)}: chmod 700`));
  }
  const { on_failure: onFailure, threshold } = agent;
  if (text !== hookScript({ ...scriptOptions(around, feed), onFailure, threshold })) {
    found.push(finding(feed, 'SCRIPT_CHANGED', `${path} is not what this version writes: ${again}`));
  }
  return found;
}

/** Whether the program is there, and of Codex whether it trusts our hooks. */
export async function runnable(around: Surroundings, feed: ProgramId): Promise<Finding[]> {
  const { binary } = DESCRIPTIONS[feed];
  const program = await findProgram(binary, around.environment);
  if (program === null) {
    return binary === null ? [] : [finding(feed, 'PROGRAM_MISSING', `there is no ${binary} on the PATH`)];
  }
  if (feed !== 'codex') return [];
  try {
    const command = shellWord(scriptPath(around.home, feed));
    const hooks = await listCodexHooks(program.path, around.environment, around.cwd);
    const not = hooks
      .filter((hook) => hook.command === command && !runs(hook))
      .map(({ key }) => key.split(':').at(-3) ?? key);
    if (not.length === 0) return [];
    return [
      finding(
        feed,
        'HOOKS_UNTRUSTED',
        `Codex does not run the hooks for ${not.join(', ')}: run countersign record install codex, or trust them with /hooks`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return [finding(feed, 'HOOKS_UNTRUSTED', error.message)];
  }
}
