import { type Body, exitCodeIn, type Field, json, object, text, time, toolOf } from '../../actions/tools/index.ts';
import { fileText, HOOK_TIMEOUT_S, type ProgramDescription, shellWord } from './description.ts';
import { CARRIED_OUT, type Ending, failed, succeeded } from './hook-ending.ts';
import { closed, ended, hookReader, prompted, proposed, started } from './hook-reader.ts';

/**
 * GitHub Copilot CLI's hooks (1.0.102), which have two forms: names like PreToolUse get snake_case with the name of the event in it,
 * names like preToolUse get camelCase without.
 */
/** Its versions say the one or the other. */
const textOrError: Field<string | { readonly name: string | undefined; readonly message: string | undefined }> = (
  value,
) => text(value) ?? object({ name: text, message: text })(value);

const FIELDS = {
  hookName: text,
  sessionId: text,
  timestamp: time,
  traceparent: text,
  toolName: text,
  toolArgs: json,
  toolInput: json,
  tool_result: object({ result_type: text, text_result_for_llm: text }),
  toolResult: object({ resultType: text, textResultForLlm: text }),
  error: textOrError,
};

const readCopilot = hookReader({
  fields: FIELDS,
  event: (hook, body) => hook.hook_event_name ?? hook.hookName ?? eventOf(body),
  facts: (hook) => ({
    at: hook.timestamp,
    session: hook.session_id ?? hook.sessionId,
    traceparent: hook.traceparent,
  }),
  call: (hook) => ({
    tool: toolOf(hook.tool_name ?? hook.toolName),
    input: hook.tool_input ?? hook.toolArgs ?? hook.toolInput,
  }),
  isWrittenInTwoWays: true,
  moments: {
    PreToolUse: proposed,
    PostToolUse: (told) => {
      const { tool_result: result, toolResult } = told.hook;
      const output = result?.text_result_for_llm ?? toolResult?.textResultForLlm;
      const ending = endingOf(result?.result_type ?? toolResult?.resultType, output);
      return [closed(told, told.event, ending, { output })];
    },
    PostToolUseFailure: (told) => {
      const { error } = told.hook;
      const ending = failed(
        typeof error === 'string' ? { message: error } : { type: error?.name, message: error?.message },
      );
      return [closed(told, told.event, ending)];
    },
    UserPromptSubmit: prompted,
    UserPromptSubmitted: prompted,
    SessionStart: started,
    SessionEnd: ended,
  },
  // permissionRequest among them: it comes for every call, also where nobody is asked, and with another input than the call's.
  other: ({ hook, withExtra }, name, kept) => [
    withExtra({ ...kept, tool: hook.tool_name ?? hook.toolName }).note(name),
  ],
});

/** The event of a body that does not name it. */
function eventOf(body: Body): string {
  const has = (member: string): boolean => Object.hasOwn(body, member);
  if (has('toolResult')) return 'postToolUse';
  if (has('toolName')) return has('error') ? 'postToolUseFailure' : 'preToolUse';
  if (has('stopReason')) return 'agentStop';
  if (has('initialPrompt') || has('source')) return 'sessionStart';
  if (has('prompt')) return 'userPromptSubmitted';
  if (has('error')) return 'errorOccurred';
  return has('reason') ? 'sessionEnd' : 'unnamed';
}

/** It reports a command that ends with another code than 0 as a success; the text for the model has the code. */
function endingOf(type: string | undefined, shown: string | undefined): Ending {
  switch (type) {
    case 'failure':
      return failed({ message: shown });
    case 'timeout':
      return failed({ status: 'timeout', message: shown });
    case 'denied':
    case 'rejected':
      return failed({ status: 'denied', message: shown });
    case 'cancelled':
    case 'aborted':
      return failed({ status: 'cancelled', message: shown });
    case 'success':
      return succeeded(exitCodeIn(shown, 'copilot'));
    default:
      return CARRIED_OUT;
  }
}

/** Not PermissionRequest, which comes for every call, also where nobody is asked. */
const EVENTS = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
];

export const copilot: ProgramDescription = {
  read: readCopilot,
  prints: '{}',
  binary: 'copilot',
  events: EVENTS,
  settings: {
    user: {
      variable: { name: 'COPILOT_HOME', stands: 'folder' },
      folder: ['.copilot'],
      file: ['hooks', 'countersign.json'],
    },
    project: ['.github', 'hooks', 'countersign.json'],
    form: {
      kind: 'own-files',
      content: ({ script }) => {
        const handler = { type: 'command', bash: shellWord(script), timeoutSec: HOOK_TIMEOUT_S };
        // The names in this form make the payloads say which event it is.
        return fileText({ version: 1, hooks: Object.fromEntries(EVENTS.map((event) => [event, [handler]])) });
      },
    },
  },
  failure: 'blocks the tool where the hook fails in any way but by taking too long, which lets it run',
  notes: [],
};
