import { json, members, number, object, text, toolOf, touchedBy } from '../../actions/tools/index.ts';
import { type ProgramDescription, shellWord } from './description.ts';
import { CARRIED_OUT, succeeded } from './hook-ending.ts';
import { HookEvent } from './hook-event.ts';
import { noteName, otherMembers } from './other-members.ts';
import type { Reader } from './reader.ts';

/** The hooks of Windsurf's Cascade, as its documentation has them. They name a trajectory, and no call. */
const hookOf = members({
  agent_action_name: text,
  trajectory_id: text,
  timestamp: text,
  model_name: text,
  tool_info: object({
    command_line: text,
    cwd: text,
    exit_code: number,
    output: json,
    file_path: text,
    edits: json,
    content: json,
    mcp_server_name: text,
    mcp_tool_name: text,
    mcp_tool_arguments: json,
    mcp_result: json,
    user_prompt: json,
  }),
});

const readWindsurf: Reader = (body, run) => {
  const hook = hookOf(body);
  const name = hook.agent_action_name ?? '';
  const info = hook.tool_info;
  const facts = {
    event: name,
    at: hook.timestamp,
    session: hook.trajectory_id,
    model: hook.model_name,
    cwd: info?.cwd,
  };
  const event = new HookEvent(facts, run);
  const [, moment, what] = /^(pre|post)_(run_command|write_code|read_code|mcp_tool_use)$/.exec(name) ?? [];
  if (what !== undefined) {
    const call = callOf(what, info ?? {});
    if (moment === 'pre') return [event.call('proposed', call)];
    const ending = info?.exit_code === undefined ? CARRIED_OUT : succeeded(info.exit_code);
    const output = info?.output ?? info?.mcp_result ?? (what === 'read_code' ? info?.content : undefined);
    return [event.call(ending.stage, { ...call, ...ending, output })];
  }
  if (name === 'pre_user_prompt') return [event.told([{ kind: 'user', value: info?.user_prompt ?? '' }])];
  return [new HookEvent({ ...facts, extra: otherMembers(body) }, run).note(noteName(name))];
};

type Info = NonNullable<ReturnType<typeof hookOf>['tool_info']>;

function callOf(what: string, info: Partial<Info>) {
  switch (what) {
    case 'run_command': {
      const tool = toolOf('run_command');
      const { command_line: command, cwd } = info;
      const input = { ...(command !== undefined && { command_line: command }), ...(cwd !== undefined && { cwd }) };
      return { tool, input, touched: touchedBy(tool, { command: command ?? '' }, cwd ?? null) };
    }
    case 'mcp_tool_use':
      return {
        tool: toolOf(info.mcp_tool_name, { server: info.mcp_server_name, tool: info.mcp_tool_name }),
        input: info.mcp_tool_arguments,
      };
    default: {
      const { file_path, edits } = info;
      const input = { ...(file_path !== undefined && { file_path }), ...(edits !== undefined && { edits }) };
      return { tool: toolOf(what), input };
    }
  }
}

export const windsurf: ProgramDescription = {
  read: readWindsurf,
  prints: '',
  binary: null,
  events: [
    'pre_user_prompt',
    'pre_read_code',
    'post_read_code',
    'pre_write_code',
    'post_write_code',
    'pre_run_command',
    'post_run_command',
    'pre_mcp_tool_use',
    'post_mcp_tool_use',
  ],
  settings: {
    user: { variable: null, folder: ['.codeium', 'windsurf'], file: ['hooks.json'] },
    project: ['.windsurf', 'hooks.json'],
    form: { kind: 'json-hooks', entry: (_, { script }) => ({ command: shellWord(script), show_output: false }) },
  },
  failure: 'by its documentation runs the action unless the hook exits with 2',
  notes: [
    'Not run with Windsurf itself: after its documentation.',
    'Its hooks name no call, and tell of no session that begins or ends, no web search and no other tool.',
  ],
};
