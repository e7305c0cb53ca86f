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
  'DISGUISED_TEXT',
] as const;
export type Mark = (typeof MARKS)[number];

/** What marks are called where people read them; a query takes these too. */
export const MARK_NAMES: Readonly<Record<Mark, string>> = {
  FAILED: 'Failed',
  REFUSED: 'Refused',
  UNFINISHED: 'No result',
  RETRIED: 'Retried',
  FIRST_TOOL: 'New tool',
  FIRST_HOST: 'New host',
  RATE_UNUSUAL: 'Unusual rate',
  APPROVAL_MISSING: 'Approval missing',
  DISGUISED_TEXT: 'Disguised text',
};

/** What a record does with something; from the least to the most. */
export const ACCESSES = ['mentioned', 'read', 'send', 'write', 'delete'] as const;
export type Access = (typeof ACCESSES)[number];
