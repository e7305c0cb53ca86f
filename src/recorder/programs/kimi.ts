import { exitCodeIn, number, object, text } from '../../actions/tools/index.ts';
import type { SeenDecision } from '../seen/seen.ts';
import type { ProgramDescription } from './description.ts';
import { failed, succeeded } from './hook-ending.ts';
import { asked, closed, ended, hookReader, prompted, proposed, started } from './hook-reader.ts';

/** It gives a hook no more of an output, in UTF-16 units, and does not say where it cut one. */
const OUTPUT_CUT_AT = 2000;

const DECISIONS = new Map<string | undefined, SeenDecision['decision']>([
  ['approved', 'approved'],
  ['rejected', 'denied'],
  ['cancelled', 'expired'],
  ['error', 'expired'],
]);

/** Kimi Code's hooks (2.1.0). */
const FIELDS = {
  agent_id: text,
  model: text,
  turn_id: number,
  tool_call_id: text,
  tool_output: text,
  error: object({ code: text, message: text }),
  decision: text,
  feedback: text,
};

const readKimi = hookReader({
  fields: FIELDS,
  facts: (hook) => ({
    // Its own agent is called main.
    subAgent: hook.agent_id === 'main' ? undefined : hook.agent_id,
    turn: hook.turn_id,
    model: hook.model,
  }),
  call: (hook) => ({ callId: hook.tool_call_id }),
  moments: {
    PreToolUse: proposed,
    PermissionRequest: asked,
    PermissionResult: ({ hook, event, call }) => {
      const decision = DECISIONS.get(hook.decision);
      return decision && [event.decision(call, decision, { kind: 'human', id: 'user' }, hook.feedback)];
    },
    PostToolUse: (told) => {
      const { tool_output: output } = told.hook;
      const cut = output?.length === OUTPUT_CUT_AT ? { output_cut_by_program: true } : {};
      return [closed(told, told.withExtra(cut), succeeded(), { output })];
    },
    PostToolUseFailure: (told) => {
      const { code: type, message } = told.hook.error ?? {};
      const status = wasDenied(message) ? 'denied' : 'error';
      return [closed(told, told.event, failed({ type, message, exitCode: exitCodeIn(message, 'kimi'), status }))];
    },
    UserPromptSubmit: prompted,
    SessionStart: started,
    SessionEnd: ended,
  },
});

/** A call that was not carried out comes as a failure as well, and its message begins so. */
function wasDenied(message: string | undefined): boolean {
  return /^Tool "[^"\n]{1,256}" was (not run because |denied by permission (policy|rule))/.test(message ?? '');
}

export const kimi: ProgramDescription = {
  read: readKimi,
  prints: '',
  binary: 'kimi',
  events: [
    'SessionStart',
    'SessionEnd',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PermissionRequest',
    'PermissionResult',
    'SubagentStart',
    'SubagentStop',
  ],
  settings: {
    user: { variable: { name: 'KIMI_CODE_HOME', stands: 'folder' }, folder: ['.kimi-code'], file: ['config.toml'] },
    project: null,
    form: { kind: 'toml-hooks' },
  },
  failure: 'runs the tool unless the hook exits with 2: also where the script is missing',
  notes: ['With -p Kimi Code does not tell when a session ends.'],
};
