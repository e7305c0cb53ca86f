import {
  exitCodeIn,
  flag,
  isMcpError,
  json,
  list,
  number,
  object,
  type Read,
  text,
  toolOf,
} from '../../actions/tools/index.ts';
import { type ExactJson, isMembers } from '../../protocol/light.ts';
import type { SeenCall } from '../seen/seen.ts';
import { resultWithAbsolutePaths } from './claudecode-paths.ts';
import { HOOK_TIMEOUT_S, hookGroup, type ProgramDescription } from './description.ts';
import { CARRIED_OUT, type Ending, failed, succeeded } from './hook-ending.ts';
import type { HookEvent } from './hook-event.ts';
import {
  askedUnanswered,
  closed,
  denied,
  ended,
  hookReader,
  prompted,
  proposed,
  startedOrCompacted,
  transcriptOf,
  type Usual,
} from './hook-reader.ts';

/** Claude Code's hooks (2.1.330), also its HTTP hooks: their bodies are the same. */
const FIELDS = {
  permission_mode: text,
  prompt_id: text,
  agent_id: text,
  agent_type: text,
  tool_use_id: text,
  mcp_server: object({ name: text }),
  error: text,
  is_interrupt: flag,
  duration_ms: number,
  tool_calls: list(object({ tool_name: text, tool_use_id: text, tool_input: json, tool_response: json })),
};

type Hook = Usual & Read<typeof FIELDS>;

function knownOf({ prompt_id, permission_mode, transcript_path }: Hook, event: string) {
  return { prompt_id, permission_mode, ...transcriptOf(event, transcript_path) };
}

const readClaudeCode = hookReader({
  fields: FIELDS,
  facts: (hook) => ({ subAgent: hook.agent_id, subAgentType: hook.agent_type }),
  extra: knownOf,
  call: (hook) => ({
    tool: toolOf(hook.tool_name, hook.mcp_server && { server: hook.mcp_server.name }),
    callId: hook.tool_use_id,
    durationMs: hook.duration_ms,
  }),
  moments: {
    PreToolUse: proposed,
    PermissionRequest: askedUnanswered,
    PostToolUse: (told) => {
      const { hook, withExtra } = told;
      const { tool_response: response } = hook;
      const isStopped = isMembers(response) && response['interrupted'] === true;
      const ending = isStopped ? failed({ status: 'cancelled' }) : isMcpError(response) ? failed({}) : succeeded();
      const event = withExtra({ ...knownOf(hook, 'PostToolUse'), ...cutByProgram(response) });
      const output = resultWithAbsolutePaths(response, hook.cwd ?? null);
      return [closed(told, event, ending, { output })];
    },
    PostToolUseFailure: (told) => {
      const { error: message, is_interrupt } = told.hook;
      const status = is_interrupt === true ? 'cancelled' : 'error';
      return [closed(told, told.event, failed({ status, exitCode: exitCodeIn(message, 'first'), message }))];
    },
    // The rules of the mode that asks nobody, or a classifier: not a person.
    PermissionDenied: (told) => {
      const { reason } = told.hook;
      return denied(told, 'permission-rules', failed({ status: 'denied', message: reason }), reason);
    },
    PostToolBatch: ({ hook, event }) => (hook.tool_calls ?? []).map((one) => calledIn(one, event)),
    UserPromptSubmit: prompted,
    SessionStart: startedOrCompacted,
    SessionEnd: ended,
  },
});

/** Of an output beyond some 30,000 characters Claude Code gives the beginning, and names the file that has all of it. */
function cutByProgram(response: ExactJson | undefined): { readonly [member: string]: ExactJson } {
  const path = isMembers(response) ? response['persistedOutputPath'] : undefined;
  return typeof path === 'string' ? { output_cut_by_program: true } : {};
}

type BatchCall = NonNullable<Hook['tool_calls']>[number];

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
