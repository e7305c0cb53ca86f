import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import { readConfigFile } from '../install/config/config-file.ts';
import { hookedEvents } from '../install/config/json-hooks.ts';
import { TextUnusable } from '../install/config/json-text.ts';
import { scriptPath } from '../install/folders.ts';
import { installedAgent, type Surroundings } from '../install/install.ts';
import { shellWord } from '../install/programs/setup.ts';
import { type Finding, finding } from './finding.ts';

/**
 * Cursor and Copilot run the hooks of Claude Code's settings as well. Where a program has our hooks in its own settings, the recorder leaves
 * out what comes through Claude Code's; where it has none, its actions are recorded as those of Claude Code's agent.
 */
export async function otherReaders(around: Surroundings, feed: ProgramId): Promise<Finding[]> {
  if (feed !== 'claudecode') return [];
  const found: Finding[] = [];
  const project = join(around.cwd, '.claude', 'settings.json');
  const local = join(around.cwd, '.claude', 'settings.local.json');
  const user = join(around.environment['CLAUDE_CONFIG_DIR'] || join(around.userHome, '.claude'), 'settings.json');
  const places = [user, project, local];
  const hooked: string[] = [];
  for (const path of new Set(places)) if (await hasOurs(around, path)) hooked.push(path);
  if (hooked.length > 1) {
    found.push(
      finding(
        feed,
        'RECORDED_TWICE',
        `our hooks are in ${hooked.join(' and in ')}: Claude Code runs equal commands once, other programs that read them may not`,
      ),
    );
  }
  if (existsSync(join(around.userHome, '.cursor')) && installedAgent(around.home, 'cursor') === null) {
    found.push(
      finding(
        feed,
        'RECORDED_AS_OTHER',
        'Cursor runs the hooks of Claude Code too: its actions are recorded as those of Claude Code until you run countersign record install cursor',
      ),
    );
  }
  return found;
}

async function hasOurs({ home }: Surroundings, path: string): Promise<boolean> {
  try {
    const { text } = await readConfigFile(path);
    return text !== null && hookedEvents(text, shellWord(scriptPath(home, 'claudecode'))).length > 0;
  } catch (error) {
    if (error instanceof RecordError || error instanceof TextUnusable) return false;
    throw error;
  }
}
