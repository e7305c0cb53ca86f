import { flag, isMcpError, members, text } from '../../actions/tools/index.ts';
import { type ExactJson, isMembers } from '../../protocol/light.ts';
import { fileText, HOOK_TIMEOUT_S, type ProgramDescription, shellWord } from './description.ts';
import { CARRIED_OUT, type Ending, failed, succeeded } from './hook-ending.ts';
import { closed, hookReader, type Moment, prompted, proposed } from './hook-reader.ts';

const responseOf = members({ success: flag, error: text });

const begun: Moment<unknown> = ({ event }) => [event.session('session_started', undefined)];

/** The hooks of Kiro's command line and of its IDE, as their documentation has them. Before version 3 the command line names no session. */
const FIELDS = { tool_use_id: text };

const readKiro = hookReader({
  fields: FIELDS,
  call: (hook) => ({ callId: hook.tool_use_id }),
  isWrittenInTwoWays: true,
  moments: {
    PreToolUse: proposed,
    PostToolUse: (told) => {
      const { tool_response: output } = told.hook;
      return [closed(told, told.event, endingOf(output), { output })];
    },
    UserPromptSubmit: prompted,
    AgentSpawn: begun,
    SessionStart: begun,
  },
});

/** Its command line says `success`, its IDE nothing. */
function endingOf(response: ExactJson | undefined): Ending {
  if (!isMembers(response)) return CARRIED_OUT;
  const { success, error } = responseOf(response);
  if (success === false || error !== undefined || isMcpError(response)) return failed({ message: error });
  return success === true ? succeeded() : CARRIED_OUT;
}

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'];

/** Kiro CLI 3 and Kiro IDE 1 read the same folder: one file for both, recorded as whichever was installed. */
function kiro(binary: string | null, notes: readonly string[]): ProgramDescription {
  return {
    read: readKiro,
    prints: '',
    binary,
    events: EVENTS,
    settings: {
      user: { variable: null, folder: ['.kiro'], file: ['hooks', 'countersign.json'] },
      project: ['.kiro', 'hooks', 'countersign.json'],
      form: {
        kind: 'own-files',
        content: ({ script }) => {
          const hooks = EVENTS.map((trigger) => ({
            name: `countersign-${trigger}`,
            trigger,
            ...(trigger.endsWith('ToolUse') ? { matcher: '.*' } : {}),
            action: { type: 'command', command: shellWord(script) },
            timeout: HOOK_TIMEOUT_S,
            enabled: true,
          }));
          return fileText({ version: 'v1', hooks });
        },
      },
    },
    failure: 'by its documentation a hook before a tool blocks it by any code but 0; that it does was not tried',
    notes: ['Not run with Kiro itself: after its documentation.', ...notes],
  };
}

export const kirocli = kiro('kiro-cli', [
  'Kiro CLI 2 reads hooks from the file of an agent alone (.kiro/agents/NAME.json): add the script there as preToolUse and postToolUse.',
]);
export const kiroide = kiro(null, ['Hooks of Kiro IDE before 1.0 are told nothing of what the agent does.']);
