import { z } from 'zod';
import { decodeUtf8, type ExactJson, ProtocolError, parseJson, readExactJson } from '../../protocol/light.ts';
import { RecordError } from '../base/record-error.ts';
import type { Received } from '../seen/received.ts';
import { type Seen, shortenedBy, WITNESS_SOURCES } from '../seen/seen.ts';

/** Events that one request may hold. */
const MOST_EVENTS = 1000;
/** Places of one event that something was left out at. */
const MOST_LEFT_OUT = 4_096;

// What holds the values was parsed as I-JSON with all digits of its numbers: each of them is an ExactJson.
const json = z.custom<ExactJson>((value) => value !== undefined);
// Of any length: they are cut once the secrets are out.
const text = z.string();
const name = z.string().min(1);
const time = z.iso.datetime({ offset: true });
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const common = {
  source: z.enum(WITNESS_SOURCES),
  witness: text.nullable(),
  event_id: name,
  raw_event: text,
  raw_sha256: sha256,
  observed_at: time,
  session: z.strictObject({ id: name, parent: name.exactOptional(), turn: z.int().min(0).exactOptional() }).nullable(),
  sub_agent: z.strictObject({ id: name, type: name.exactOptional() }).nullable(),
  model: z.strictObject({ name, provider: name.exactOptional(), version: name.exactOptional() }).nullable(),
  program_version: text.nullable(),
  cwd: text.nullable(),
  trace: z
    .strictObject({ trace_id: name, span_id: name.exactOptional(), parent_span_id: name.exactOptional() })
    .nullable(),
  extra: z.record(z.string(), json).nullable(),
  shortened: z
    .strictObject({
      bytes: z.int().min(0),
      left_out: z.array(z.strictObject({ bytes: z.int().min(0), whole: z.int().min(0), sha256 })).max(MOST_LEFT_OUT),
    })
    .exactOptional(),
};

const tool = z.strictObject({
  name,
  type: z.enum(['function', 'mcp', 'shell', 'file', 'browser', 'web', 'agent', 'other']),
  server: text.nullable(),
});

const touched = z.strictObject({
  kind: z.enum(['file', 'host', 'account', 'secret', 'record', 'payment', 'process', 'other']),
  id: text,
  within: text.exactOptional(),
  access: z.enum(['read', 'write', 'delete', 'send']),
});

const outcome = z.strictObject({
  status: z.enum(['ok', 'error', 'timeout', 'cancelled', 'unknown', 'denied', 'blocked']),
  exit_code: z.int().exactOptional(),
  error: z.strictObject({ type: text.exactOptional(), message: text.exactOptional() }).exactOptional(),
});

const seen = z.discriminatedUnion('kind', [
  z.strictObject({
    ...common,
    kind: z.literal('call'),
    stage: z.enum(['proposed', 'asked', 'started', 'completed', 'failed', 'refused']),
    tool,
    call_id: name.nullable(),
    input: json.exactOptional(),
    output: json.exactOptional(),
    outcome: outcome.exactOptional(),
    duration_ms: z.int().min(0).exactOptional(),
    touched: z.array(touched).max(1000),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('decision'),
    tool,
    call_id: name.nullable(),
    input: json.exactOptional(),
    decision: z.enum(['approved', 'denied', 'expired']),
    by: z.strictObject({ kind: z.enum(['human', 'policy', 'agent', 'unknown']), id: name }),
    reason: text.nullable(),
  }),
  z.strictObject({ ...common, kind: z.enum(['session_started', 'session_ended']), reason: text.nullable() }),
  z.strictObject({
    ...common,
    kind: z.literal('told'),
    told: z
      .array(
        z.strictObject({
          kind: z.enum(['system', 'user', 'memory', 'tool_output', 'file', 'agent', 'other']),
          value: json,
        }),
      )
      .max(1000),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('tools'),
    server: text,
    count: z.int().min(0),
    definitions_sha256: sha256,
  }),
  z.strictObject({ ...common, kind: z.literal('note'), name, text: text.nullable() }),
  z.strictObject({
    ...common,
    kind: z.literal('gap'),
    count: z.int().min(0).nullable(),
    first_at: time,
    last_at: time,
    reason: text,
  }),
]);

const form = z.strictObject({ seen: z.array(seen).min(1).max(MOST_EVENTS) });

/**
 * The events that a program of ours, or somebody else's script, hands in as they are: `{seen: Seen[]}`.
 * @throws RecordError EVENT_INVALID, which names the member
 */
export function readSeenBody(body: Received): readonly Seen[] {
  let given: ExactJson;
  try {
    given = readExactJson(decodeUtf8(body.json ?? new Uint8Array()), parseJson);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new RecordError('EVENT_INVALID', `the body is not JSON that can be signed: ${error.message}`, {
      cause: error,
    });
  }
  const { success, data, error } = form.safeParse(given);
  if (success) return data.seen.map((event) => ({ ...event, ...shortenedOf(event, body) }));
  const [issue] = error.issues;
  throw new RecordError('EVENT_INVALID', `the member ${issue?.path.join('.') ?? ''} is not of the form it has to have`);
}

/** What an event lacks since whoever saw it made it shorter, and what it lacks since the body with it was too long as well. */
function shortenedOf({ shortened }: Pick<Seen, 'shortened'>, body: Received): Pick<Seen, 'shortened'> {
  const own = shortenedBy(body);
  if (shortened === undefined || own.shortened === undefined) return own;
  return { shortened: { ...shortened, left_out: [...shortened.left_out, ...own.shortened.left_out] } };
}
