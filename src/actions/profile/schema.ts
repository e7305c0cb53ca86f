import { z } from 'zod';
import { content } from './content.ts';
import { amount, count, digest, name, salt, text, time, uuid } from './profile-fields.ts';
import { AGENT_ACTION_PROFILE, PHASE_NAMES } from './profile-name.ts';

/** Members that the profile doesn't know begin so, at the top of a payload only. */
export const EXTENSION_PATTERN = /^x_[a-z0-9_]{1,62}$/;

const session = z.strictObject({
  id: name,
  parent: name.optional(),
  turn: count.optional(),
  totals: z.strictObject({ records: count }).optional(),
});

const actor = z.strictObject({
  on_behalf_of: name.optional(),
  identity_source: z.enum(['auth-session', 'kernel-uid', 'asserted']).optional(),
  model: z.strictObject({ provider: name.optional(), name, version: name.optional() }).optional(),
  program: z.strictObject({ name, version: name.optional() }).optional(),
  sub_agent: z.strictObject({ id: name, type: name.optional() }).optional(),
});

const tool = z.strictObject({
  name,
  type: z.enum(['function', 'mcp', 'shell', 'file', 'browser', 'web', 'agent', 'other']).optional(),
  server: name.optional(),
  call_id: name.optional(),
  pairing: z.enum(['id', 'inferred']).optional(),
});

const touched = z.strictObject({
  kind: z.enum(['file', 'host', 'account', 'secret', 'record', 'payment', 'process', 'other']),
  id: text(1024),
  within: text(1024).optional(),
  access: z.enum(['read', 'write', 'delete', 'send']),
  before: name.nullable().optional(),
  after: name.nullable().optional(),
  amount: amount.optional(),
});

const decision = z.strictObject({
  outcome: z.enum(['approved', 'modified', 'overridden', 'denied', 'expired']),
  of: uuid.optional(),
  input_digest: digest.optional(),
  presented_digest: digest.optional(),
  input: content.optional(),
  by: z.strictObject({
    kind: z.enum(['human', 'policy', 'agent', 'unknown']),
    id: name,
    mode: z.enum(['interactive', 'delegated', 'automatic']).optional(),
    reported: z.literal(true).optional(),
  }),
  policy: z.strictObject({ id: name, version: name.optional(), digest: digest.optional() }).optional(),
  justification: text(4096).optional(),
});

const outcome = z.strictObject({
  status: z.enum(['ok', 'error', 'timeout', 'cancelled', 'unknown', 'denied', 'blocked']),
  exit_code: z.int().optional(),
  error: z.strictObject({ type: name.optional(), message: text(8192).optional() }).optional(),
  reversible: z.boolean().optional(),
  reverses: uuid.optional(),
});

const witness = z.strictObject({
  source: z.enum(['hook', 'plugin', 'mcp', 'acp', 'otlp', 'library', 'transcript', 'other']),
  name: name.optional(),
  version: name.optional(),
  input: content.optional(),
  output: content.optional(),
  status: outcome.shape.status.optional(),
});

const gap = z.strictObject({
  count: count.nullable(),
  first_at: time,
  last_at: time,
  reason: text(512),
});

/** The members of a payload, each by itself; which a phase needs is in phases.ts. */
export const MEMBERS = {
  profile: z.literal(AGENT_ACTION_PROFILE),
  salt: salt.optional(),
  phase: z.enum(PHASE_NAMES),
  action_id: uuid.optional(),
  session: session.optional(),
  cause: z.array(uuid).min(1).max(64).optional(),
  trace: z
    .strictObject({
      trace_id: z.string().regex(/^[0-9a-f]{32}$/),
      span_id: z
        .string()
        .regex(/^[0-9a-f]{16}$/)
        .optional(),
      parent_span_id: z
        .string()
        .regex(/^[0-9a-f]{16}$/)
        .optional(),
    })
    .optional(),
  actor: actor.optional(),
  tool: tool.optional(),
  input: content.optional(),
  output: content.optional(),
  presented: content.optional(),
  told: z
    .array(
      z.strictObject({ kind: z.enum(['system', 'user', 'memory', 'tool_output', 'file', 'agent', 'other']), content }),
    )
    .min(1)
    .max(64)
    .optional(),
  touched: z.array(touched).min(1).max(256).optional(),
  decision: decision.optional(),
  outcome: outcome.optional(),
  whole_call: z.literal(true).optional(),
  witnesses: z.array(witness).min(1).max(8).optional(),
  tools: z.strictObject({ server: name, count, digest, previous: digest.optional() }).optional(),
  gap: gap.optional(),
  note: z.strictObject({ kind: name, text: text(4096).optional() }).optional(),
  timing: z.strictObject({ observed_at: time, duration_ms: count.optional() }).optional(),
  redactions: z
    .array(z.strictObject({ at: text(1024), type: name }))
    .min(1)
    .max(256)
    .optional(),
};

export const payloadMembers = z.looseObject(MEMBERS);

/** A payload of the profile whose members are all there. */
export type AgentAction = z.infer<typeof payloadMembers>;
/** A payload as a reader sees it, where some members may be withheld. */
export type ShownAction = { [K in keyof AgentAction]?: AgentAction[K] | undefined };
