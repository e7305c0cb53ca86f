import type { Tool } from '../actions/action-types.ts';
import type { Session } from '../actions/session.ts';
import { ToldOnce } from './told-once.ts';

/** Of a tool of the AI SDK, what is used here; a tool without `execute` is carried out elsewhere. */
interface AiTool {
  readonly execute?: unknown;
}

interface CallOptions {
  readonly toolCallId?: string;
}

type Execute = (input: unknown, options: CallOptions) => unknown;

/** Of what a model is asked, what is read here. */
interface ModelCall {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
}

/** Middleware of the AI SDK, for `wrapLanguageModel`. */
export interface ToldMiddleware {
  readonly specificationVersion: 'v4';
  transformParams<T extends ModelCall>(options: { readonly params: T }): Promise<T>;
}

function toolOf(name: string, { toolCallId }: CallOptions): Tool {
  return { name, type: 'function', ...(toolCallId === undefined ? {} : { call_id: toolCallId }) };
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** What a call came to. A tool may answer bit by bit; the last bit is its result, and nobody sees the others before it is recorded. */
async function resultOf(answer: unknown): Promise<unknown> {
  const value = await answer;
  if (!isIterable(value)) return value;
  let last: unknown;
  for await (const bit of value) last = bit;
  return last;
}

/**
 * The same tools, each of whose calls is recorded. Tools without `execute` are left as they are. Of a tool that answers bit by bit, the
 * result alone is passed on.
 * @example
 * await generateText({ model, prompt, tools: recordedTools(session, { weather }) });
 */
export function recordedTools<T extends Readonly<Record<string, AiTool>>>(session: Session, tools: T): T {
  const wrapped = Object.entries(tools).map(([name, tool]) => {
    if (typeof tool.execute !== 'function') return [name, tool];
    const own = tool.execute.bind(tool) as Execute;
    const execute: Execute = (input, options) =>
      session.call({ tool: toolOf(name, options), input }, () => resultOf(own(input, options)));
    return [name, { ...tool, execute }];
  });
  return Object.fromEntries(wrapped) as T;
}

/**
 * Records what a model is told by people and by the system, before it is told.
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: toldMiddleware(session) });
 */
export function toldMiddleware(session: Session): ToldMiddleware {
  const told = new ToldOnce(session);
  return {
    specificationVersion: 'v4',
    async transformParams({ params }) {
      const things = params.prompt.flatMap(({ role, content }) =>
        role === 'system' || role === 'user' ? [{ kind: role, value: content } as const] : [],
      );
      await told.told(things);
      return params;
    },
  };
}
