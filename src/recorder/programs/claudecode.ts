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
import type { ExactJson } from '../../protocol/light.ts';
import { HOOK_TIMEOUT_S, hookGroup, type ProgramDescription } from './description.ts';
import { failed, succeeded } from './hook-ending.ts';
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
  tool_calls: list(object({ tool_name: text, tool_use_id: text })),
});

const MAX_CALLS = 256;

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
  const told = event({
    prompt_id: hook.prompt_id,
    permission_mode: hook.permission_mode,
    ...(start && { transcript_path: hook.transcript_path }),
  });
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
      return [told.call(ending.stage, { ...call, ...ending, output: hook.tool_response })];
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
      return [event({ calls: callsOf(hook.tool_calls ?? []) }).note('tool_batch')];
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

function callsOf(calls: readonly { tool_name?: string | undefined; tool_use_id?: string | undefined }[]): ExactJson {
  return calls
    .slice(0, MAX_CALLS)
    .map((call) => ({ call_id: call.tool_use_id ?? null, tool: toolOf(call.tool_name).name }));
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
