import { fieldsWith, type RecordFieldName } from '../fields/fields.ts';

/** A query over records, as it means, not as it was typed. `parseQuery` makes it, `printQuery` writes it. */
export type Query =
  /** Every record. */
  | { readonly kind: 'all' }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Query[] }
  | { readonly kind: 'not'; readonly part: Query }
  /** Every record of a session in which some record is meant by `part`: `insession(refund) outcome = failed`. */
  | { readonly kind: 'session'; readonly part: Query }
  | TermQuery;

/** What asks for one thing. */
export type TermQuery = WordsQuery | PartQuery | ExistsQuery | EqualsQuery | CompareQuery | MatchesQuery;

/** The member is there, with whatever value, null included. */
export interface ExistsQuery {
  readonly kind: 'exists';
  readonly field: Field;
  /** Not where there is only something below it. */
  readonly itself?: true;
}

/** These words one after the other; without a field, in a member name or a value of the payload, or in one of WORDED_FIELDS. */
export interface WordsQuery {
  readonly kind: 'words';
  readonly field: Field | null;
  /** Folded as `wordsOf` does; at least one. */
  readonly words: readonly string[];
  /** The last word may go on: `cred*`. */
  readonly lastIsPrefix: boolean;
}

/** This text anywhere in what words are looked for in: `*part*`. */
export interface PartQuery {
  readonly kind: 'part';
  readonly field: Field | null;
  /** Folded as `foldText` does; never empty. */
  readonly text: string;
}

/** Exactly this value. */
export interface EqualsQuery {
  readonly kind: 'equals';
  readonly field: Field;
  /** For `duration`, milliseconds. */
  readonly value: string | number | boolean | null;
  /** As written, so that `007` finds the text 007 as well as the number 7. */
  readonly text: string;
}

/** A value below or above this one; of `number` and `time` one is null. */
export interface CompareQuery {
  readonly kind: 'compare';
  readonly field: Field;
  readonly operator: '<' | '<=' | '>' | '>=';
  /** For `duration`, milliseconds. */
  readonly number: number | null;
  /** Milliseconds since 1970. */
  readonly time: number | null;
}

/** A regular expression that matches somewhere in what words are looked for in. */
export interface MatchesQuery {
  readonly kind: 'matches';
  readonly field: Field | null;
  readonly source: string;
  readonly ignoreCase: boolean;
}

/** Where terms without a field look besides the payload: what the agent wrote about it in its own words. */
export const WORDED_FIELDS = fieldsWith({ worded: true });

export type Field =
  | { readonly of: 'record'; readonly name: RecordFieldName }
  /** A member of the payload: its path ends with these names, or is these names where `fromRoot`. Arrays add no name. */
  | { readonly of: 'payload'; readonly path: readonly string[]; readonly fromRoot: boolean };

export const QUERY_ERROR_CODES = [
  'UNEXPECTED_END',
  'UNEXPECTED_CHARACTER',
  'UNCLOSED_QUOTE',
  'UNCLOSED_GROUP',
  'UNCLOSED_REGEX',
  'BAD_REGEX',
  'BAD_NUMBER',
  'BAD_TIME',
  'BAD_VALUE',
  'NO_WORDS',
  'UNKNOWN_OPERATOR',
  'TOO_LONG',
  'TOO_DEEP',
  'TOO_MANY_TERMS',
] as const;

export type QueryErrorCode = (typeof QUERY_ERROR_CODES)[number];

/** Why a text is no query. */
export interface QueryError {
  readonly code: QueryErrorCode;
  /** A sentence for the person who typed it. */
  readonly message: string;
  /** The part of the text that is meant, in UTF-16 units; `end` is after its last one. */
  readonly at: number;
  readonly end: number;
  /** What would be accepted there, each a form or an example. */
  readonly expected: readonly string[];
}

/** How a part of a query was read that may mean something else. */
export type QueryNote = Pick<QueryError, 'message' | 'at' | 'end'>;

export type Parsed =
  | {
      readonly ok: true;
      readonly query: Query;
      /** Times of day that clocks of the zone show twice or never; left out where there are none. */
      readonly notes?: readonly QueryNote[];
    }
  | { readonly ok: false; readonly errors: readonly QueryError[] };

export interface ParseOptions {
  /** What `now`, `today` and `-15m` count from, in milliseconds since 1970. */
  readonly now: number;
  /** The IANA name of the time zone that dates and clock times without an offset are in. */
  readonly zone: string;
}

/** `and` or `or` of these, as the parser builds them: a single part as it is, parts of the same kind laid open. */
export function joined(kind: 'and' | 'or', parts: readonly Query[]): Query {
  const open = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  const [only] = open;
  return only !== undefined && open.length === 1 ? only : { kind, parts: open };
}
