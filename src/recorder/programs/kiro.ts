import { flag, isMcpError, json, members, text, toolOf } from '../../actions/tools/index.ts';
import { type ExactJson, isMembers } from '../../protocol/light.ts';
import { fileText, HOOK_TIMEOUT_S, type ProgramDescription, shellWord } from './description.ts';
import { CARRIED_OUT, type Ending, failed, succeeded } from './hook-ending.ts';
import { HookEvent } from './hook-event.ts';
import { noteName, otherMembers } from './other-members.ts';
import type { Reader } from './reader.ts';

/** The hooks of Kiro's command line and of its IDE, as their documentation has them. Before version 3 the command line names no session. */
const hookOf = members({
  hook_event_name: text,
  session_id: text,
  cwd: text,
  tool_name: text,
  tool_use_id: text,
  tool_input: json,
  tool_response: json,
  prompt: json,
  reason: text,
});

const responseOf = members({ success: flag, error: text });

const readKiro: Reader = (body, run) => {
  const hook = hookOf(body);
  const name = hook.hook_event_name ?? '';
  const facts = { event: name, session: hook.session_id, cwd: hook.cwd };
  const event = new HookEvent(facts, run);
  const call = { tool: toolOf(hook.tool_name), callId: hook.tool_use_id, input: hook.tool_input };
  switch (name.charAt(0).toLowerCase() + name.slice(1)) {
    case 'preToolUse':
      return [event.call('proposed', call)];
    case 'postToolUse': {
      const ending = endingOf(hook.tool_response);
      return [event.call(ending.stage, { ...call, ...ending, output: hook.tool_response })];
    }
    case 'userPromptSubmit':
      return [event.told([{ kind: 'user', value: hook.prompt ?? '' }])];
    case 'agentSpawn':
    case 'sessionStart':
      return [event.session('session_started', undefined)];
    default:
      return [new HookEvent({ ...facts, extra: otherMembers(body) }, run).note(noteName(name))];
  }
};

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
