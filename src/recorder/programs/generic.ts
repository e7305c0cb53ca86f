import { z } from 'zod';
import { type Body, cutText, toolOf } from '../../actions/tools/index.ts';
import type { ExactJson } from '../../protocol/light.ts';
import type { Seen, SeenCall, SeenTool, Touched, WitnessSource } from '../seen/seen.ts';
import { failed, succeeded } from './hook-ending.ts';
import { type CallFacts, HookEvent, type HookRun } from './hook-event.ts';

/** The events of our own form (docs/recorders.md, Any script): of a call, and the stage it has then reached. */
const STAGES = {
  call_proposed: 'proposed',
  call_asked: 'asked',
  call_started: 'started',
  call_completed: 'completed',
  call_failed: 'failed',
  call_refused: 'refused',
} as const satisfies { readonly [event: string]: SeenCall['stage'] };

const name = z.string().min(1);
/** Any JSON, not looked into: it may be large and deep. */
const json = z.custom<ExactJson>(() => true).optional();
const time = z.union([z.string(), z.number()]);

const Resource = z.object({
  kind: z.enum(['file', 'host', 'account', 'secret', 'record', 'payment', 'process', 'other']),
  id: name,
  within: name.optional(),
  access: z.enum(['read', 'write', 'delete', 'send']),
});

const Tool = z.union([
  name,
  z.object({
    name,
    type: z.enum(['function', 'mcp', 'shell', 'file', 'browser', 'web', 'agent', 'other']).optional(),
    server: name.optional(),
  }),
]);

const Common = {
  session: z.union([name, z.object({ id: name, parent: name.optional(), turn: z.int().min(0).optional() })]).optional(),
  sub_agent: z.object({ id: name, type: name.optional() }).optional(),
  model: z.object({ name, provider: name.optional(), version: name.optional() }).optional(),
  program_version: name.optional(),
  cwd: name.optional(),
  traceparent: name.optional(),
  at: time.optional(),
  /** The program's own name of the event. */
  raw_event: name.optional(),
};

const Call = { tool: Tool, call_id: name.optional(), input: json };

/** Strict about what it knows, so that a script's author learns of a mistake; members that it does not know are left out. */
const Generic = z.discriminatedUnion('event', [
  z.object({
    ...Common,
    ...Call,
    event: z.enum(['call_proposed', 'call_asked', 'call_started', 'call_completed', 'call_failed', 'call_refused']),
    output: json,
    exit_code: z.int().optional(),
    status: z.enum(['error', 'timeout', 'cancelled', 'unknown', 'denied', 'blocked']).optional(),
    error: z.object({ type: name.optional(), message: name.optional() }).optional(),
    duration_ms: z.number().min(0).optional(),
    touched: z.array(Resource).max(256).optional(),
  }),
  z.object({
    ...Common,
    ...Call,
    event: z.literal('decided'),
    decision: z.enum(['approved', 'denied', 'expired']),
    by: z.object({ kind: z.enum(['human', 'policy', 'agent']), id: name }),
    reason: z.string().optional(),
  }),
  z.object({
    ...Common,
    event: z.enum(['session_started', 'session_ended']),
    reason: z.string().optional(),
  }),
  z.object({
    ...Common,
    event: z.literal('told'),
    kind: z.enum(['system', 'user', 'memory', 'tool_output', 'file', 'agent', 'other']),
    value: json,
  }),
  z.object({ ...Common, event: z.literal('note'), kind: name, text: z.string().optional() }),
]);

type GenericEvent = z.infer<typeof Generic>;
type CallEvent = Extract<GenericEvent, { event: keyof typeof STAGES }>;

/**
 * Reads our own form.
 * @returns what was seen, or why the body is not of the form, in a few words
 */
export function readGeneric(body: Body, run: HookRun, source: WitnessSource): readonly Seen[] | string {
  const parsed = Generic.safeParse(body);
  if (!parsed.success) return problemOf(parsed.error);
  const said = parsed.data;
  const session = typeof said.session === 'string' ? { id: said.session } : said.session;
  const event = new HookEvent(
    {
      event: said.raw_event ?? said.event,
      source,
      at: said.at,
      session: session?.id,
      parent: session?.parent,
      turn: session?.turn,
      subAgent: said.sub_agent?.id,
      subAgentType: said.sub_agent?.type,
      model: said.model?.name,
      modelProvider: said.model?.provider,
      modelVersion: said.model?.version,
      programVersion: said.program_version,
      cwd: said.cwd,
      traceparent: said.traceparent,
    },
    run,
  );
  switch (said.event) {
    case 'session_started':
    case 'session_ended':
      return [event.session(said.event, said.reason)];
    case 'told':
      return [event.told([{ kind: said.kind, value: said.value ?? null }])];
    case 'note':
      return [event.note(said.kind, said.text)];
    case 'decided':
      return [
        event.decision(
          { tool: ownTool(said.tool), callId: said.call_id, input: said.input },
          said.decision,
          { kind: said.by.kind, id: said.by.id },
          said.reason,
        ),
      ];
    default:
      return [callOf(said, event)];
  }
}

function callOf(said: CallEvent, event: HookEvent): SeenCall {
  const stage = STAGES[said.event];
  const call: CallFacts = {
    tool: ownTool(said.tool),
    callId: said.call_id,
    input: said.input,
    output: said.output,
    durationMs: said.duration_ms,
    touched: said.touched?.map(resourceOf),
  };
  if (stage === 'proposed' || stage === 'asked' || stage === 'started') return event.call(stage, call);
  if (stage === 'completed') {
    const ending = succeeded(said.exit_code);
    return event.call(ending.stage, { ...call, ...ending });
  }
  const status = said.status ?? (stage === 'refused' ? 'denied' : 'error');
  const ending = failed({ ...said.error, status, exitCode: said.exit_code });
  // Cancelled before it began, or while it ran: the event says which.
  return event.call(status === 'cancelled' ? stage : ending.stage, { ...call, ...ending });
}

function ownTool(tool: z.infer<typeof Tool>): SeenTool {
  if (typeof tool === 'string') return toolOf(tool);
  const known = toolOf(tool.name, tool.server === undefined ? undefined : { server: tool.server });
  return tool.type === undefined ? known : { ...known, type: tool.type };
}

function resourceOf({ kind, id, within, access }: z.infer<typeof Resource>): Touched {
  return { kind, id, access, ...(within !== undefined && { within }) };
}

function problemOf(error: z.ZodError): string {
  const issue = error.issues[0];
  const where = issue === undefined ? '' : issue.path.join('.');
  return cutText(`${where === '' ? 'the body' : where}: ${issue?.message ?? 'is not of the form'}`, 512);
}
