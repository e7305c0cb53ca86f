import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { RecordError } from '../base/errors.ts';
import type { RecorderHome } from '../base/home.ts';
import { askRecorder } from '../listen/ask-recorder.ts';
import { recorderCommand } from '../listen/recorder-command.ts';

/** The first start of a version compiles it, which takes many times as long as later ones. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 100;

/** Whether a recorder ran before, one runs now, or none could be started. */
export type Started = 'running' | 'started' | 'failed';

/**
 * Has a recorder of this user run, as a hook would: what takes longer at its first start than a hook waits loses the first event
 * otherwise. It stays when this process ends.
 */
export async function startIfNoneRuns(home: RecorderHome, environment: NodeJS.ProcessEnv): Promise<Started> {
  if (await answers(home)) return 'running';
  const [program = '', ...args] = recorderCommand().start;
  // The token of whoever installs, and what npx and the shell set for this process, are not for one that stays.
  const { COUNTERSIGN_TOKEN: _, NODE_OPTIONS: __, npm_command: ___, ...rest } = environment;
  const child = spawn(program, [...args, '--quiet'], {
    env: { ...rest, COUNTERSIGN_RECORDER: home.folder, MALLOC_ARENA_MAX: '2' },
    cwd: '/',
    stdio: 'ignore',
    detached: true,
  });
  let hasEnded = false;
  child.once('error', () => {
    hasEnded = true;
  });
  child.once('exit', () => {
    hasEnded = true;
  });
  child.unref();
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
    if (await answers(home)) return 'started';
    // Another one may have been quicker: this one ends then, and that one answers.
    if (hasEnded) return (await answers(home)) ? 'running' : 'failed';
    await pause(LOOK_MS);
  }
  return 'failed';
}

async function answers(home: RecorderHome): Promise<boolean> {
  try {
    await askRecorder(home, '/v1/status');
    return true;
  } catch (error) {
    if (error instanceof RecordError && error.code === 'RECORDER_AWAY') return false;
    throw error;
  }
}
