import type { Access, Outcome, Sourced } from '../fields/codes.ts';
import type { FieldsWith, FieldValues } from '../fields/fields.ts';
import { PHASE_NAMES, type Phase } from '../profile/light.ts';

/** Moments of an action (docs/agent-actions.md); `record` for a payload that is not of the profile: call and result in one. */
export type FactPhase = Phase | 'record';
export const FACT_PHASES: readonly FactPhase[] = [...PHASE_NAMES, 'record'];

/** What became of a call, as one of its records says. That a call is unfinished is found over all of its records. */
export type RecordOutcome = Exclude<Outcome, 'unfinished'>;

/** Something that a record touches or names: a file, a host, an account, a reservation. */
export interface TouchedEntity {
  readonly kind: string;
  readonly id: string;
  readonly access: Access;
  /** Whether the agent declared it, in `touched` of the profile. What it did not declare is a guess of the rules. */
  readonly declared: boolean;
  /** Where it was read: a JSON Pointer into the payload, or `subject`. */
  readonly at: string;
  /** What tells the access of a guess: a member of this list, or the pointer of a word such as an HTTP method. Null where it is only mentioned. */
  readonly accessFrom: 'declared' | 'tool' | 'action' | 'rule' | 'command' | `/${string}` | null;
  /** Names of its states, where they are given; null is absence. */
  readonly before?: string | null;
  readonly after?: string | null;
  readonly amount?: { readonly value: string; readonly currency: string | null };
}

/** From what a fact was read. */
export interface FactSource {
  readonly field: Sourced;
  /** A JSON Pointer into the payload, or a member of the record: `subject`, `action` or `type`. */
  readonly at: string;
  /** Whether the payload profile declares it; else a rule guessed it. */
  readonly declared: boolean;
}

/**
 * What is read out of one record. Derived, no evidence. What searches ask for has the name, and the meaning, that the table of
 * fields gives it; an error has at most 300 characters.
 */
export interface RecordFacts extends FieldValues<FieldsWith<{ from: 'payload' }>> {
  readonly parentSession: string | null;
  readonly phase: FactPhase;
  readonly outcome: RecordOutcome | null;
  /** How a command ended, where the record says so. */
  readonly exitCode: number | null;
  readonly subAgent: string | null;
  /** `operation_id` of the records that led to this one. */
  readonly causes: readonly string[];
  readonly entity: readonly TouchedEntity[];
  readonly sources: readonly FactSource[];
  /** JSON Pointers of what the call was given, and what it gave back, in a payload of no profile. */
  readonly input: string | null;
  readonly output: string | null;
  /** Where a word is not what it seems to be: `subject`, `action`, or the JSON Pointer of the first such member. */
  readonly disguisedIn: string | null;
  /** One line of at most 200 characters: tool(arguments) → result. */
  readonly summary: string;
}

/** What is read out of a payload in the way of its kind. */
export type PayloadFacts = Omit<RecordFacts, 'disguisedIn'>;

/** The members of a record that facts are read from besides its payload. */
export interface RecordHead {
  readonly agent_id: string;
  readonly operation_type: string;
  readonly action: string;
  readonly subject: string;
}

export const MAX_ERROR = 300;
export const MAX_SUMMARY = 200;
/** Of entities that were guessed; what is declared has its place besides. */
export const MAX_ENTITIES = 64;
/** As many resources as the profile has room for. */
export const MAX_DECLARED = 256;
export const MAX_HOSTS = 32;
