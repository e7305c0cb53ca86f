import type { Session } from '../actions/session.ts';
import { parsedInput } from './parsed-input.ts';
import { ToldOnce } from './told-once.ts';

interface Details {
  readonly toolCall?: { readonly callId?: string };
}

/** Of a function tool of the OpenAI Agents SDK, what is used here; other types of tools have no `invoke`. */
interface AgentTool {
  readonly type: string;
  readonly name: string;
  readonly invoke?: unknown;
}

type Invoke = (context: unknown, input: string, details?: Details) => Promise<unknown>;

interface Named {
  readonly name: string;
}

/** Of a Runner of the OpenAI Agents SDK, what is used here. */
interface EventSource {
  on(event: 'agent_start', listener: (context: unknown, agent: Named, input?: readonly unknown[]) => void): unknown;
  on(event: 'agent_handoff', listener: (context: unknown, from: Named, to: Named) => void): unknown;
}

/**
 * The same tools, each of whose calls is recorded; tools that OpenAI carries out are left as they are. A function tool catches what it
 * throws and answers with a text that says so, unless it was made with `errorFunction: null`: only then is a failure recorded as one.
 * @example
 * new Agent({ name: 'a', instructions, tools: recordedTools(session, [weather]) });
 */
export function recordedTools<T extends AgentTool>(session: Session, tools: readonly T[]): T[] {
  return tools.map((tool) => {
    if (tool.type !== 'function' || typeof tool.invoke !== 'function') return tool;
    const own = tool.invoke.bind(tool) as Invoke;
    const invoke: Invoke = (context, input, details) => {
      const callId = details?.toolCall?.callId;
      const called = {
        name: tool.name,
        type: 'function',
        ...(callId === undefined ? {} : { call_id: callId }),
      } as const;
      return session.call({ tool: called, input: parsedInput(input) }, () => own(context, input, details));
    };
    return { ...tool, invoke };
  });
}

function isUserInput(item: unknown): item is { readonly role: 'user' | 'system'; readonly content: unknown } {
  if (typeof item !== 'object' || item === null || !('role' in item) || !('content' in item)) return false;
  return item.role === 'user' || item.role === 'system';
}

/**
 * Records what the agents of a runner are told, and that one hands over to another. The SDK waits for no listener: a record that could not
 * be made stops nothing and is told to the session's `onLoss`.
 */
export function observeRunner(session: Session, runner: EventSource): void {
  const told = new ToldOnce(session);
  const lost = (): void => undefined;
  runner.on('agent_start', (_context, _agent, input = []) => {
    const things = input.filter(isUserInput).map(({ role, content }) => ({ kind: role, value: content }));
    told.told(things).catch(lost);
  });
  runner.on('agent_handoff', (_context, from, to) => {
    session.note('handoff', `${from.name} → ${to.name}`).catch(lost);
  });
}
