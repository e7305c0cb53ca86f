import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { AgentError } from '../../agent/index.ts';
import { hasCode, messageOf } from '../../protocol/light.ts';
import { type AgentFacts, readAgentFacts } from '../base/agent-file.ts';
import { type RecorderHome, recorderHome } from '../base/home.ts';
import { type FeedId, isProgramId, type ProgramId, programName } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import { readConfigFile } from '../install/config/config-file.ts';
import { hookedEvents } from '../install/config/json-hooks.ts';
import { TextUnusable } from '../install/config/json-text.ts';
import { scriptPath } from '../install/folders.ts';
import { installedAgent, type Surroundings, scriptOptions } from '../install/install.ts';
import { isRefusal, ServiceCalls } from '../install/service-calls.ts';
import { askRecorder } from '../listen/ask-recorder.ts';
import { lossText, lostPlace } from '../listen/ask-status.ts';
import { hookScript } from '../listen/hook-script.ts';
import { leftCount } from '../listen/left-events.ts';
import { DESCRIPTIONS } from '../programs/described.ts';
import { shellWord } from '../programs/description.ts';
import { configured, runnable, scripted } from './configured.ts';
import { type Finding, finding } from './finding.ts';
import { switchedOff } from './switched-off.ts';

/** Whether the service is there, is the same, and takes the recorder's token. */
async function served({ feed, service_url, service_kid, token, agent_id }: AgentFacts): Promise<Finding[]> {
  try {
    const kid = await new ServiceCalls(service_url).serviceKid();
    if (kid !== service_kid) {
      const text = `${service_url} signs with the key ${kid}, and signed with ${service_kid} at installation: compare its fingerprint, then install with --service-key`;
      return [finding(feed, 'SERVICE_KEY_CHANGED', text)];
    }
    // Where the person cannot have it, the recorder tells whether the service takes it.
    if (token !== null) await new ServiceCalls(service_url, token).call('agentHead', { params: { agent_id } });
    return [];
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    const code = isRefusal(error, 'SERVICE_UNAVAILABLE')
      ? 'SERVICE_AWAY'
      : isRefusal(error, 'UNAUTHORIZED') || isRefusal(error, 'FORBIDDEN')
        ? 'TOKEN_REFUSED'
        : 'AGENT_REFUSED';
    return [finding(feed, code, `${service_url}: ${error.message}`)];
  }
}

const stopped = z.looseObject({ code: z.string(), message: z.string() }).nullable();
const status = z.looseObject({
  agents: z.array(z.looseObject({ agent_id: z.string(), stopped, losses: z.array(lostPlace).default([]) })),
});

const REFUSALS: ReadonlySet<string> = new Set(['AGENT_FROZEN', 'KEY_REVOKED', 'UNKNOWN_AGENT']);

/** Whether a recorder runs, and what it says of the agent. */
async function recording(home: RecorderHome, { feed, agent_id }: AgentFacts): Promise<Finding[]> {
  try {
    const { data } = status.safeParse(await askRecorder(home, '/v1/status'));
    const agent = data?.agents.find((one) => one.agent_id === agent_id);
    const lost = (agent?.losses ?? []).map((one) =>
      finding(feed, 'EVENTS_LOST', `in the last 7 days: ${lossText(one)}`),
    );
    const refusal = agent?.stopped;
    if (!refusal) return lost;
    const code = REFUSALS.has(refusal.code)
      ? 'AGENT_REFUSED'
      : refusal.code === 'UNAUTHORIZED'
        ? 'TOKEN_REFUSED'
        : null;
    return code === null
      ? lost
      : [...lost, finding(feed, code, `the service takes no records of ${agent_id}: ${refusal.message}`)];
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    const next = home.isSystem
      ? `its socket ${home.socket} does not answer: ask systemctl status 'countersign-recorder@*'`
      : 'no recorder runs; the next hook starts one';
    return [finding(feed, home.isSystem ? 'SYSTEM_AWAY' : 'RECORDER_AWAY', next)];
  }
}

/** How many events of a feed did not reach a recorder and are not recorded as a gap yet. */
function missedLines(home: RecorderHome, feed: FeedId): number {
  try {
    return readFileSync(join(home.missed, feed), 'utf8').split('\n').length - 1;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0;
    throw error;
  }
}

/** Longer than a hook waits, and a recorder takes to start. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 100;

/** The name of the event, which no program has: it is recorded as a note. */
const CANARY = 'CountersignDoctor';

/** What a hook's script did. */
interface Tried {
  /** Null where it was stopped. */
  readonly code: number | null;
  readonly stderr: string;
}

/** Sends an event through the installed script, and looks whether it arrived: what is lost the script notes as missed. */
async function tryRecording(around: Surroundings, feed: ProgramId): Promise<Finding[]> {
  if (DESCRIPTIONS[feed].isPlugin) return [];
  const before = missedLines(around.home, feed);
  const { code, stderr } = await runScript(scriptPath(around.home, feed), around);
  await takenUp(around.home, feed);
  if (code === 0 && missedLines(around.home, feed) <= before && leftCount(around.home, feed) === 0) {
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

/** Waits for the recorder that the script has started, where it left the event for one. */
async function takenUp(home: RecorderHome, feed: ProgramId): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  while (leftCount(home, feed) > 0 && Date.now() < until) await pause(LOOK_MS);
}

/** Runs the same script for a recorder that neither is there nor can be started. */
async function tryWithoutRecorder(around: Surroundings, feed: ProgramId, agent: AgentFacts): Promise<Finding[]> {
  const { failure, isPlugin } = DESCRIPTIONS[feed];
  const policy = agent.on_failure;
  const host = `${programName(feed)} ${failure}`;
  if (isPlugin) return [finding(feed, policy === 'block' ? 'FAILS_CLOSED' : 'FAILS_OPEN', `not tried; ${host}`)];
  const folder = await mkdtemp(join(tmpdir(), 'countersign-doctor-'));
  try {
    const home = recorderHome({ COUNTERSIGN_RECORDER: folder });
    const path = join(folder, 'hook');
    const start = around.home.isSystem ? null : ['false'];
    const text = hookScript({
      ...scriptOptions(around, feed),
      home,
      start,
      onFailure: policy,
      threshold: agent.threshold,
    });
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
            `without a recorder the script lets the action run, and leaves or notes it for the next one; ${host}`,
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

/**
 * Cursor and Copilot run the hooks of Claude Code's settings as well. Where a program has our hooks in its own settings, the recorder leaves
 * out what comes through Claude Code's; where it has none, its actions are recorded as those of Claude Code's agent.
 */
async function otherReaders(around: Surroundings, feed: ProgramId): Promise<Finding[]> {
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

/**
 * Examines what is installed for a program: by looking, by asking the service and the recorder, and by trying.
 * @param tries whether the hook's script is run, which leaves a note among the agent's records
 */
export async function examine(around: Surroundings, feed: FeedId, tries = true): Promise<Finding[]> {
  let agent: AgentFacts;
  try {
    agent = readAgentFacts(around.home, feed);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return [finding(feed, error.code === 'NOT_INSTALLED' ? 'NOT_INSTALLED' : 'FOLDER_UNUSABLE', error.message)];
  }
  const found: Finding[] = [];
  if (isProgramId(feed)) {
    found.push(...(await configured(around, feed, agent)));
    found.push(...(await switchedOff(around, feed)));
    found.push(...(await otherReaders(around, feed)));
    found.push(...(await runnable(around, feed)));
    const script = await scripted(around, feed, agent);
    found.push(...script);
    const isThere = !script.some(({ code }) => code === 'SCRIPT_MISSING');
    if (tries && isThere) found.push(...(await tryRecording(around, feed)));
    if (tries) found.push(...(await tryWithoutRecorder(around, feed, agent)));
  }
  found.push(...(await served(agent)));
  found.push(...(await recording(around.home, agent)));
  const missed = missedLines(around.home, feed);
  if (missed > 0)
    found.push(finding(feed, 'EVENTS_MISSED', `${missed} events did not reach a recorder: it records them as a gap`));
  return found.filter(
    ({ code }, at) => !SAID_TWICE.has(code) || found.findIndex((other) => other.code === code) === at,
  );
}

/** The service and the recorder both tell of it. */
const SAID_TWICE: ReadonlySet<string> = new Set(['TOKEN_REFUSED', 'AGENT_REFUSED']);
