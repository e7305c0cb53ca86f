import type { ExactJson } from '../../protocol/light.ts';
import type { Actor, Decision, Outcome, ToldKind, Tool, Touched } from './action-types.ts';

/** What every moment of a session says. */
export interface Common {
  /** UUID v4 of the record that is made of it: the same moment handed in twice is recorded once. */
  readonly operationId: string;
  /** RFC 3339 */
  readonly observedAt: string;
  readonly session: { readonly id: string; readonly parent?: string };
  readonly actor: Actor;
  /** `operation_id` of the records that led to this one. */
  readonly cause: readonly string[];
}

/** What stays the same over all moments of one action. */
export interface Action {
  readonly actionId: string;
  readonly tool: Tool;
  readonly input: ExactJson;
  /** Of all contents that quote the input. */
  readonly salt: string;
  /** Overrides of what would be said of the action by itself. */
  readonly operationType?: string;
  readonly subject?: string;
}

export type CallStage = 'proposed' | 'asked' | 'started' | 'completed' | 'failed' | 'refused';

export interface CallMoment extends Common {
  readonly kind: 'call';
  readonly stage: CallStage;
  readonly action: Action;
  readonly touched: readonly Touched[];
  /** What was shown to whoever decides. */
  readonly presented?: { readonly value: ExactJson; readonly salt: string };
  readonly output?: ExactJson;
  readonly outcome?: Outcome;
  readonly durationMs?: number;
}

/** What is said of a call besides what every moment says. */
export type CallMembers = Omit<CallMoment, 'kind' | 'stage' | keyof Common>;

export interface DecisionMoment extends Common {
  readonly kind: 'decision';
  readonly action: Action;
  readonly decision: Decision;
  /** The operation that asked. */
  readonly of: string;
  readonly presentedDigest: string | null;
  /** The acting agent tells what somebody else decided: its word, not theirs. */
  readonly reported: boolean;
}

export interface SessionMoment extends Common {
  readonly kind: 'session_started' | 'session_ended';
  /** Records of the session so far; only where none was lost. */
  readonly records?: number;
}

export interface ToldMoment extends Common {
  readonly kind: 'told';
  readonly told: readonly { readonly kind: ToldKind; readonly value: ExactJson }[];
}

export interface NoteMoment extends Common {
  readonly kind: 'note';
  readonly name: string;
  readonly text: string | null;
}

export interface GapMoment extends Common {
  readonly kind: 'gap';
  readonly count: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly reason: string;
}

/** What a session sees: of each, one record is made. */
export type Moment = CallMoment | DecisionMoment | SessionMoment | ToldMoment | NoteMoment | GapMoment;

/** What becomes of an action that cannot be recorded. */
export type OnFailure = 'throw' | 'continue';

/** Where moments become records. */
export interface Sink {
  /** Names the agent; whose records these are. */
  readonly agent: string;
  /** On this machine, and so answering at once: it is waited for even where failures are passed over. */
  readonly local: boolean;
  /**
   * @param onFailure what the session does where it throws: an action that is carried out all the same may become a record later
   * @returns once the record is durable where the sink keeps it, or lies where it is made later
   * @throws AgentError; ACTION_BLOCKED where the action must not be carried out
   */
  take(moment: Moment, onFailure: OnFailure): Promise<void>;
}
