import { PROGRAMS } from '../../api/light.ts';
import { type FeedId, isFeedId, PROGRAM_IDS, serviceFeed } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import { shortenedBy } from '../seen/seen.ts';
import { otlpAnswer } from './answer.ts';
import { decodeLogs, decodeSpans } from './decode.ts';
import { EmbeddedJson } from './embedded-json.ts';
import { otlpEncoding } from './encoding.ts';
import type { Attributes } from './model.ts';
import { type Calls, callsOfLogs, callsOfSpans } from './otlp-calls.ts';
import type { OtlpReceived, OtlpRejected, OtlpRequest } from './request.ts';

export type { OtlpReceived, OtlpRequest, OtlpSignal } from './request.ts';

/**
 * Reads an export request and says what of it is to be recorded: the calls of tools, each as a whole, in the order in which they were
 * sent. The `event_id` of a call that comes again is the same.
 * @throws RecordError EVENT_INVALID where the content type, the feed or the body is not of the form it has to have; nothing is taken
 *   then. EVENT_TOO_LARGE where it has more spans, records or attributes than are read.
 */
export function receiveOtlp(request: OtlpRequest): OtlpReceived {
  const { path, contentType, body, receivedAt } = request;
  const encoding = otlpEncoding(contentType);
  const named = feedOfHeader(request.feed);
  const feedOf = (resource: Attributes): FeedId => named ?? feedOfResource(resource, request.installed);
  if (path === 'metrics') {
    const remark = { count: 0, reason: 'Metrics are not recorded.' };
    return { byFeed: new Map(), answer: otlpAnswer(path, contentType, remark), rejected: remark, passedOver: 0 };
  }
  if (body.json === null) throw new RecordError('EVENT_INVALID', 'The body is not whole, or not of its content type.');
  const form = body.isWhole ? encoding : 'application/json';
  const facts = { rawSha256: body.sha256, receivedAt, json: new EmbeddedJson(), ...shortenedBy(body) };
  const { byFeed, unrecordable, passedOver } =
    path === 'traces'
      ? callsOfSpans(decodeSpans(form, body.json), feedOf, facts)
      : callsOfLogs(decodeLogs(form, body.json), feedOf, facts);
  const rejected = rejectedOf(unrecordable);
  return { byFeed, answer: otlpAnswer(path, contentType, rejected), rejected, passedOver };
}

function rejectedOf({ NO_IDS, NO_TOOL }: Calls['unrecordable']): OtlpRejected {
  const reasons = [
    ...(NO_IDS > 0 ? [`Calls without a valid trace id and span id: ${NO_IDS}.`] : []),
    ...(NO_TOOL > 0 ? [`Calls without the name of a tool: ${NO_TOOL}.`] : []),
  ];
  return { count: NO_IDS + NO_TOOL, reason: reasons.join(' ') };
}

/**
 * The feed that the x-countersign-feed header names; null without one.
 * @throws RecordError EVENT_INVALID
 */
function feedOfHeader(header: string | null): FeedId | null {
  if (header === null) return null;
  if (isFeedId(header)) return header;
  throw new RecordError('EVENT_INVALID', 'The x-countersign-feed header does not name a program that has recordings.');
}

/** Whose calls the spans and log records of a resource are: a program's that is known, else the service's where it has an agent, else `enterprise`. */
function feedOfResource(resource: Attributes, installed: ReadonlySet<FeedId>): FeedId {
  const service = resource.get('service.name');
  if (typeof service !== 'string') return 'enterprise';
  const name = service.toLowerCase();
  const program = PROGRAM_IDS.find((id) => PROGRAMS[id].service?.test(name));
  if (program !== undefined) return program;
  const own = serviceFeed(service);
  return own !== null && installed.has(own) ? own : 'enterprise';
}
