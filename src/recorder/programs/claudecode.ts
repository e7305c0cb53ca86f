import {
  exitCodeIn,
  flag,
  isMcpError,
  json,
  list,
  members,
  number,
  object,
  text,
  toolOf,
} from '../../actions/tools/index.ts';
import { type ExactJson, isMembers } from '../../protocol/light.ts';
import type { SeenCall } from '../seen/seen.ts';
import { HOOK_TIMEOUT_S, hookGroup, type ProgramDescription } from './description.ts';
import { CARRIED_OUT, type Ending, failed, succeeded } from './hook-ending.ts';
import { HookEvent } from './hook-event.ts';
import { noteName, otherMembers } from './other-members.ts';
import type { Reader } from './reader.ts';

/** Claude Code's hooks (2.1.330), also its HTTP hooks: their bodies are the same. */
const hookOf = members({
  hook_event_name: text,
  session_id: text,
  cwd: text,
  transcript_path: text,
  permission_mode: text,
  prompt_id: text,
  agent_id: text,
  agent_type: text,
  tool_name: text,
  tool_use_id: text,
  tool_input: json,
  tool_response: json,
  mcp_server: object({ name: text }),
  error: text,
  is_interrupt: flag,
  duration_ms: number,
  reason: text,
  source: text,
  prompt: json,
  tool_calls: list(object({ tool_name: text, tool_use_id: text, tool_input: json, tool_response: json })),
});

const readClaudeCode: Reader = (body, run) => {
  const hook = hookOf(body);
  const name = hook.hook_event_name ?? '';
  const start = name === 'SessionStart' || name === 'SessionEnd';
  const event = (extra: { readonly [member: string]: ExactJson | undefined }) =>
    new HookEvent(
      {
        event: name,
        session: hook.session_id,
        subAgent: hook.agent_id,
        subAgentType: hook.agent_type,
        cwd: hook.cwd,
        extra,
      },
      run,
    );
  const known = {
    prompt_id: hook.prompt_id,
    permission_mode: hook.permission_mode,
    ...(start && { transcript_path: hook.transcript_path }),
  };
  const told = event(known);
  const call = {
    tool: toolOf(hook.tool_name, hook.mcp_server && { server: hook.mcp_server.name }),
    callId: hook.tool_use_id,
    input: hook.tool_input,
    durationMs: hook.duration_ms,
  };
  switch (name) {
    case 'PreToolUse':
      return [told.call('proposed', call)];
    case 'PermissionRequest':
      // Nothing tells what was answered: as a question of the profile it would stand there as one that nobody decided.
      return [told.note('permission_request', hook.tool_name)];
    case 'PostToolUse': {
      const ending = isMcpError(hook.tool_response) ? failed({}) : succeeded();
      const ended = event({ ...known, ...cutByProgram(hook.tool_response) });
      return [ended.call(ending.stage, { ...call, ...ending, output: hook.tool_response })];
    }
    case 'PostToolUseFailure': {
      const status = hook.is_interrupt === true ? 'cancelled' : 'error';
      const exitCode = exitCodeIn(hook.error, 'first');
      const ending = failed({ status, exitCode, message: hook.error });
      return [told.call(ending.stage, { ...call, ...ending })];
    }
    case 'PermissionDenied': {
      // The rules of the mode that asks nobody, or a classifier: not a person.
      const ending = failed({ status: 'denied', message: hook.reason });
      const by = { kind: 'policy', id: 'permission-rules' } as const;
      return [told.decision(call, 'denied', by, hook.reason), told.call(ending.stage, { ...call, ...ending })];
    }
    case 'PostToolBatch':
      return (hook.tool_calls ?? []).map((one) => calledIn(one, told));
    case 'UserPromptSubmit':
      return [told.told([{ kind: 'user', value: hook.prompt ?? '' }])];
    case 'SessionStart':
      // After a compaction the program says it once more, of a session that continues.
      return [hook.source === 'compact' ? told.note('compacted') : told.session('session_started', hook.source)];
    case 'SessionEnd':
      return [told.session('session_ended', hook.reason)];
    default:
      return [event(otherMembers(body)).note(noteName(name))];
  }
};

/** Of an output beyond some 30,000 characters Claude Code gives the beginning, and names the file that has all of it. */
function cutByProgram(response: ExactJson | undefined): { readonly [member: string]: ExactJson } {
  const path = isMembers(response) ? response['persistedOutputPath'] : undefined;
  return typeof path === 'string' ? { output_cut_by_program: true } : {};
}

type BatchCall = NonNullable<ReturnType<typeof hookOf>['tool_calls']>[number];

/**
 * A call of a batch, which names all of them: also those that its rules denied, whose tool is unknown or whose input is invalid, and of which no
 * other hook tells. How such a call ended, the text for the model says.
 */
function calledIn(call: BatchCall, event: HookEvent): SeenCall {
  const { tool_name, tool_use_id, tool_input: input, tool_response: output } = call;
  const facts = { tool: toolOf(tool_name), callId: tool_use_id, input, output };
  const ending = endingIn(typeof output === 'string' ? output : '');
  return { ...event.call(ending.stage, { ...facts, ...ending }), again: true };
}

const ERROR = /^<tool_use_error>([\s\S]*?)(?:<\/tool_use_error>\s*)?$/;
const DENIAL = /^Permission to use \S+(?: with command [\s\S]*)? has been denied\b/;

function endingIn(said: string): Ending {
  const [, error] = ERROR.exec(said) ?? [];
  if (error !== undefined) return failed({ message: error });
  if (DENIAL.test(said)) return failed({ status: 'denied', message: said });
  const exitCode = exitCodeIn(said, 'first');
  return exitCode === undefined ? CARRIED_OUT : failed({ exitCode, message: said });
}

const EVENTS = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'PermissionDenied',
  'SubagentStart',
  'SubagentStop',
  'ConfigChange',
];

export const claudecode: ProgramDescription = {
  read: readClaudeCode,
  prints: '{}',
  binary: 'claude',
  events: EVENTS,
  settings: {
    user: {
      variable: { name: 'CLAUDE_CONFIG_DIR', stands: 'folder' },
      folder: ['.claude'],
      file: ['settings.json'],
    },
    // Not the project's settings.json, which is committed: the path of the script is of this machine.
    project: ['.claude', 'settings.local.json'],
    form: {
      kind: 'json-hooks',
      entry: (event, context) =>
        hookGroup(event, context, HOOK_TIMEOUT_S, context.blocksOnFailure ? { onFailure: 'block' } : {}),
    },
  },
  failure:
    'runs the tool unless the hook exits with 2; with --on-failure block its onFailure blocks a missing script too',
  notes: [],
};
