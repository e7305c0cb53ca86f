import type { ExactJson } from '../../protocol/light.ts';

/** Attributes by name. One without a value is left out; of two with one name the later counts. */
export type Attributes = ReadonlyMap<string, ExactJson>;

/** Where spans and log records come from. */
export interface Origin {
  readonly resource: Attributes;
  /** The instrumentation scope; texts are empty where they were not sent. */
  readonly scope: { readonly name: string; readonly version: string };
}

/** What spans and log records have in common. */
export interface OtlpItem {
  readonly origin: Origin;
  /** Lowercase hex; empty where it was not sent. Not checked otherwise. */
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Attributes;
  /** How many attributes the sender left out. */
  readonly droppedAttributes: number;
}

export interface OtlpSpan extends OtlpItem {
  readonly parentSpanId: string;
  readonly name: string;
  /** 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  /** Nanoseconds since the Unix epoch; 0 where it was not sent. */
  readonly startNano: bigint;
  readonly endNano: bigint;
  readonly events: readonly OtlpEvent[];
  /** 0 unset, 1 ok, 2 error. */
  readonly status: { readonly code: number; readonly message: string };
}

export interface OtlpEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

export interface OtlpLog extends OtlpItem {
  /** The `eventName` member; many senders have an attribute `event.name` instead. */
  readonly eventName: string;
  /** Nanoseconds since the Unix epoch when it happened; 0 where it was not sent. */
  readonly timeNano: bigint;
  /** When it was collected. */
  readonly observedNano: bigint;
  readonly body: ExactJson | undefined;
}
