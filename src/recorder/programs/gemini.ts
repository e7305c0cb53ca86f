import { exitCodeIn, isMcpError, json, members, object, text, time, toolOf } from '../../actions/tools/index.ts';
import { type ExactJson, isMembers } from '../../protocol/light.ts';
import { HOOK_TIMEOUT_S, hookGroup, type ProgramDescription } from './description.ts';
import { type Ending, failed, succeeded } from './hook-ending.ts';
import { HookEvent } from './hook-event.ts';
import { noteName, otherMembers } from './other-members.ts';
import type { Reader } from './reader.ts';

/** Gemini CLI's hooks (0.61.0). Of `mcp_context` the names alone: its command, arguments and environment may hold secrets. */
const hookOf = members({
  hook_event_name: text,
  session_id: text,
  cwd: text,
  timestamp: time,
  transcript_path: text,
  tool_name: text,
  tool_input: json,
  tool_response: json,
  mcp_context: object({ server_name: text, tool_name: text }),
  prompt: json,
  source: text,
  reason: text,
});

const toolErrorOf = members({ type: text, message: text });

const readGemini: Reader = (body, run) => {
  const hook = hookOf(body);
  const name = hook.hook_event_name ?? '';
  const facts = { event: name, at: hook.timestamp, session: hook.session_id, cwd: hook.cwd };
  const event = new HookEvent(facts, run);
  const call = {
    tool: toolOf(
      hook.tool_name,
      hook.mcp_context && { server: hook.mcp_context.server_name, tool: hook.mcp_context.tool_name },
    ),
    input: hook.tool_input,
  };
  switch (name) {
    case 'BeforeTool':
      return [event.call('proposed', call)];
    case 'AfterTool': {
      const ending = endingOf(hook.tool_response, call.tool.type === 'shell');
      return [event.call(ending.stage, { ...call, ...ending, output: hook.tool_response })];
    }
    case 'BeforeAgent':
      return [event.told([{ kind: 'user', value: hook.prompt ?? '' }])];
    case 'SessionStart':
      return [
        new HookEvent({ ...facts, extra: { transcript_path: hook.transcript_path } }, run).session(
          'session_started',
          hook.source,
        ),
      ];
    case 'SessionEnd':
      return [event.session('session_ended', hook.reason)];
    default:
      return [new HookEvent({ ...facts, extra: otherMembers(body) }, run).note(noteName(name))];
  }
};

/** A failure comes as the response of a call like any other, in its member `error`; an exit code in the text for the model. */
function endingOf(response: ExactJson | undefined, shell: boolean): Ending {
  if (!isMembers(response)) return succeeded();
  const error = response['error'];
  if (typeof error === 'string') return failed({ message: error });
  if (isMembers(error)) return failed(toolErrorOf(error));
  if (isMcpError(response)) return failed({});
  const shown = response['llmContent'];
  return succeeded(shell && typeof shown === 'string' ? exitCodeIn(shown, 'gemini') : undefined);
}

export const gemini: ProgramDescription = {
  read: readGemini,
  prints: '{}',
  binary: 'gemini',
  events: ['SessionStart', 'SessionEnd', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'Notification'],
  settings: {
    user: { variable: { name: 'GEMINI_CLI_HOME', stands: 'home' }, folder: ['.gemini'], file: ['settings.json'] },
    project: ['.gemini', 'settings.json'],
    form: {
      kind: 'json-hooks',
      // Milliseconds here; without a name /hooks cannot switch it.
      entry: (event, context) => hookGroup(event, context, HOOK_TIMEOUT_S * 1000, { name: 'countersign' }),
    },
  },
  failure: 'runs the tool where the hook exits with 0 or 1, and blocks it for any other code and for a missing script',
  notes: [],
};
