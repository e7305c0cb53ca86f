import { isMcpError, text } from '../../actions/tools/index.ts';
import { HOOK_TIMEOUT_S, hookGroup, type ProgramDescription } from './description.ts';
import { CARRIED_OUT, failed, succeeded } from './hook-ending.ts';
import {
  askedUnanswered,
  closed,
  ended,
  hookReader,
  prompted,
  proposed,
  startedOrCompacted,
  transcriptOf,
} from './hook-reader.ts';

/** Codex CLI's hooks (0.169.0). */
const FIELDS = {
  turn_id: text,
  model: text,
  permission_mode: text,
  agent_id: text,
  agent_type: text,
  tool_use_id: text,
};

const readCodex = hookReader({
  fields: FIELDS,
  facts: (hook) => ({
    subAgent: hook.agent_id,
    subAgentType: hook.agent_type,
    model: hook.model,
  }),
  extra: ({ turn_id, permission_mode, transcript_path }, event) => ({
    turn_id,
    permission_mode,
    ...transcriptOf(event, transcript_path),
  }),
  call: (hook) => ({ callId: hook.tool_use_id }),
  moments: {
    PreToolUse: proposed,
    PermissionRequest: askedUnanswered,
    PostToolUse: (told) => {
      const { tool_response: output } = told.hook;
      return [closed(told, told.event, endingOf(told.call.tool.type === 'mcp', output), { output })];
    },
    UserPromptSubmit: prompted,
    SessionStart: startedOrCompacted,
    SessionEnd: ended,
  },
});

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
  notes: [
    'Codex runs a hook only once it is trusted, and skips it without a word before.',
    'With models that write code (Code Mode) the code is recorded, and each command and patch that it calls for, once. What it types into a running shell is in the code and in what the shell printed, and no call; of a command that a rule forbids nobody tells the end but the code.',
  ],
};
