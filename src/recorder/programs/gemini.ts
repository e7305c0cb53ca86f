import { exitCodeIn, isMcpError, members, object, text, time, toolOf } from '../../actions/tools/index.ts';
import { type ExactJson, isMembers } from '../../protocol/light.ts';
import { HOOK_TIMEOUT_S, hookGroup, type ProgramDescription } from './description.ts';
import { type Ending, failed, succeeded } from './hook-ending.ts';
import { closed, ended, hookReader, prompted, proposed } from './hook-reader.ts';

const toolErrorOf = members({ type: text, message: text });

/** Gemini CLI's hooks (0.61.0). Of `mcp_context` the names alone: its command, arguments and environment may hold secrets. */
const FIELDS = { timestamp: time, mcp_context: object({ server_name: text, tool_name: text }) };

const readGemini = hookReader({
  fields: FIELDS,
  facts: (hook) => ({ at: hook.timestamp }),
  call: ({ tool_name, mcp_context: mcp }) => ({
    tool: toolOf(tool_name, mcp && { server: mcp.server_name, tool: mcp.tool_name }),
  }),
  moments: {
    BeforeTool: proposed,
    AfterTool: (told) => {
      const { tool_response: output } = told.hook;
      return [closed(told, told.event, endingOf(output, told.call.tool.type === 'shell'), { output })];
    },
    BeforeAgent: prompted,
    SessionStart: ({ hook, withExtra }) => [
      withExtra({ transcript_path: hook.transcript_path }).session('session_started', hook.source),
    ],
    SessionEnd: ended,
  },
});

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
