import { isMcpError, json, members, text, toolOf } from '../../actions/tools/index.ts';
import { HOOK_TIMEOUT_S, hookGroup, type ProgramDescription } from './description.ts';
import { CARRIED_OUT, failed, succeeded } from './hook-ending.ts';
import { HookEvent } from './hook-event.ts';
import { noteName, otherMembers } from './other-members.ts';
import type { Reader } from './reader.ts';

/** Codex CLI's hooks (0.169.0). */
const hookOf = members({
  hook_event_name: text,
  session_id: text,
  turn_id: text,
  cwd: text,
  model: text,
  permission_mode: text,
  agent_id: text,
  agent_type: text,
  transcript_path: text,
  tool_name: text,
  tool_use_id: text,
  tool_input: json,
  tool_response: json,
  prompt: json,
  source: text,
  reason: text,
});

const readCodex: Reader = (body, run) => {
  const hook = hookOf(body);
  const name = hook.hook_event_name ?? '';
  const facts = {
    event: name,
    session: hook.session_id,
    subAgent: hook.agent_id,
    subAgentType: hook.agent_type,
    model: hook.model,
    cwd: hook.cwd,
  };
  const start = name === 'SessionStart' || name === 'SessionEnd';
  const event = new HookEvent(
    {
      ...facts,
      extra: {
        turn_id: hook.turn_id,
        permission_mode: hook.permission_mode,
        ...(start && { transcript_path: hook.transcript_path }),
      },
    },
    run,
  );
  const call = { tool: toolOf(hook.tool_name), callId: hook.tool_use_id, input: hook.tool_input };
  switch (name) {
    case 'PreToolUse':
      return [event.call('proposed', call)];
    case 'PermissionRequest':
      // As with Claude Code: the answer is not told.
      return [event.note('permission_request', hook.tool_name)];
    case 'PostToolUse': {
      const ending = endingOf(call.tool.type === 'mcp', hook.tool_response);
      return [event.call(ending.stage, { ...call, ...ending, output: hook.tool_response })];
    }
    case 'UserPromptSubmit':
      return [event.told([{ kind: 'user', value: hook.prompt ?? '' }])];
    case 'SessionStart':
      return [hook.source === 'compact' ? event.note('compacted') : event.session('session_started', hook.source)];
    case 'SessionEnd':
      return [event.session('session_ended', hook.reason)];
    default:
      return [new HookEvent({ ...facts, extra: otherMembers(body) }, run).note(noteName(name))];
  }
};

/** Codex gives only the output of the tools that are its own, and no word on how they ended; MCP tools say so themselves. */
function endingOf(mcp: boolean, response: Parameters<typeof isMcpError>[0]) {
  if (!mcp) return CARRIED_OUT;
  return isMcpError(response) ? failed({}) : succeeded();
}

export const codex: ProgramDescription = {
  read: readCodex,
  prints: '{}',
  binary: 'codex',
  events: [
    'SessionStart',
    'SessionEnd',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PermissionRequest',
    'SubagentStart',
    'SubagentStop',
  ],
  settings: {
    user: { variable: { name: 'CODEX_HOME', stands: 'folder' }, folder: ['.codex'], file: ['hooks.json'] },
    project: ['.codex', 'hooks.json'],
    form: { kind: 'json-hooks', entry: (event, context) => hookGroup(event, context, HOOK_TIMEOUT_S) },
  },
  failure: 'runs the tool unless the hook exits with 2: also where the script is missing or not trusted',
  notes: ['Codex runs a hook only once it is trusted, and skips it without a word before.'],
};
