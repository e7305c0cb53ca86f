import { z } from 'zod';
import { type Disclosures, type Json, type JsonObject, shownPayload } from '../../../protocol/light.ts';
import { asked, ServiceCalls } from '../../install/service-calls.ts';

/** A call of a session, as it was recorded. */
export interface RecordedCall {
  readonly operationId: string;
  readonly actionId: string;
  /** The program's id of it; null where the program's hooks have none. */
  readonly callId: string | null;
  readonly tool: string;
  readonly input: RecordedContent | null;
  /** As hooks were told it, where the record says its form; null where none does. */
  readonly output: RecordedContent | null;
}

export interface RecordedContent {
  readonly value: Json | undefined;
  /** As the profile makes it, with this salt. */
  readonly digest: string | null;
  readonly salt: string;
  /** Whether something of it was replaced before signing: then it equals no transcript. */
  readonly isRedacted: boolean;
}

export interface RecordedSession {
  readonly calls: readonly RecordedCall[];
  /** How many records of the session there are, of whatever kind. */
  readonly records: number;
  /** Records of the agent that show no payload. */
  readonly hidden: number;
}

const content = z.looseObject({
  value: z.custom<Json>((value) => value !== undefined).optional(),
  digest: z.string().optional(),
  salt: z.string().optional(),
  media_type: z.string().optional(),
  encoding: z.string().optional(),
});
const callPayload = z.looseObject({
  action_id: z.string(),
  session: z.looseObject({ id: z.string() }),
  tool: z.looseObject({ name: z.string(), call_id: z.string().optional() }),
  input: content.optional(),
  output: content.optional(),
  witnesses: z.array(z.looseObject({ source: z.string() })).optional(),
  redactions: z.array(z.looseObject({ at: z.string() })).optional(),
});
const ofSession = z.looseObject({ session: z.looseObject({ id: z.string() }) });

/**
 * Reads the calls of a session from the ledger, newest record first, until the record that began it.
 * @param token of a user who may read the ledger
 * @param onRecords receives how many records were read so far
 * @throws RecordError SERVICE_REFUSED
 */
export async function recordedSession(
  service: { readonly url: string; readonly agentId: string },
  token: string,
  session: string,
  onRecords: (read: number) => void = () => {},
): Promise<RecordedSession> {
  const calls = new ServiceCalls(service.url, token);
  const found = new Map<string, RecordedCall>();
  let [read, records, hidden] = [0, 0, 0];
  let cursor: string | null = null;
  do {
    const page = await nextPage(calls, service.agentId, cursor);
    for (const { operation_id: operationId, operation_type: type } of page.data) {
      const payload = await payloadOf(calls, operationId);
      onRecords(++read);
      if (payload === null) hidden++;
      if (ofSession.safeParse(payload).data?.session.id !== session) continue;
      records++;
      const call = callIn(payload, operationId);
      if (call !== null) found.set(call.actionId, together(call, found.get(call.actionId)));
      if (type === 'session.start') return { calls: [...found.values()], records, hidden };
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  return { calls: [...found.values()], records, hidden };
}

function nextPage(calls: ServiceCalls, agentId: string, cursor: string | null) {
  return asked('the records of the agent could not be read', () =>
    calls.call('agentOperations', {
      params: { agent_id: agentId },
      query: { limit: '100', ...(cursor && { cursor }) },
    }),
  );
}

async function payloadOf(calls: ServiceCalls, operationId: string): Promise<JsonObject | null> {
  const { eor, disclosures } = await asked(`the operation ${operationId} could not be read`, () =>
    calls.call('getOperation', { params: { operation_id: operationId } }),
  );
  const payload = (eor as { readonly payload?: JsonObject }).payload;
  return payload === undefined ? null : shownPayload(payload, disclosures as Disclosures | undefined);
}

function callIn(payload: unknown, operationId: string): RecordedCall | null {
  const { data } = callPayload.safeParse(payload);
  if (data === undefined) return null;
  const { input, output, witnesses = [], redactions = [] } = data;
  const of = (one: z.infer<typeof content> | undefined, at: string): RecordedContent | null =>
    one === undefined
      ? null
      : {
          value: one.value,
          digest: one.digest ?? null,
          salt: one.salt ?? '',
          isRedacted: redactions.some((place) => place.at.startsWith(at)),
        };
  // What the transcript was said to tell is no word of hooks.
  const isOfHooks = output?.media_type !== undefined && output.encoding === undefined;
  return {
    operationId,
    actionId: data.action_id,
    callId: data.tool.call_id ?? null,
    tool: data.tool.name,
    input: of(input, '/input'),
    output: isOfHooks && witnesses[0]?.source !== 'transcript' ? of(output, '/output') : null,
  };
}

/** One call of two of its records: the first one has its input, a later one its output. */
function together(call: RecordedCall, later: RecordedCall | undefined): RecordedCall {
  const first = call.input === null ? (later ?? call) : call;
  return { ...first, output: call.output ?? later?.output ?? null };
}
