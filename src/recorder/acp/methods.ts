import { Acts } from '../mcp/message.ts';

/** What may be carried out: prompts of the client, and what the agent asks of its client. What an agent tells of its calls acts as a record. */
export const ACTS = new Acts(
  ['session/prompt', 'session/request_permission', 'fs/read_text_file', 'fs/write_text_file', 'terminal/create'],
  ['session/update'],
  ['sessionId', 'update', 'prompt', 'toolCall', 'subject', 'options', 'path', 'content', 'command', 'args', 'cwd'],
);

/** What passes only once the recorder has it. */
export const ACTIONS: ReadonlySet<string> = new Set([
  'session/prompt',
  'session/request_permission',
  'fs/read_text_file',
  'fs/write_text_file',
  'terminal/create',
]);

/** Requests that begin or take up a session, or end one. */
export const SESSION_BEGINS: ReadonlySet<string> = new Set([
  'session/new',
  'session/load',
  'session/resume',
  'session/fork',
]);
export const SESSION_ENDS: ReadonlySet<string> = new Set(['session/close', 'session/delete']);

/** Choices of the client that change what an agent may do, by the parameter that says which. */
export const CHOICES: { readonly [method: string]: readonly string[] } = {
  'session/set_mode': ['modeId'],
  'session/set_model': ['modelId'],
  'session/set_config_option': ['configId', 'value'],
  'session/cancel': [],
  'tool_call/cancel': ['toolCallId'],
  'terminal/cancel': ['terminalId'],
};

/** Known, and nothing of them is recorded: versions, sign-in, lists. */
export const PASSED_OVER: ReadonlySet<string> = new Set([
  'initialize',
  'authenticate',
  'logout',
  'auth/login',
  'auth/logout',
  'auth/status',
  'auth/status_update',
  'session/list',
  'session/status',
  'session/set_title',
  'session/archive',
  'session/unarchive',
  'elicitation/complete',
  '$/cancel_request',
]);

/** Updates of a session that are no calls: words, plans, what there is to choose from. */
export const UPDATES_PASSED_OVER: ReadonlySet<string> = new Set([
  'user_message_chunk',
  'user_message',
  'agent_message_chunk',
  'agent_message',
  'agent_thought_chunk',
  'agent_thought',
  'plan',
  'plan_update',
  'available_commands_update',
  'session_info_update',
  'usage_update',
  'notice',
  'compaction_summary_chunk',
  'terminal_output_chunk',
]);
