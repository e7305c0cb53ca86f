import {
  exitCodeIn,
  flag,
  isMcpError,
  json,
  list,
  members,
  number,
  object,
  openedJson,
  text,
  toolOf,
  touchedBy,
} from '../../actions/tools/index.ts';
import { type ExactJson, isMembers } from '../../protocol/light.ts';
import type { SeenTool, Touched } from '../seen/seen.ts';
import { type ProgramDescription, type SetupContext, shellWord } from './description.ts';
import { CARRIED_OUT, type Ending, failed, succeeded } from './hook-ending.ts';
import { HookEvent } from './hook-event.ts';
import { noteName, otherMembers } from './other-members.ts';
import type { Reader } from './reader.ts';

const call = object({ id: text, name: text, input: json, output: json, error: text, durationMs: number });

/** The hooks of Cline: its command line (3.0.65) names each call, its editor's extension, by its documentation, names none. */
const hookOf = members({
  hookName: text,
  clineVersion: text,
  timestamp: text,
  taskId: text,
  sessionContext: object({ rootSessionId: text }),
  workspaceRoots: list(text),
  agent_id: text,
  parent_agent_id: text,
  tool_call: call,
  tool_result: call,
  preToolUse: object({ toolName: text, parameters: json }),
  postToolUse: object({ toolName: text, parameters: json, result: json, success: flag, executionTimeMs: number }),
  userPromptSubmit: object({ prompt: json }),
  taskStart: object({ taskMetadata: object({ initialTask: json }) }),
  reason: text,
});

/** What both call an event. */
const EVENTS_OF_CLI = new Map<string | undefined, string>([
  ['agent_start', 'TaskStart'],
  ['agent_resume', 'TaskResume'],
  ['agent_abort', 'TaskCancel'],
  ['agent_end', 'TaskComplete'],
  ['agent_error', 'TaskError'],
  ['tool_call', 'PreToolUse'],
  ['tool_result', 'PostToolUse'],
  ['prompt_submit', 'UserPromptSubmit'],
  ['session_shutdown', 'SessionShutdown'],
]);

const readCline: Reader = (body, run) => {
  const hook = hookOf(body);
  const name = EVENTS_OF_CLI.get(hook.hookName) ?? hook.hookName ?? '';
  const isSubAgent = hook.parent_agent_id !== undefined;
  const facts = {
    event: hook.hookName ?? '',
    at: hook.timestamp,
    session: hook.sessionContext?.rootSessionId ?? hook.taskId,
    subAgent: isSubAgent ? hook.agent_id : undefined,
    programVersion: hook.clineVersion,
    cwd: hook.workspaceRoots?.[0],
  };
  const event = new HookEvent(facts, run);
  switch (name) {
    case 'PreToolUse':
      return [event.call('proposed', callOf(hook.tool_call, hook.preToolUse, facts.cwd))];
    case 'PostToolUse': {
      const { tool_result: result, postToolUse: told } = hook;
      const output = result?.output ?? (told?.result && openedJson(told.result));
      const isFailed = result?.error !== undefined || told?.success === false;
      const ending = isFailed ? failed({ message: result?.error }) : endingOf(output, result?.input);
      const durationMs = result?.durationMs ?? told?.executionTimeMs;
      return [event.call(ending.stage, { ...callOf(result, told, facts.cwd), ...ending, output, durationMs })];
    }
    case 'UserPromptSubmit':
      return [event.told([{ kind: 'user', value: hook.userPromptSubmit?.prompt ?? '' }])];
    // Of a sub-agent: its session is that of whoever began it.
    case 'TaskStart':
    case 'TaskResume':
      return [isSubAgent ? event.note(noteName(name)) : event.session('session_started', noteName(name))];
    case 'TaskComplete':
    case 'TaskCancel':
    case 'TaskError':
      return [isSubAgent ? event.note(noteName(name)) : event.session('session_ended', hook.reason ?? noteName(name))];
    default:
      return [new HookEvent({ ...facts, extra: otherMembers(body) }, run).note(noteName(name))];
  }
};

const part = object({ query: text, success: flag, error: text });
const given = members({ commands: list(text), files: list(object({ path: text })) });

/**
 * How a call ended by what it gave, since the hook calls each a success whose tool did not throw: its own tools give a part, or a list
 * of one for each command or file.
 */
function endingOf(output: ExactJson | undefined, input: ExactJson | undefined): Ending {
  if (isMcpError(output)) return failed({});
  const parts = list(part)(Array.isArray(output) ? output : [output ?? null]) ?? [];
  const [one, ...more] = parts.filter(({ query, success }) => query !== undefined && success === false);
  if (one === undefined) {
    const { commands, files } = given(isMembers(input) ? input : {});
    // Of a large output the last parts may be left out.
    return Array.isArray(output) && output.length < (commands ?? files ?? []).length ? CARRIED_OUT : succeeded();
  }
  const exitCode = more.length === 0 ? exitCodeIn(one.error, 'cline') : undefined;
  return failed({ message: one.error, status: STATUSES.find(([form]) => form.test(one.error ?? ''))?.[1], exitCode });
}

/** What it writes of a command that it ended itself. */
const STATUSES = [
  [/^Command failed: Command was aborted$/, 'cancelled'],
  [/^Command failed: Command timed out after \d+ms$/, 'timeout'],
] as const;

interface Told {
  readonly toolName?: string | undefined;
  readonly parameters?: ExactJson | undefined;
}

/** The extension gives its parameters as texts, which may be JSON. */
function callOf(named: ReturnType<typeof call>, told: Told | undefined, cwd: string | undefined) {
  const parameters = isMembers(told?.parameters)
    ? Object.fromEntries(Object.entries(told.parameters).map(([name, value]) => [name, openedJson(value)]))
    : told?.parameters;
  const tool = toolOf(named?.name ?? told?.toolName);
  const input = named?.input ?? parameters;
  return { tool, callId: named?.id, input, touched: touchedIn(tool, input, cwd) };
}

/** Its command line runs several commands, and reads several files, at once. */
function touchedIn(tool: SeenTool, input: ExactJson | undefined, cwd: string | undefined): readonly Touched[] {
  const { commands, files } = given(isMembers(input) ? input : {});
  const paths = files?.flatMap(({ path }) => path ?? []) ?? [];
  const one = paths.length > 0 ? { paths } : input;
  const each = commands === undefined ? [one] : commands.map((command) => ({ command }));
  return each.slice(0, 256).flatMap((value) => touchedBy(tool, value, cwd ?? null));
}

const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'TaskStart',
  'TaskResume',
  'TaskComplete',
  'TaskCancel',
  'TaskError',
];

/**
 * A file that Cline runs. It reads what the hook prints and not the code that it exits with: the file says the one by the other.
 * Unprintable characters, quotes and backslashes of a reason are left out, so that what it prints is JSON.
 */
function hookFile({ script, blocksOnFailure }: SetupContext): string {
  return `#!/bin/sh
# Made by "countersign record install cline", which makes it again. Runs ${JSON.stringify(script)}.
why=$(${shellWord(script)} 2>&1 >/dev/null)
if [ $? ${blocksOnFailure ? '-ne 0' : '-eq 2'} ]; then
  printf '{"cancel": true, "errorMessage": "%s"}\\n' "$(printf '%s' "$why" | tr -d '\\000-\\037"\\\\')"
else
  printf '{"cancel": false}\\n'
fi
`;
}

const [FIRST = '', ...FURTHER] = EVENTS;

export const cline: ProgramDescription = {
  read: readCline,
  prints: '{}',
  binary: 'cline',
  events: EVENTS,
  settings: {
    user: { variable: null, folder: ['Documents', 'Cline', 'Hooks'], file: [FIRST] },
    project: ['.clinerules', 'hooks', FIRST],
    form: {
      kind: 'own-files',
      isExecutable: true,
      content: hookFile,
      more: Object.fromEntries(FURTHER.map((event) => [event, hookFile])),
    },
  },
  failure: 'runs the tool unless the hook says otherwise; with --on-failure block also a missing script stops it',
  notes: [
    "In the editor's extension hooks are switched on in its settings (Enable Hooks); it was not run here, the command line was.",
    'Calls of tools that do not exist reach no hook.',
  ],
};
