import type { KnownContent } from './known-content.ts';
import type { Place } from './report.ts';

/** A record that counts for a call, and when its agent says that it was made. */
export interface Step extends Place {
  readonly agent_id: string;
  readonly issued_at: number;
}

export interface Asked extends Step {
  readonly input: KnownContent | null;
  readonly presented: KnownContent | null;
}

export interface Decided extends Step {
  readonly permits: boolean;
  /** Whether it permits the input that was asked for, and not another. */
  readonly unchanged: boolean;
  readonly input: KnownContent | null;
  readonly quotedInput: KnownContent | null;
  readonly quotedPresented: KnownContent | null;
  readonly byPerson: boolean;
  readonly byAgent: boolean;
  readonly reported: boolean;
}

export interface Executed extends Step {
  readonly input: KnownContent | null;
}

/** The call as one witness recorded it. */
export interface View {
  readonly agentId: string;
  session: string | null;
  proposed: Executed | null;
  started: Executed | null;
  executed: Executed | null;
  /** `said` unless the record leaves open how the call ended. */
  ended: (Step & { readonly status: string; readonly said: boolean; readonly output: KnownContent | null }) | null;
}

/** All that was recorded under one action_id. */
export interface Call {
  /** The agent that acts: the first that proposed, asked or carried it out. */
  actor: string | null;
  /** What is called: recorders name it where the call begins. */
  tool: string | null;
  session: string | null;
  asked: Asked | null;
  decided: Decided | null;
  executed: Executed | null;
  /** Carried out after it was asked for and before anybody decided. */
  undecided: boolean;
  deniedReported: boolean;
  readonly views: Map<string, View>;
}

export function newCall(): Call {
  return {
    actor: null,
    tool: null,
    session: null,
    asked: null,
    decided: null,
    executed: null,
    undecided: false,
    deniedReported: false,
    views: new Map(),
  };
}

export function stepOf({ seq_no, operation_id, agent_id, issued_at }: Step): Step {
  return { seq_no, operation_id, agent_id, issued_at };
}
