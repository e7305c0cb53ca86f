import type { ExactJson } from '../../protocol/light.ts';
import type { SeenCommon, SeenTool, Touched } from '../seen/seen.ts';

/** Who asks, or answers. */
export type Side = 'client' | 'server';

/** Where a message was: what its ids are unique in, and its bytes. */
export interface Origin {
  /** The connection or session, or one exchange of a transport without either. */
  readonly scope: string;
  /** The session of the transport, as it is recorded. */
  readonly session: string | null;
  /** Of the bytes that the message came in: 64 lowercase hex digits. */
  readonly raw_sha256: string;
  /** How much of these bytes is the message's own, where several came together. */
  readonly size: number;
  readonly shortened?: SeenCommon['shortened'];
}

/** Of what no single message says: the digest is that of nothing. */
export const NO_MESSAGE: Origin = {
  scope: '',
  session: null,
  raw_sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  size: 0,
};

/** A call that has begun. */
export interface OpenCall {
  readonly method: string;
  readonly tool: SeenTool;
  readonly callId: string | null;
  readonly input: ExactJson;
  readonly touched: readonly Touched[];
  readonly session: SeenCommon['session'];
  readonly trace: SeenCommon['trace'];
  /** By the monotonic clock, in milliseconds. */
  readonly begunAt: number;
  /** Names the call within this proxy. */
  readonly request: string;
  readonly origin: Origin;
  /** Equal for calls of one tool with one input, where the program gives them no ids. */
  readonly alike: string | null;
}
