import { z } from 'zod';
import type { Json } from '../../protocol/index.ts';
import { UsageError } from '../command.ts';

/** One thing an agent did, ready to be submitted. */
export interface DemoAction {
  readonly agentId: string;
  readonly operationType: string;
  readonly subject: string;
  readonly action: string;
  readonly payload: { readonly [member: string]: Json };
}

/** A tool call of a language-model agent, as logs of such agents commonly have it. */
const toolCall = z.looseObject({
  agent: z.string().min(1),
  session: z.string().min(1),
  step: z.number(),
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.json()),
  result: z.json(),
});

/** An operation as the service's own interface names things. */
const operation = z.looseObject({
  agent_id: z.string().min(1),
  operation_type: z.string().min(1),
  subject: z.string().min(1),
  action: z.string().min(1),
  payload: z.record(z.string(), z.json()),
});

/** What a tool call is about: the first of these that its arguments name, else the session it belongs to. */
const SUBJECT_ARGUMENTS = ['reservation_id', 'user_id', 'flight_number'] as const;

function fromToolCall({ agent, session, step, tool, arguments: given, result }: z.infer<typeof toolCall>): DemoAction {
  const named = SUBJECT_ARGUMENTS.map((name) => given[name]).find((value) => typeof value === 'string' && value !== '');
  // airline-agent-0 works in the domain "airline".
  const domain = agent.split('-')[0] ?? agent;
  return {
    agentId: agent,
    operationType: `${domain}.${tool}`,
    subject: typeof named === 'string' ? named : session,
    action: tool,
    payload: { session, step, arguments: given as Json, result: result as Json },
  };
}

/**
 * Reads actions, one JSON object a line: tool calls, or operations by the interface's names.
 * @throws UsageError naming the line
 */
export function parseActions(text: string, file: string): DemoAction[] {
  const actions: DemoAction[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new UsageError(`${file}: line ${index + 1} is not JSON`);
    }
    const call = toolCall.safeParse(value);
    if (call.success) {
      actions.push(fromToolCall(call.data));
      return;
    }
    const named = operation.safeParse(value);
    if (!named.success) {
      throw new UsageError(
        `${file}: line ${index + 1} has neither agent, session, step, tool, arguments and result, ` +
          'nor agent_id, operation_type, subject, action and payload',
      );
    }
    const { agent_id, operation_type, subject, action, payload } = named.data;
    actions.push({
      agentId: agent_id,
      operationType: operation_type,
      subject,
      action,
      payload: payload as DemoAction['payload'],
    });
  });
  if (actions.length === 0) throw new UsageError(`${file}: holds no actions`);
  return actions;
}
