import type { ExactJson } from '../../protocol/light.ts';
import { type CallEnd, cancelled } from '../mcp/call-ends.ts';
import { asArray, asObject, asText, type JsonObject, type RpcResponse } from '../mcp/message.ts';
import type { SeenDecision } from '../seen/seen.ts';
import type { AskedCall } from './tool-calls.ts';

/** A call that the client is asked about, and what it may answer. */
export interface Question extends AskedCall {
  readonly options: readonly ExactJson[];
}

/** The call that a permission is asked for: a member in version 1, one of several subjects in version 2. */
export function questionOf(params: JsonObject): { toolCall: JsonObject; options: readonly ExactJson[] } {
  const options = asArray(params['options']);
  const subject = asObject(params['subject']);
  const given = asObject(params['toolCall']) ?? asObject(subject?.['toolCall']);
  if (given !== null) return { toolCall: given, options };
  const { toolCallId, command, cwd } = subject ?? {};
  const toolCall = {
    ...(toolCallId !== undefined && { toolCallId }),
    title: params['title'] ?? null,
    ...(command !== undefined && { kind: 'execute', rawInput: { command, ...(cwd !== undefined && { cwd }) } }),
  };
  return { toolCall, options };
}

interface Decision {
  readonly decision: SeenDecision['decision'];
  readonly reason: string | null;
  /** How the call ends by it; null where it may be made, or its end comes later. */
  readonly end: CallEnd | null;
}

/** The decision that an answer to a permission request is. */
export function decisionOf(options: readonly ExactJson[], { result, error }: RpcResponse): Decision {
  if (error !== null) return { decision: 'expired', reason: `${error.code} ${error.message}`.trim(), end: null };
  const outcome = asObject(result?.['outcome']);
  if (outcome?.['outcome'] !== 'selected') {
    const end = outcome?.['outcome'] === 'cancelled' ? cancelled('The question was cancelled.') : null;
    return { decision: 'expired', reason: asText(outcome?.['outcome']), end };
  }
  const id = asText(outcome['optionId']);
  const offered = options.map(asObject).filter((option) => option?.['optionId'] === id);
  const [chosen] = offered;
  // Of two with one id nobody knows which of them the person saw and meant.
  const isOne = new Set(offered.map((option) => option?.['kind'])).size <= 1;
  const kind = isOne ? (asText(chosen?.['kind']) ?? '') : 'ambiguous';
  const reason = [kind, asText(chosen?.['name']) ?? id ?? ''].filter((word) => word !== '').join(': ') || null;
  if (kind.startsWith('allow')) return { decision: 'approved', reason, end: null };
  if (!kind.startsWith('reject')) return { decision: 'expired', reason, end: null };
  const message = reason === null ? {} : { error: { type: 'denied', message: reason } };
  return { decision: 'denied', reason, end: { stage: 'refused', outcome: { status: 'denied', ...message } } };
}
