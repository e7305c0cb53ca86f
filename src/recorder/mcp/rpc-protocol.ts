import type { Seen } from '../seen/seen.ts';
import type { CallEnd } from './call-ends.ts';
import type { Acts, RpcId, RpcMessage } from './message.ts';
import type { Origin, Side } from './open-call.ts';

/** What is known of a connection from the start. */
export interface ConnectionFacts {
  /** Tells it from every other connection: a UUID. */
  readonly id: string;
  /** What the user calls the server; null where it may name itself. */
  readonly serverName: string | null;
  /** What the server is called until it named itself. */
  readonly fallbackName: string;
  /** The working folder of the client, where it is known. */
  readonly cwd: string | null;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that never go back. */
  monotonic(): number;
}

/** What follows the messages of one connection, and says what of them is to be recorded. */
export interface Followed {
  /** The name by which the program that acts calls itself; null until it did. */
  readonly programName: string | null;
  /** Responses to nothing that was asked. */
  readonly strayResponses: number;
  /** Whether something was seen that `owed` gives a note of later. */
  readonly owesNotes: boolean;
  /** What is to be recorded of a message, in order. */
  saw(from: Side, message: RpcMessage, origin: Origin): Seen[];
  note(name: string, text: string | null, origin: Origin): Seen;
  /** A request has no response, or none that could be read. */
  gaveUp(from: Side, id: RpcId, scope: string, end: CallEnd): Seen[];
  /** Notes that are due by now, of what happened too often for one each. */
  owed(): Seen[];
  /** The connection ended; calls without an end have none that anybody saw. */
  closed(): Seen[];
}

/** All that differs between the protocols of JSON-RPC that a proxy records. */
export interface RpcProtocol {
  /** Before the names of its notes. */
  readonly name: 'mcp' | 'acp';
  /** What its two sides are called in notes. */
  readonly sides: { readonly [side in Side]: string };
  readonly acts: Acts;
  /**
   * Whether what a side sends may be held back: the recorder is then asked before an action passes, and what cannot be read counts as one.
   */
  isHeld(from: Side): boolean;
  /** Whether a message of such a side is an action. */
  isAction(message: RpcMessage): boolean;
  follow(facts: ConnectionFacts, clock: Clock): Followed;
}
