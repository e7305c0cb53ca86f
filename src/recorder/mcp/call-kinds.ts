import type { SeenTool, Touched } from '../seen/seen.ts';
import { asObject, asText, type JsonObject } from './message.ts';

/** What is recorded of a request: docs/recorders.md, MCP. */
export interface CallKind {
  readonly tool: Omit<SeenTool, 'server'>;
  readonly input: JsonObject;
  readonly touched: readonly Touched[];
}

/** The requests that are calls, by method; all others are forwarded and not recorded. */
const RECORDED_AS = {
  'resources/read': 'mcp.resource_read',
  'prompts/get': 'mcp.prompt_get',
  'sampling/createMessage': 'mcp.sampling',
  'elicitation/create': 'mcp.elicitation',
} as const;

/** Null for requests that are no calls. */
export function callKind(method: string, params: JsonObject, server: string): CallKind | null {
  if (method === 'tools/call') {
    const input = params['arguments'];
    return {
      tool: { name: toolName(asText(params['name'])), type: 'mcp' },
      input: asObject(input) ?? {},
      touched: [],
    };
  }
  if (!isRecorded(method)) return null;
  const { _meta, inputResponses, requestState, ...input } = params;
  return { tool: { name: RECORDED_AS[method], type: 'mcp' }, input, touched: touchedBy(method, params, server) };
}

function toolName(name: string | null): string {
  return name === null || name === '' ? 'unnamed' : name.toWellFormed();
}

function isRecorded(method: string): method is keyof typeof RECORDED_AS {
  return Object.hasOwn(RECORDED_AS, method);
}

function touchedBy(method: string, params: JsonObject, server: string): Touched[] {
  const uri = asText(params['uri']);
  if (method !== 'resources/read' || uri === null) return [];
  return [{ kind: 'other', id: uri, within: server, access: 'read' }];
}
