/** What a certificate of retention states, in the order in which it is judged (protocol R72). */
export const RETENTION_STATEMENTS = [
  'signature',
  'sums',
  'logged',
  'begun',
  'stopped',
  'rules',
  'holds',
  'erasures',
  'records',
  'due',
  'held',
] as const;
export type RetentionStatementName = (typeof RETENTION_STATEMENTS)[number];

/** The code of a statement that is contradicted. */
export const RETENTION_CODES = {
  signature: 'SIGNATURE_INVALID',
  sums: 'SUMS_DIFFER',
  logged: 'NOT_LOGGED',
  begun: 'SWEEP_DIFFERS',
  stopped: 'STOP_DIFFERS',
  rules: 'RULES_DIFFER',
  holds: 'HOLDS_DIFFER',
  erasures: 'ERASURES_DIFFER',
  records: 'RECORDS_DIFFER',
  due: 'NOT_DUE',
  held: 'ERASED_UNDER_HOLD',
} as const satisfies Readonly<Record<RetentionStatementName, string>>;
export type RetentionCode = (typeof RETENTION_CODES)[RetentionStatementName];

/** `open`: nothing that was given says it, so it is the operator's word. */
export type StatementState = 'confirmed' | 'contradicted' | 'open';

/** What was found about one statement. */
export interface Found {
  readonly state: StatementState;
  /** Why, in a sentence. */
  readonly why: string;
}

export type Findings = Partial<Record<RetentionStatementName, Found>>;

export const confirmed = (why: string): Found => ({ state: 'confirmed', why });
export const contradicted = (why: string): Found => ({ state: 'contradicted', why });
export const open = (why: string): Found => ({ state: 'open', why });
