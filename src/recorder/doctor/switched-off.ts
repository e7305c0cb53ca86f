import { join } from 'node:path';
import type { ProgramId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import { readConfigFile } from '../install/config/config-file.ts';
import { JsonText, TextUnusable } from '../install/config/json-text.ts';
import { readToml } from '../install/config/toml-text.ts';
import type { Surroundings } from '../install/install.ts';
import { type Finding, finding } from './finding.ts';

type Settings = { readonly [member: string]: unknown };

function member(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? (of as Settings)[name] : undefined;
}

/** @returns null where there is no such file, or it is not of the form: other findings tell of our own files */
async function settingsIn(path: string): Promise<Settings | null> {
  try {
    const { text } = await readConfigFile(path);
    if (text === null) return null;
    return path.endsWith('.toml') ? readToml(text) : new JsonText(text).value;
  } catch (error) {
    if (error instanceof RecordError || error instanceof TextUnusable) return null;
    throw error;
  }
}

const MANAGED_CLAUDE: { readonly [platform: string]: string } = {
  darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
  win32: 'C:\\Program Files\\ClaudeCode\\managed-settings.json',
};

async function ofClaude({ cwd, environment, userHome }: Surroundings): Promise<Finding[]> {
  const own = environment['CLAUDE_CONFIG_DIR'] || join(userHome, '.claude');
  const managed = MANAGED_CLAUDE[process.platform] ?? '/etc/claude-code/managed-settings.json';
  const project = join(cwd, '.claude');
  const names = ['settings.json', 'settings.local.json'];
  const files = [managed, join(own, 'settings.json'), ...names.map((name) => join(project, name))];
  const found: Finding[] = [];
  for (const path of new Set(files)) {
    const settings = await settingsIn(path);
    if (settings?.['disableAllHooks'] === true) {
      found.push(finding('claudecode', 'HOOKS_SWITCHED_OFF', `${path} has disableAllHooks: remove it`));
    }
    if (path === managed && settings?.['allowManagedHooksOnly'] === true) {
      found.push(finding('claudecode', 'HOOKS_MANAGED_ONLY', `${path} has allowManagedHooksOnly: add the hooks there`));
    }
  }
  return found;
}

async function ofGemini({ cwd, environment, userHome }: Surroundings): Promise<Finding[]> {
  const own = join(environment['GEMINI_CLI_HOME'] ?? userHome, '.gemini', 'settings.json');
  const found: Finding[] = [];
  for (const path of new Set(['/etc/gemini-cli/settings.json', own, join(cwd, '.gemini', 'settings.json')])) {
    const settings = await settingsIn(path);
    // The settings of hooks had their place next to the lists of events before they had one of their own.
    for (const part of [member(settings, 'hooksConfig'), member(settings, 'hooks')]) {
      const disabled = member(part, 'disabled');
      if (member(part, 'enabled') === false) {
        found.push(finding('gemini', 'HOOKS_SWITCHED_OFF', `${path} switches hooks off by "enabled": false`));
      }
      if (Array.isArray(disabled) && disabled.includes('countersign')) {
        found.push(finding('gemini', 'HOOKS_SWITCHED_OFF', `${path} has countersign among its disabled hooks`));
      }
    }
  }
  return found;
}

async function ofCodex({ environment, userHome }: Surroundings): Promise<Finding[]> {
  const own = join(environment['CODEX_HOME'] || join(userHome, '.codex'), 'config.toml');
  const found: Finding[] = [];
  const features = member(await settingsIn(own), 'features');
  if (member(features, 'hooks') === false || member(features, 'codex_hooks') === false) {
    found.push(finding('codex', 'HOOKS_SWITCHED_OFF', `${own} switches the feature "hooks" off`));
  }
  const managed = '/etc/codex/requirements.toml';
  if (member(await settingsIn(managed), 'allow_managed_hooks_only') === true) {
    found.push(finding('codex', 'HOOKS_MANAGED_ONLY', `${managed} has allow_managed_hooks_only: add the hooks there`));
  }
  return found;
}

/** Every event that Cursor documents: one name that it does not know makes it ignore the whole file. */
const CURSOR_KNOWS: ReadonlySet<string> = new Set([
  'sessionStart',
  'sessionEnd',
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'subagentStart',
  'subagentStop',
  'beforeShellExecution',
  'afterShellExecution',
  'beforeMCPExecution',
  'afterMCPExecution',
  'beforeReadFile',
  'afterFileEdit',
  'beforeSubmitPrompt',
  'preCompact',
  'stop',
  'afterAgentResponse',
  'afterAgentThought',
  'beforeTabFileRead',
  'afterTabFileEdit',
]);

async function ofCursor({ cwd, userHome }: Surroundings): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const folder of new Set([userHome, cwd])) {
    const path = join(folder, '.cursor', 'hooks.json');
    const hooks = member(await settingsIn(path), 'hooks');
    const unknown = Object.keys(typeof hooks === 'object' && hooks !== null ? hooks : {}).filter(
      (event) => !CURSOR_KNOWS.has(event),
    );
    if (unknown.length > 0) {
      const names = unknown.join(', ');
      found.push(
        finding(
          'cursor',
          'CONFIG_UNUSABLE',
          `${path} has events that Cursor is not known to have (${names}): it may ignore the whole file`,
        ),
      );
    }
  }
  return found;
}

const KIMI_MEMBERS: ReadonlySet<string> = new Set(['event', 'matcher', 'command', 'timeout']);

async function ofKimi({ environment, userHome }: Surroundings): Promise<Finding[]> {
  const path = join(environment['KIMI_CODE_HOME'] || join(userHome, '.kimi-code'), 'config.toml');
  const hooks = member(await settingsIn(path), 'hooks');
  const members = (Array.isArray(hooks) ? hooks : []).flatMap((hook: unknown) => Object.keys(Object(hook)));
  const unknown = [...new Set(members)].filter((name) => !KIMI_MEMBERS.has(name));
  if (unknown.length === 0) return [];
  const text = `${path} has hooks with members that Kimi Code refuses (${unknown.join(', ')}), and with them the whole file`;
  return [finding('kimi', 'CONFIG_UNUSABLE', text)];
}

const LOOKS: { readonly [id in ProgramId]?: (around: Surroundings) => Promise<Finding[]> } = {
  claudecode: ofClaude,
  gemini: ofGemini,
  codex: ofCodex,
  cursor: ofCursor,
  kimi: ofKimi,
};

/** What a program's settings say that keeps our hooks from running. */
export async function switchedOff(around: Surroundings, feed: ProgramId): Promise<Finding[]> {
  return (await LOOKS[feed]?.(around)) ?? [];
}
