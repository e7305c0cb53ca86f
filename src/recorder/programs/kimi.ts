import { exitCodeIn, json, members, number, object, text, toolOf } from '../../actions/tools/index.ts';
import type { SeenDecision } from '../seen/seen.ts';
import type { ProgramDescription } from './description.ts';
import { failed, succeeded } from './hook-ending.ts';
import { HookEvent } from './hook-event.ts';
import { noteName, otherMembers } from './other-members.ts';
import type { Reader } from './reader.ts';

/** Kimi Code's hooks (2.1.0). */
const hookOf = members({
  hook_event_name: text,
  session_id: text,
  agent_id: text,
  cwd: text,
  model: text,
  turn_id: number,
  tool_name: text,
  tool_call_id: text,
  tool_input: json,
  tool_output: text,
  error: object({ code: text, message: text }),
  decision: text,
  feedback: text,
  prompt: json,
  source: text,
  reason: text,
});

/** It gives a hook no more of an output, in UTF-16 units, and does not say where it cut one. */
const OUTPUT_CUT_AT = 2000;

const DECISIONS = new Map<string | undefined, SeenDecision['decision']>([
  ['approved', 'approved'],
  ['rejected', 'denied'],
  ['cancelled', 'expired'],
  ['error', 'expired'],
]);

const readKimi: Reader = (body, run) => {
  const hook = hookOf(body);
  const name = hook.hook_event_name ?? '';
  const facts = {
    event: name,
    session: hook.session_id,
    // Its own agent is called main.
    subAgent: hook.agent_id === 'main' ? undefined : hook.agent_id,
    turn: hook.turn_id,
    model: hook.model,
    cwd: hook.cwd,
  };
  const event = new HookEvent(facts, run);
  const call = { tool: toolOf(hook.tool_name), callId: hook.tool_call_id, input: hook.tool_input };
  switch (name) {
    case 'PreToolUse':
      return [event.call('proposed', call)];
    case 'PermissionRequest':
      return [event.call('asked', call)];
    case 'PermissionResult': {
      const decision = DECISIONS.get(hook.decision);
      if (decision === undefined) break;
      return [event.decision(call, decision, { kind: 'human', id: 'user' }, hook.feedback)];
    }
    case 'PostToolUse': {
      const ending = succeeded();
      const cut = hook.tool_output?.length === OUTPUT_CUT_AT ? { output_cut_by_program: true } : {};
      const ended = new HookEvent({ ...facts, extra: cut }, run);
      return [ended.call(ending.stage, { ...call, ...ending, output: hook.tool_output })];
    }
    case 'PostToolUseFailure': {
      const ending = failed({
        type: hook.error?.code,
        message: hook.error?.message,
        exitCode: exitCodeIn(hook.error?.message, 'kimi'),
        status: wasDenied(hook.error?.message) ? 'denied' : 'error',
      });
      return [event.call(ending.stage, { ...call, ...ending })];
    }
    case 'UserPromptSubmit':
      return [event.told([{ kind: 'user', value: hook.prompt ?? '' }])];
    case 'SessionStart':
      return [event.session('session_started', hook.source)];
    case 'SessionEnd':
      return [event.session('session_ended', hook.reason)];
  }
  return [new HookEvent({ ...facts, extra: otherMembers(body) }, run).note(noteName(name))];
};

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
