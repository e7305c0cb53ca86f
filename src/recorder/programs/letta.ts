import { exitCodeIn, json, list, object, text } from '../../actions/tools/index.ts';
import { HOOK_TIMEOUT_S, hookGroup, type ProgramDescription } from './description.ts';
import { failed, succeeded } from './hook-ending.ts';
import { asked, closed, ended, hookReader, prompted, proposed, started } from './hook-reader.ts';

/** Letta Code's hooks (0.25.9 to 0.32.18), which it calls deprecated. Without a terminal it names no session, only its agent. */
const FIELDS = {
  event_type: text,
  conversation_id: text,
  agent_id: text,
  working_directory: text,
  tool_call_id: text,
  tool_result: object({ status: text, output: json }),
  error_message: text,
  error_type: text,
};

const readLetta = hookReader({
  fields: FIELDS,
  event: (hook) => hook.event_type ?? hook.hook_event_name,
  facts: (hook) => ({
    session: hook.session_id ?? hook.conversation_id ?? hook.agent_id,
    cwd: hook.working_directory,
  }),
  extra: (hook) => ({ letta_agent_id: hook.agent_id }),
  call: (hook) => ({ callId: hook.tool_call_id }),
  moments: {
    PreToolUse: proposed,
    PermissionRequest: asked,
    PostToolUse: (told) => {
      const { output, status } = told.hook.tool_result ?? {};
      const message = typeof output === 'string' ? output : undefined;
      const ending = status === 'error' ? failed({ message, exitCode: exitCodeIn(message, 'first') }) : succeeded();
      return [closed(told, told.event, ending, { output })];
    },
    // PostToolUse has come for the same failure.
    PostToolUseFailure: (told) => {
      const { agent_id, error_message, error_type } = told.hook;
      const message = textOf(error_message);
      const event = told.withExtra({ letta_agent_id: agent_id, error_type });
      return [closed(told, event, failed({ message, exitCode: exitCodeIn(message, 'first') }))];
    },
    UserPromptSubmit: prompted,
    SessionStart: started,
    SessionEnd: ended,
  },
});

const partsOf = list(object({ text }));

/** The text of a message that may be a list of parts, written as JSON. */
function textOf(message: string | undefined): string | undefined {
  if (message === undefined || !message.startsWith('[')) return message;
  try {
    const texts = partsOf(JSON.parse(message))?.map((part) => part.text);
    return texts === undefined || texts.includes(undefined) ? message : texts.join('');
  } catch {
    // No such list: the message as it is.
    return message;
  }
}

export const letta: ProgramDescription = {
  read: readLetta,
  prints: '',
  binary: 'letta',
  events: [
    'SessionStart',
    'SessionEnd',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PermissionRequest',
    'SubagentStop',
  ],
  settings: {
    user: { variable: null, folder: ['.letta'], file: ['settings.json'] },
    project: ['.letta', 'settings.local.json'],
    form: { kind: 'json-hooks', entry: (event, context) => hookGroup(event, context, HOOK_TIMEOUT_S * 1000) },
  },
  failure: 'runs the tool unless the hook exits with 2',
  notes: [
    'Without a terminal it tells only of tools: no session, no prompt.',
    'It calls its hooks deprecated, and runs them: of calls of unknown tools its mods alone are told.',
  ],
};
