import type { OpenAction } from '../actions/open-action.ts';
import type { Session } from '../actions/session.ts';
import { parsedInput } from './parsed-input.ts';
import { ToldOnce } from './told-once.ts';

/** Of a message of LangChain, what is read here. */
interface Message {
  readonly content: unknown;
  getType?(): string;
}

/** A callback handler of LangChain and LangGraph: one of the `callbacks` of a run. */
export interface LangChainHandler {
  readonly name: string;
  /** What cannot be recorded stops the run, under the session's policy `throw`. */
  readonly raiseError: true;
  /** The run waits until its calls are recorded. */
  readonly awaitHandlers: true;
  handleChatModelStart(model: unknown, messages: readonly (readonly Message[])[]): Promise<void>;
  handleLLMStart(model: unknown, prompts: readonly string[]): Promise<void>;
  handleToolStart(
    tool: unknown,
    input: string,
    runId: string,
    parentRunId?: string,
    tags?: string[],
    metadata?: unknown,
    runName?: string,
    toolCallId?: string,
  ): Promise<void>;
  handleToolEnd(output: unknown, runId: string): Promise<void>;
  handleToolError(error: unknown, runId: string): Promise<void>;
}

const KINDS = { system: 'system', developer: 'system', human: 'user' } as const;

/** The name of a tool as LangChain serialized it, where the run does not have one. */
function nameOf(tool: unknown): string {
  if (typeof tool !== 'object' || tool === null) return 'tool';
  if ('name' in tool && typeof tool.name === 'string') return tool.name;
  const id: unknown = 'id' in tool && Array.isArray(tool.id) ? tool.id.at(-1) : undefined;
  return typeof id === 'string' ? id : 'tool';
}

/** Of a message that a tool answers with, what it says. */
function contentOf(output: unknown): unknown {
  return typeof output === 'object' && output !== null && 'content' in output ? output.content : output;
}

function failureOf(output: unknown): string | null {
  const isError = typeof output === 'object' && output !== null && 'status' in output && output.status === 'error';
  return isError ? String(contentOf(output)) : null;
}

/**
 * Records the tool calls of LangChain and LangGraph, and what their models are told by people and by the system.
 * @example
 * await graph.invoke({ messages }, { callbacks: [langchainHandler(session)] });
 */
export function langchainHandler(session: Session): LangChainHandler {
  const open = new Map<string, OpenAction>();
  const told = new ToldOnce(session);
  const ended = (runId: string): OpenAction | undefined => {
    const action = open.get(runId);
    open.delete(runId);
    return action;
  };
  return {
    name: 'countersign',
    raiseError: true,
    awaitHandlers: true,
    async handleChatModelStart(_model, messages) {
      const things = messages.flat().flatMap((message) => {
        const type = message.getType?.() ?? '';
        return Object.hasOwn(KINDS, type) ? [{ kind: KINDS[type as keyof typeof KINDS], value: message.content }] : [];
      });
      await told.told(things);
    },
    async handleLLMStart(_model, prompts) {
      await told.told(prompts.map((value) => ({ kind: 'user', value })));
    },
    async handleToolStart(tool, input, runId, parentRunId, _tags, _metadata, runName, toolCallId) {
      const around = parentRunId === undefined ? undefined : open.get(parentRunId);
      const action = await session.begin({
        tool: {
          name: runName ?? nameOf(tool),
          type: 'function',
          ...(toolCallId === undefined ? {} : { call_id: toolCallId }),
        },
        input: parsedInput(input),
        cause: around === undefined ? [] : [around.operationId],
      });
      open.set(runId, action);
    },
    async handleToolEnd(output, runId) {
      const failure = failureOf(output);
      if (failure === null) await ended(runId)?.completed(contentOf(output));
      else await ended(runId)?.failed(failure);
    },
    async handleToolError(error, runId) {
      await ended(runId)?.failed(error);
    },
  };
}
