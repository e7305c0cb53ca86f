import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../protocol/light.ts';
import type { AgentFacts } from '../base/agent-file.ts';
import { recorderHome } from '../base/home.ts';
import { type ProgramId, programName } from '../base/programs.ts';
import { scriptPath } from '../install/folders.ts';
import { type Surroundings, scriptOptions } from '../install/install.ts';
import { SETUPS } from '../install/programs/setups.ts';
import { hookScript } from '../listen/hook-script.ts';
import { missedLines } from './connected.ts';
import { type Finding, finding } from './finding.ts';

/** Longer than a hook waits, and a recorder takes to start. */
const PATIENCE_MS = 30_000;

/** The name of the event, which no program has: it is recorded as a note. */
const CANARY = 'CountersignDoctor';

/** What a hook's script did. */
interface Tried {
  /** Null where it was stopped. */
  readonly code: number | null;
  readonly stderr: string;
}

/** Sends an event through the installed script, and looks whether it arrived: what is lost the script notes as missed. */
export async function tryRecording(around: Surroundings, feed: ProgramId): Promise<Finding[]> {
  if (feed === 'opencode') return [];
  const before = missedLines(around.home, feed);
  const { code, stderr } = await runScript(scriptPath(around.home, feed), around);
  if (code === 0 && missedLines(around.home, feed) <= before) {
    return [finding(feed, 'CANARY_RECORDED', 'an event sent through the installed script was recorded')];
  }
  const said = stderr.trim() === '' ? '' : `: ${stderr.trim()}`;
  return [
    finding(
      feed,
      'CANARY_LOST',
      `an event sent through the installed script was not recorded (exit code ${code ?? 'none'})${said}`,
    ),
  ];
}

/** Runs the same script for a recorder that neither is there nor can be started. */
export async function tryWithoutRecorder(around: Surroundings, feed: ProgramId, agent: AgentFacts): Promise<Finding[]> {
  const { failure } = SETUPS[feed];
  const policy = agent.on_failure;
  const host = `${programName(feed)} ${failure}`;
  if (feed === 'opencode')
    return [finding(feed, policy === 'block' ? 'FAILS_CLOSED' : 'FAILS_OPEN', `not tried; ${host}`)];
  const folder = await mkdtemp(join(tmpdir(), 'countersign-doctor-'));
  try {
    const home = recorderHome({ COUNTERSIGN_RECORDER: folder });
    const path = join(folder, 'hook');
    const start = around.home.isSystem ? null : ['false'];
    const text = hookScript({ ...scriptOptions(around, feed), home, start, onFailure: policy });
    await writeFile(path, text);
    await chmod(path, 0o700);
    const { code } = await runScript(path, around);
    const expected = policy === 'block' ? 2 : 0;
    if (code !== expected) {
      return [
        finding(
          feed,
          'POLICY_NOT_KEPT',
          `without a recorder the script ends with ${code ?? 'a signal'}, and should with ${expected}`,
        ),
      ];
    }
    return policy === 'block'
      ? [finding(feed, 'FAILS_CLOSED', `without a recorder the script ends with 2, which blocks the action; ${host}`)]
      : [
          finding(
            feed,
            'FAILS_OPEN',
            `without a recorder the script lets the action run, and notes it as missed; ${host}`,
          ),
        ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runScript(path: string, { environment, cwd }: Surroundings): Promise<Tried> {
  const child = spawn(path, { env: environment, cwd, stdio: ['pipe', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(0, 1000);
  });
  // A script that reads nothing ends all the same, and its code says what it did.
  child.stdin.on('error', () => child.stdin.destroy());
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const event = { hook_event_name: CANARY, event_type: CANARY, session_id: `doctor-${randomUUID()}`, cwd };
  child.stdin.end(JSON.stringify(event));
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stderr };
  } catch (error) {
    return { code: null, stderr: messageOf(error) };
  } finally {
    clearTimeout(timer);
  }
}
