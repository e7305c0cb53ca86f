import type { Actor, Model } from './action-types.ts';
import type { Action } from './moments.ts';
import type { ActionOptions } from './open-action.ts';
import type { RecordingOptions } from './recording.ts';

export interface SessionOptions extends RecordingOptions {
  /** Names the session; a new UUID where it is left out. */
  readonly id?: string;
  /** For whom the agent acts. It is the agent's own word unless `identitySource` says otherwise. */
  readonly onBehalfOf?: string;
  readonly identitySource?: Actor['identity_source'] & {};
  readonly model?: string | Model;
  readonly program?: string | (Actor['program'] & {});
  readonly subAgent?: Actor['sub_agent'] & {};
}

/** An action that somebody was asked about; of plain JSON, so that it can be handed to whoever decides. */
export interface Question {
  /** Names the agent that asked. */
  readonly askedBy: string;
  readonly operationId: string;
  readonly action: Action;
  readonly presentedDigest: string | null;
}

export interface CallOptions<T> extends ActionOptions {
  /** The question about this very action: its records belong together, and its input is the one that was asked about. */
  readonly question?: Question;
  /** What of the result is recorded; all of it where this is left out. */
  readonly output?: (result: T) => unknown;
}

/** A name, or what says more than a name. */
export function named<T extends { readonly name: string }>(given: string | T): { readonly name: string } | T {
  return typeof given === 'string' ? { name: given } : given;
}

/** Who acts in a session. */
export function actorOf({ onBehalfOf, identitySource, model, program, subAgent }: SessionOptions): Actor {
  return {
    ...(onBehalfOf === undefined ? {} : { on_behalf_of: onBehalfOf, identity_source: identitySource ?? 'asserted' }),
    ...(model === undefined ? {} : { model: named(model) }),
    ...(program === undefined ? {} : { program: named(program) }),
    ...(subAgent === undefined ? {} : { sub_agent: subAgent }),
  };
}

/** What of a result is recorded. */
export function shownOf<T>({ output }: CallOptions<T>, result: T): unknown {
  if (output === undefined) return result;
  try {
    return output(result);
  } catch (error) {
    // The action was carried out: that its result cannot be described takes nothing from that.
    return `[unreadable: ${error instanceof Error ? error.message : 'it threw'}]`;
  }
}
