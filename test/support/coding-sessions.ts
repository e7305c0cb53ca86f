/**
 * Sessions of a coding agent as a recorder records them: what Claude Code's hooks say of each goes through a real recorder to a
 * service. The same numbers make the same sessions.
 */
import { startRecorder } from '../../src/recorder/compose/start.ts';
import { planInstall } from '../../src/recorder/index.ts';
import { atEnd } from './cleanup.ts';
import { post } from './planted/doors.ts';
import { RecordedHome } from './recorded-home.ts';
import type { Account, TestService } from './service.ts';
import { until } from './until.ts';

type Ending =
  | { readonly is: 'done'; readonly response: object; readonly ms: number }
  | { readonly is: 'failed'; readonly error: string; readonly ms: number }
  | { readonly is: 'denied'; readonly reason: string }
  /** The session ended before the call did, or nobody knows. */
  | { readonly is: 'open' };

export interface CodingCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
  readonly ending: Ending;
  /** By which sub-agent; none where it is the session's own. */
  readonly subAgent?: string;
}

export interface CodingSession {
  readonly id: string;
  readonly prompt: string;
  readonly calls: readonly CodingCall[];
  readonly ends: boolean;
}

const PROJECT = '/srv/shop';
const TASKS = [
  'Fix the rounding of VAT in the invoice total',
  'Add a retry to the shipping client',
  'Why does the nightly import fail?',
  'Rename Customer to Account in the billing module',
  'Update the changelog for the next release',
  'Find out which tests are slow',
];
const FILES = ['src/invoice.ts', 'src/shipping/client.ts', 'src/import.ts', 'src/billing/account.ts', 'CHANGELOG.md'];
const HOSTS = ['docs.carrier.example', 'registry.example', 'paste.example.net'];

function done(response: object, ms: number): Ending {
  return { is: 'done', response, ms };
}

const read = (file: string, ms: number): CodingCall => ({
  tool: 'Read',
  input: { file_path: `${PROJECT}/${file}` },
  ending: done({ type: 'text', file: { filePath: `${PROJECT}/${file}`, content: `// ${file}\n` } }, ms),
});
const edit = (file: string, ms: number): CodingCall => ({
  tool: 'Edit',
  input: { file_path: `${PROJECT}/${file}`, old_string: 'Math.round(total)', new_string: 'roundHalfEven(total)' },
  ending: done({ filePath: `${PROJECT}/${file}` }, ms),
});
const shell = (command: string, ending: Ending, subAgent?: string): CodingCall => ({
  tool: 'Bash',
  input: { command, description: 'run' },
  ending,
  ...(subAgent === undefined ? {} : { subAgent }),
});
const web = (host: string, path: string): CodingCall => ({
  tool: 'WebFetch',
  input: { url: `https://${host}/${path}`, prompt: 'Summarize' },
  ending: done({ result: `A page of ${host}` }, 420),
});

/** Twenty-four sessions: most go well; in some a test fails, a command is denied, a sub-agent works, or a call never ends. */
export function codingSessions(): readonly CodingSession[] {
  return Array.from({ length: 24 }, (_, n) => {
    const file = FILES[n % FILES.length] ?? '';
    const failing: Ending = { is: 'failed', error: `Exit code 1\n${n % 3} tests failed`, ms: 5200 + n };
    const calls = [
      read(file, 8 + n),
      ...(n % 4 === 0 ? [web(HOSTS[(n / 4) % 2] ?? '', 'api')] : []),
      edit(file, 14 + n),
      shell('npm test', n % 3 === 1 ? failing : done({ stdout: 'all tests passed', stderr: '' }, 4100 + n)),
      ...(n % 3 === 1
        ? [edit(file, 12), shell('npm test', done({ stdout: 'all tests passed', stderr: '' }, 3900))]
        : []),
      ...(n % 5 === 0 ? [shell(`git push origin fix-${n}`, { is: 'denied', reason: 'pushing needs a person' })] : []),
      ...(n % 6 === 2
        ? [shell('grep -rn "TODO" src', done({ stdout: 'src/import.ts:12', stderr: '' }, 90), `sub-${n}`)]
        : []),
      // The one to be found: what it read goes to a host where nothing of it belongs.
      ...(n === 17
        ? [
            read('.env.production', 6),
            web('paste.example.net', 'upload'),
            shell('rm -rf node_modules/.cache', done({ stdout: '', stderr: '' }, 310)),
          ]
        : []),
      ...(n === 21 ? [shell('npm publish --dry-run', { is: 'open' })] : []),
    ];
    return { id: `coding-${String(n).padStart(2, '0')}`, prompt: TASKS[n % TASKS.length] ?? '', calls, ends: n !== 21 };
  });
}

/** What Claude Code's hooks are given, in order. */
function* bodiesOf({ id, prompt, calls, ends }: CodingSession): Generator<object> {
  const common = { session_id: id, cwd: PROJECT, permission_mode: 'default' };
  yield { ...common, hook_event_name: 'SessionStart', source: 'startup' };
  yield { ...common, hook_event_name: 'UserPromptSubmit', prompt };
  for (const [n, { tool, input, ending, subAgent }] of calls.entries()) {
    const inside = subAgent === undefined ? {} : { agent_id: subAgent, agent_type: 'general-purpose' };
    const call = { ...common, ...inside, tool_name: tool, tool_input: input, tool_use_id: `${id} call ${n}` };
    yield { ...call, hook_event_name: 'PreToolUse' };
    if (ending.is === 'done') {
      yield { ...call, hook_event_name: 'PostToolUse', tool_response: ending.response, duration_ms: ending.ms };
    } else if (ending.is === 'failed') {
      yield { ...call, hook_event_name: 'PostToolUseFailure', error: ending.error, duration_ms: ending.ms };
    } else if (ending.is === 'denied') yield { ...call, hook_event_name: 'PermissionDenied', reason: ending.reason };
  }
  if (ends) yield { ...common, hook_event_name: 'SessionEnd', reason: 'other' };
}

/**
 * Installs a recorder for Claude Code, lets it record sessions, and waits until the service has them all.
 * @returns the agent's id
 */
export async function recordCodingSessions(
  service: TestService,
  { client }: Account,
  sessions = codingSessions(),
): Promise<string> {
  const home = new RecordedHome();
  const given = { feed: 'claudecode', service: service.url, token: client.token ?? '', serviceKid: null } as const;
  const plan = await planInstall(home.around, {
    ...given,
    inProject: false,
    policy: { before: 'all', content: 'full' },
  });
  await plan.carryOut();
  const recorder = await startRecorder(home.around.home, {
    onError: (error) => {
      throw error;
    },
  });
  atEnd(() => recorder.close());
  for (const session of sessions) {
    for (const body of bodiesOf(session)) await post(home.around.home, '/v1/hook/claudecode', JSON.stringify(body));
  }
  const [agent] = recorder.status().agents;
  if (agent === undefined) throw new Error('no agent is installed');
  await until('all records to be sent', () => recorder.status().waiting === 0);
  return agent.agent_id;
}
