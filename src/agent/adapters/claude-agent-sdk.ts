import { messageOf } from '../../protocol/light.ts';
import type { Tool, ToolType } from '../actions/action-types.ts';
import type { OpenAction } from '../actions/open-action.ts';
import type { Session } from '../actions/session.ts';

/** Of what a hook of the Claude Agent SDK is given, what is read here. */
interface HookInput {
  readonly hook_event_name: string;
  readonly session_id: string;
  readonly agent_id?: string;
  readonly agent_type?: string;
  readonly prompt?: unknown;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_use_id?: string;
  readonly tool_response?: unknown;
  readonly error?: string;
  readonly is_interrupt?: boolean;
  readonly reason?: string;
}

interface HookOutput {
  hookSpecificOutput?: {
    hookEventName: 'PreToolUse';
    permissionDecision: 'deny';
    permissionDecisionReason: string;
  };
}

type Hook = (input: HookInput) => Promise<HookOutput>;

const EVENTS = [
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionDenied'],
  ...['UserPromptSubmit', 'SubagentStart', 'SubagentStop'],
] as const;

/** What `options.hooks` of a query takes. */
export type ClaudeHooks = { [event: string]: { hooks: Hook[] }[] };

const TYPES: Readonly<Record<string, ToolType>> = {
  Bash: 'shell',
  BashOutput: 'shell',
  KillShell: 'shell',
  Task: 'agent',
  Agent: 'agent',
  Read: 'file',
  Write: 'file',
  Edit: 'file',
  NotebookEdit: 'file',
  Glob: 'file',
  Grep: 'file',
  WebFetch: 'web',
  WebSearch: 'web',
};

function toolOf({ tool_name: name = 'tool', tool_use_id }: HookInput): Tool {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  const called = tool_use_id === undefined ? {} : { call_id: tool_use_id };
  if (server !== undefined && tool !== undefined) return { name: tool, type: 'mcp', server, ...called };
  return { name, type: TYPES[name] ?? 'function', ...called };
}

/** Follows the calls of one query by the ids that Claude Code gives them. */
class ClaudeCalls {
  readonly #session: Session;
  readonly #open = new Map<string, OpenAction>();
  readonly #subAgents = new Map<string, Session>();

  constructor(session: Session) {
    this.#session = session;
  }

  async take(input: HookInput): Promise<void> {
    const { tool_use_id: id = '', agent_id: agentId } = input;
    switch (input.hook_event_name) {
      case 'UserPromptSubmit':
        return this.#session.told({ kind: 'user', value: input.prompt });
      case 'PreToolUse': {
        const options = { tool: toolOf(input), input: input.tool_input };
        // The program has yet to decide whether the call may be carried out.
        this.#open.set(id, await this.#sessionOf(input).begin(options, 'proposed'));
        return;
      }
      case 'PostToolUse':
        return this.#ended(id)?.completed(input.tool_response);
      case 'PostToolUseFailure':
        return this.#ended(id)?.failed(
          new Error(input.error ?? ''),
          input.is_interrupt === true ? 'cancelled' : 'error',
        );
      case 'PermissionDenied':
        return this.#ended(id)?.refused('denied', input.reason);
      case 'SubagentStop': {
        const ended = this.#subAgents.get(agentId ?? '');
        this.#subAgents.delete(agentId ?? '');
        return ended?.end();
      }
      default:
        this.#sessionOf(input);
    }
  }

  #ended(id: string): OpenAction | undefined {
    const action = this.#open.get(id);
    this.#open.delete(id);
    return action;
  }

  #sessionOf({ agent_id: id, agent_type: type }: HookInput): Session {
    if (id === undefined) return this.#session;
    const known = this.#subAgents.get(id);
    if (known !== undefined) return known;
    const subAgent = { id, ...(type === undefined ? {} : { type }) };
    const session = this.#session.child({ id: `${this.#session.id}/${id}`, subAgent });
    this.#subAgents.set(id, session);
    return session;
  }
}

/**
 * Hooks that record the tool calls of a query, those of its sub-agents, and its prompts. A call that cannot be recorded is denied, under the
 * session's policy `throw`; other hooks fail as the SDK says.
 * @example
 * for await (const message of query({ prompt, options: { hooks: claudeHooks(session) } })) …
 */
export function claudeHooks(session: Session): ClaudeHooks {
  const calls = new ClaudeCalls(session);
  const hook: Hook = async (input) => {
    try {
      await calls.take(input);
      return {};
    } catch (error) {
      if (input.hook_event_name !== 'PreToolUse') throw error;
      const why = messageOf(error);
      const permissionDecisionReason = `The call could not be recorded: ${why}`;
      return {
        hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason },
      };
    }
  };
  return Object.fromEntries(EVENTS.map((event) => [event, [{ hooks: [hook] }]]));
}
