import { spawn } from 'node:child_process';
import type { RecorderHome } from '../base/home.ts';
import { RecordError } from '../base/record-error.ts';
import { recorderCommand } from '../listen/recorder-command.ts';
import { answerOf, START_MS } from './answering.ts';

/** The most that is kept of what a recorder says that cannot start, in characters. */
const MOST_SAID = 1_000;

/** Whether a recorder ran before, or was started. */
export type Started = 'running' | 'started';

/**
 * Has a recorder of this user run, as a hook would: what takes longer at its first start than a hook waits loses the first event
 * otherwise. It stays when this process ends.
 * @throws RecordError RECORDER_AWAY with what the recorder said, RECORDER_UNUSABLE
 */
export async function startIfNoneRuns(home: RecorderHome, environment: NodeJS.ProcessEnv): Promise<Started> {
  if ((await answerOf(home, 0)) !== null) return 'running';
  const [program = '', ...args] = recorderCommand().start;
  // The token of whoever installs, and what npx and the shell set for this process, are not for one that stays.
  const { COUNTERSIGN_TOKEN: _, NODE_OPTIONS: __, npm_command: ___, ...rest } = environment;
  const child = spawn(program, [...args, '--quiet'], {
    env: { ...rest, COUNTERSIGN_RECORDER: home.folder, MALLOC_ARENA_MAX: '2' },
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let said = '';
  let hasEnded = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MOST_SAID);
  });
  child.once('error', ({ message }) => {
    said = message;
    hasEnded = true;
  });
  // Not `exit`: what it said last may come after that.
  child.once('close', () => {
    hasEnded = true;
  });
  try {
    // Another one may have been quicker: this one ends then, and that one answers.
    const status = await answerOf(home, START_MS, () => hasEnded);
    if (status !== null) return status.pid === child.pid ? 'started' : 'running';
  } finally {
    child.unref();
    child.stderr.destroy();
  }
  const why = said.trim() === '' ? `it does not answer on ${home.socket}` : said.trim().replace(/\s+/g, ' ');
  throw new RecordError('RECORDER_AWAY', `the recorder could not be started: ${why}`);
}
