/** What came of a call. `unfinished` is found over all records of a call: none says how it ended. */
export const OUTCOMES = ['ok', 'failed', 'refused', 'unfinished', 'unknown'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What is unusual about a record, by rules that explain themselves (marks.ts). */
export const MARKS = [
  'FAILED',
  'REFUSED',
  'UNFINISHED',
  'RETRIED',
  'FIRST_TOOL',
  'FIRST_HOST',
  'RATE_UNUSUAL',
  'APPROVAL_MISSING',
] as const;
export type Mark = (typeof MARKS)[number];

/** What a record does with something; from the least to the most. */
export const ACCESSES = ['mentioned', 'read', 'send', 'write', 'delete'] as const;
export type Access = (typeof ACCESSES)[number];
