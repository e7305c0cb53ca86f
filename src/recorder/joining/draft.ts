import type { Json } from '../../protocol/light.ts';

/**
 * A record to be signed: the members of an operation that its agent chooses (docs/interface.md, Operations). The payload is of
 * the profile countersign.agent-action/1.
 */
export interface Draft {
  /** UUID, in the form of version 4: follows from the event, so that the same event never makes two. */
  readonly operationId: string;
  /** Such as tool.shell, session.start, recorder.gap. */
  readonly operationType: string;
  /** What it was done to: a path, program, host, server and tool; at most 512 characters. */
  readonly subject: string;
  /** The phase. */
  readonly action: string;
  readonly payload: { readonly [member: string]: Json };
  /** Whether it is about a call that changes something, and not only reads. */
  readonly changes: boolean;
}

/** What is kept of a call or session between its events: written with the records that came of the same event, or not at all. */
export interface StateChange {
  readonly key: string;
  /** Null where nothing has to be kept any more. */
  readonly value: Json | null;
}

/** What events came to. */
export interface Joined {
  readonly drafts: readonly Draft[];
  readonly changes: readonly StateChange[];
}
