import type { FeedId } from '../base/programs.ts';
import type { Received } from '../seen/received.ts';
import type { Seen } from '../seen/seen.ts';

/** The three kinds of export requests, as the last part of their URL path names them. */
export type OtlpSignal = 'traces' | 'logs' | 'metrics';

/** An OTLP/HTTP export request whose body is already unpacked (no gzip) and bounded in size. */
export interface OtlpRequest {
  readonly path: OtlpSignal;
  /** The Content-Type header; parameters such as a charset are allowed. */
  readonly contentType: string | null;
  readonly body: Received;
  /** The x-countersign-feed header; null where it was not sent. */
  readonly feed: string | null;
  /** The feeds that have an agent: a service is recorded as its own where it has one. */
  readonly installed: ReadonlySet<FeedId>;
  /** When the request came in (RFC 3339): stands for the time of records that have none. */
  readonly receivedAt: string;
}

/** A body in the encoding of the request. */
export interface OtlpAnswer {
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** What the sender is told was not recorded although it should have been; a count of 0 with a reason is a remark. */
export interface OtlpRejected {
  readonly count: number;
  /** Empty where there is nothing to say. */
  readonly reason: string;
}

export interface OtlpReceived {
  readonly byFeed: ReadonlyMap<FeedId, readonly Seen[]>;
  /** Says what is in `rejected`; `otlpAnswer` makes another one where not everything could be taken. */
  readonly answer: OtlpAnswer;
  readonly rejected: OtlpRejected;
  /** Spans or log records that are no tool calls. They are not recorded, and the sender has nothing to mend. */
  readonly passedOver: number;
}
