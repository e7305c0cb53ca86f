/*
 * A thread that reads large bodies of exporters and of programs that hand in events: parsing one takes a second where it holds hundreds of
 * thousands of names, and hooks wait for the thread that answers.
 */
import { serveRequests } from '../../node/index.ts';
import type { FeedId } from '../base/programs.ts';
import { RecordError, type RecordErrorCode } from '../base/record-error.ts';
import { textOfSeen } from '../content/seen-text.ts';
import { type OtlpRequest, receiveOtlp } from '../otlp/receive.ts';
import type { OtlpRejected } from '../otlp/request.ts';
import type { Received } from '../seen/received.ts';
import { readSeenBody } from './seen-body.ts';

export type LargeBody =
  | { readonly kind: 'export'; readonly request: OtlpRequest }
  | { readonly kind: 'seen'; readonly body: Received };

/** What such a body holds, events as texts: those of an export by feed. */
export interface ReadBody {
  readonly byFeed: readonly (readonly [FeedId, string])[];
  readonly rejected: OtlpRejected;
  readonly seen: string;
}

export interface BodyRefusal {
  readonly code: RecordErrorCode;
  readonly message: string;
}

/** A buffer that changed threads is an array of bytes. */
function arrived(body: Received): Received {
  return { ...body, json: body.json && Buffer.from(body.json) };
}

const NOTHING = { byFeed: [], rejected: { count: 0, reason: '' }, seen: '' };

function read(given: LargeBody): ReadBody {
  if (given.kind === 'seen') return { ...NOTHING, seen: textOfSeen(readSeenBody(arrived(given.body))) };
  const { byFeed, rejected } = receiveOtlp({ ...given.request, body: arrived(given.request.body) });
  return { ...NOTHING, byFeed: Array.from(byFeed, ([feed, seen]) => [feed, textOfSeen(seen)] as const), rejected };
}

serveRequests<LargeBody, ReadBody, never, BodyRefusal>(read, {
  refusalOf: (error) => (error instanceof RecordError ? { code: error.code, message: error.message } : undefined),
});
