/** What can be wrong with a time stamp (protocol V179). */
export const TIME_STAMP_CODES = [
  'MALFORMED',
  'REFUSED',
  'VERSION',
  'HASH',
  'IMPRINT',
  'NONCE',
  'SIGNER',
  'USAGE',
  'ALGORITHM',
  'SIGNATURE',
  'EXPIRED',
  'CHAIN',
  'ORDER',
  'ROOT_UNKNOWN',
  'ROOT_ENDED',
] as const;
export type TimeStampCode = (typeof TIME_STAMP_CODES)[number];

/** What came of one token. Members that its form did not give are null. */
export interface JudgedToken {
  /** Who signed it, as the certificate calls them. */
  readonly authority: string | null;
  /** When, by their clock, in RFC 3339. */
  readonly at: string | null;
  /** In milliseconds; null where it is not said. */
  readonly accuracy: number | null;
  /** The latest time that they mean. */
  readonly existed_before: string | null;
  /** The earliest: what has the token in it was made not before. */
  readonly made_not_before: string | null;
  /** The digest of the token, by which a ledger notes it (protocol F121). */
  readonly digest: string | null;
  readonly serial: string | null;
  readonly policy: string | null;
  readonly hash: string | null;
  readonly code: TimeStampCode | null;
  readonly message: string | null;
}

/** What a file of time stamps says by itself (protocol V178, V179). */
export interface JudgedStamps {
  readonly verdict: 'verified' | 'incomplete' | 'failed';
  /** Of the checkpoint; null where the file cannot be read. */
  readonly size: number | null;
  readonly root: string | null;
  /** The earliest time that a token shows; null where none does. */
  readonly existed_before: string | null;
  /** Who says so. */
  readonly said_by: string | null;
  readonly tokens: readonly JudgedToken[];
}

/** Records and administrative events that state a time outside what others allow: how many, and the first of them. */
export interface Mistimed {
  readonly count: number;
  readonly first: {
    readonly seq_no?: number;
    /** Of an event its number in the log. */
    readonly event_no?: number;
    readonly at: string;
  };
}

/** What a file of time stamps says about a bundle or a proof (protocol V180). */
export interface HeldStamps extends JudgedStamps {
  readonly file: string;
  /** Records up to this number are below the checkpoint: only of them do the stamps speak. */
  readonly reaches: number;
  /** What states a later time than the stamps allow: TIME_AFTER_STAMP. */
  readonly late: Mistimed | null;
}

/** What was sealed when something was known that nobody could know before a time (protocol V190). */
export interface NotedTime {
  readonly not_before: string;
  /** The authority that says so; null where the reader does. */
  readonly said_by: string | null;
  readonly event_no: number;
  /** The first record of the first epoch that seals it, as far as the file shows that; null where it does not. */
  readonly from_seq_no: number | null;
  /** What states an earlier time and comes later: TIME_BEFORE_STAMP. */
  readonly early: Mistimed | null;
}

/** What others than the service say about the times of a file, where the reader asks somebody (protocol V181). */
export interface SaidTimes {
  readonly stamps: readonly HeldStamps[];
  readonly not_before: readonly NotedTime[];
  /** Lines that the reader knows, and the file's ledger does not note. */
  readonly not_noted: readonly string[];
}
