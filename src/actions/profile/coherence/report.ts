/**
 * `contradiction`: two records, or two members of one, that cannot both be true of an honest recorder. `open`: what is here leaves a
 * question. `note`: what happened, where nothing contradicts and nothing is open. What each code means is in docs/agent-actions.md.
 */
export const COHERENCE_CODES = [
  'EXECUTED_THOUGH_DENIED',
  'APPROVAL_MISSING',
  'APPROVED_AFTER',
  'EXECUTED_OTHER_THAN_APPROVED',
  'DECIDED_ON_OTHER_THAN_ASKED',
  'SELF_APPROVED',
  'DECIDED_BY_NO_PERSON',
  'DECIDED_BEFORE_ASKED',
  'DECIDED_BEFORE_KEY',
  'PROFILE_INVALID',
  'DIGEST_MISMATCH',
  'INPUT_CHANGED',
  'WITNESSES_DISAGREE',
  'STARTED_TWICE',
  'ENDED_TWICE',
  'ENDED_NEVER_STARTED',
  'STARTED_NEVER_ENDED',
  'RETRIED',
  'SESSION_OPEN',
  'SESSION_TOTALS_DISAGREE',
  'RECORD_AFTER_SESSION_END',
  'SUBAGENT_WITHOUT_CAUSE',
  'CAUSE_LATER',
  'CAUSE_UNKNOWN',
  'RESOURCE_JUMP',
  'RECORDER_GAP',
] as const;

export type CoherenceCode = (typeof COHERENCE_CODES)[number];
export type CoherenceSeverity = 'contradiction' | 'open' | 'note';

/** A record as findings name it. */
export interface Place {
  readonly seq_no: number;
  readonly operation_id: string;
}

/** The place of a record alone: what is kept of a record must not keep its payload. */
export function placeOf({ seq_no, operation_id }: Place): Place {
  return { seq_no, operation_id };
}

export interface CoherenceFinding {
  readonly code: CoherenceCode;
  readonly severity: CoherenceSeverity;
  readonly where: Place & {
    /** The record that it is held against. */
    readonly other_seq_no?: number;
    /** JSON Pointer into the payload of the first record. */
    readonly pointer?: string;
  };
  readonly message: string;
}

export const COHERENCE_STATUSES = ['coherent', 'incoherent', 'not_checked', 'not_applicable'] as const;

/**
 * - `coherent`: all of it was checked, and nothing contradicts; questions may be open.
 * - `incoherent`: there is a contradiction.
 * - `not_checked`: no contradiction was found, and part of it could not be checked.
 * - `not_applicable`: there is no record of the profile.
 */
export type CoherenceStatus = (typeof COHERENCE_STATUSES)[number];

export interface CoherenceReport {
  readonly type: 'countersign.coherence.v1';
  readonly status: CoherenceStatus;
  readonly counts: {
    /** Records of the profile. */
    readonly records: number;
    readonly calls: number;
    readonly decisions: number;
    readonly sessions: number;
    readonly contradictions: number;
    readonly open: number;
    readonly notes: number;
  };
  /** How much was not checked, and why. */
  readonly not_checked: {
    /** Records of which a member, or the whole payload, is not shown. */
    readonly withheld: number;
    /** Decisions whose input or presentation could not be compared: a value or a digest is not there. */
    readonly not_comparable: number;
    /** What was dropped because there was too much to keep in memory. */
    readonly forgotten: number;
    /** Records that are not readable, or do not stand in the order of seq_no. */
    readonly unreadable: number;
  };
  /** At most MAX_FINDINGS, in the order in which they were found. */
  readonly findings: readonly CoherenceFinding[];
  /** How many findings of each code there are, those that are not listed included. */
  readonly codes: { readonly [code in CoherenceCode]?: number };
}

/** The most findings that a report lists. */
export const MAX_FINDINGS = 1000;
