import {
  type Body,
  exitCodeIn,
  type Field,
  json,
  members,
  object,
  text,
  time,
  toolOf,
} from '../../actions/tools/index.ts';
import { fileText, HOOK_TIMEOUT_S, type ProgramDescription, shellWord } from './description.ts';
import { type Ending, failed, succeeded } from './hook-ending.ts';
import { HookEvent } from './hook-event.ts';
import { noteName, otherMembers } from './other-members.ts';
import type { Reader } from './reader.ts';

/**
 * GitHub Copilot CLI's hooks (1.0.102), which have two forms: names like PreToolUse get snake_case with the name of the event in it,
 * names like preToolUse get camelCase without.
 */
/** Its versions say the one or the other. */
const textOrError: Field<string | { readonly name: string | undefined; readonly message: string | undefined }> = (
  value,
) => text(value) ?? object({ name: text, message: text })(value);

const hookOf = members({
  hook_event_name: text,
  hookName: text,
  session_id: text,
  sessionId: text,
  timestamp: time,
  cwd: text,
  traceparent: text,
  transcript_path: text,
  tool_name: text,
  toolName: text,
  tool_input: json,
  toolArgs: json,
  toolInput: json,
  tool_result: object({ result_type: text, text_result_for_llm: text }),
  toolResult: object({ resultType: text, textResultForLlm: text }),
  error: textOrError,
  prompt: json,
  source: text,
  reason: text,
});

const readCopilot: Reader = (body, run) => {
  const hook = hookOf(body);
  const name = hook.hook_event_name ?? hook.hookName ?? eventOf(body);
  const facts = {
    event: name,
    at: hook.timestamp,
    session: hook.session_id ?? hook.sessionId,
    cwd: hook.cwd,
    traceparent: hook.traceparent,
  };
  const event = new HookEvent(facts, run);
  const call = {
    tool: toolOf(hook.tool_name ?? hook.toolName),
    input: hook.tool_input ?? hook.toolArgs ?? hook.toolInput,
  };
  const error = typeof hook.error === 'string' ? { message: hook.error } : hook.error;
  switch (name.charAt(0).toUpperCase() + name.slice(1)) {
    case 'PreToolUse':
      return [event.call('proposed', call)];
    case 'PostToolUse': {
      const shown = hook.tool_result?.text_result_for_llm ?? hook.toolResult?.textResultForLlm;
      const ending = endingOf(hook.tool_result?.result_type ?? hook.toolResult?.resultType, shown);
      return [event.call(ending.stage, { ...call, ...ending, output: shown })];
    }
    case 'PostToolUseFailure': {
      const type = error !== undefined && 'name' in error ? error.name : undefined;
      const ending = failed({ type, message: error?.message });
      return [event.call(ending.stage, { ...call, ...ending })];
    }
    case 'UserPromptSubmit':
    case 'UserPromptSubmitted':
      return [event.told([{ kind: 'user', value: hook.prompt ?? '' }])];
    case 'SessionStart':
      return [event.session('session_started', hook.source)];
    case 'SessionEnd':
      return [event.session('session_ended', hook.reason)];
    default:
      // permissionRequest among them: it comes for every call, also where nobody is asked, and with another input than the call's.
      return [
        new HookEvent({ ...facts, extra: { ...otherMembers(body), tool: hook.tool_name ?? hook.toolName } }, run).note(
          noteName(name),
        ),
      ];
  }
};

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
    default:
      return succeeded(exitCodeIn(shown, 'copilot'));
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
