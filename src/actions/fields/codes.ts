import type { CoherenceCode } from '../profile/light.ts';

/** What came of a call. `unfinished` is found over all records of a call: none says how it ended. */
export const OUTCOMES = ['ok', 'failed', 'refused', 'unfinished', 'unknown'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What coherence finds (docs/agent-actions.md), as people read it: what to look at first comes first. */
const COHERENCE_NAMES = {
  EXECUTED_THOUGH_DENIED: 'Executed though denied',
  APPROVAL_MISSING: 'Approval missing',
  APPROVED_AFTER: 'Approved after',
  EXECUTED_OTHER_THAN_APPROVED: 'Executed other than approved',
  DECIDED_ON_OTHER_THAN_ASKED: 'Decided on other than asked',
  SELF_APPROVED: 'Approved by itself',
  DECIDED_BY_NO_PERSON: 'Decided by no person',
  DECIDED_BEFORE_ASKED: 'Decided before asked',
  DECIDED_BEFORE_KEY: 'Decided before its key',
  PROFILE_INVALID: 'Not of the profile',
  DIGEST_MISMATCH: 'Digest mismatch',
  INPUT_CHANGED: 'Input changed',
  WITNESSES_DISAGREE: 'Witnesses disagree',
  STARTED_TWICE: 'Started twice',
  ENDED_TWICE: 'Ended twice',
  ENDED_NEVER_STARTED: 'Never started',
  STARTED_NEVER_ENDED: 'Unfinished',
  RETRIED: 'Retried',
  SESSION_OPEN: 'Session open',
  SESSION_TOTALS_DISAGREE: 'Session totals disagree',
  RECORD_AFTER_SESSION_END: 'After the session',
  SUBAGENT_WITHOUT_CAUSE: 'Sub-agent without cause',
  CAUSE_LATER: 'Cause later',
  CAUSE_UNKNOWN: 'Cause unknown',
  RESOURCE_JUMP: 'State changed between',
  RECORDER_GAP: 'Recorder gap',
} as const satisfies Readonly<Record<CoherenceCode, string>>;

/** What marks are called where people read them; a query takes these too. What coherence finds about a record is a mark of it. */
export const MARK_NAMES = {
  FAILED: 'Failed',
  REFUSED: 'Refused',
  ...COHERENCE_NAMES,
  APPROVAL_RULE_BROKEN: 'Approval rule broken',
  FIRST_TOOL: 'New tool',
  FIRST_HOST: 'New host',
  RATE_UNUSUAL: 'Unusual rate',
  SESSION_ON_OTHER_LEDGER: 'Session on another host',
  CALL_ON_OTHER_LEDGER: 'Call on another host',
  DISGUISED_TEXT: 'Disguised text',
  NOT_SIGNED: 'Not signed',
} as const;
export type Mark = keyof typeof MARK_NAMES;
/** What is unusual about a record, by rules that explain themselves. */
export const MARKS = Object.keys(MARK_NAMES) as [Mark, ...Mark[]];

/** Marks that somebody should look at before all others, the worst first. */
export const ALARMS: ReadonlySet<Mark> = new Set<Mark>([
  'EXECUTED_THOUGH_DENIED',
  'APPROVAL_MISSING',
  'APPROVED_AFTER',
  'EXECUTED_OTHER_THAN_APPROVED',
  'DECIDED_ON_OTHER_THAN_ASKED',
  'APPROVAL_RULE_BROKEN',
]);

/** What a record does with something; from the least to the most. */
export const ACCESSES = ['mentioned', 'read', 'send', 'write', 'delete'] as const;
export type Access = (typeof ACCESSES)[number];

/** Fields that a rule may have guessed: of these it is told from what they were read. */
export const SOURCED = ['session', 'tool', 'outcome', 'person', 'duration'] as const;
export type Sourced = (typeof SOURCED)[number];

/** How something was sent or asked for. */
export const DESTINATION_WAYS = ['mail', 'request', 'command', 'tool'] as const;
export type DestinationWay = (typeof DESTINATION_WAYS)[number];

/** What needs a look, by what it is: the worst first. */
export const LOOK_KINDS = [
  'decision',
  'contradiction',
  'refused',
  'recorder_gap',
  'silent',
  'failed',
  'open',
  'first_host',
  'first_tool',
] as const;
export type LookKind = (typeof LOOK_KINDS)[number];

/** What in a file that was found shows that it is not as its program wrote it; or that two accounts of one thing are two. */
export const SIGN_CODES = [
  'LINK_MISSING',
  'RESULT_MISSING',
  'NUMBER_MISSING',
  'SUM_DIFFERS',
  'TIME_BACK',
  'ACCOUNTS_DIFFER',
  'FILES_DIFFER',
  'ENTRY_UNREADABLE',
] as const;
export type SignCode = (typeof SIGN_CODES)[number];

/** A form in which records are handed to other programs. */
interface RecordForm {
  readonly name: string;
  /** How its files end. */
  readonly ending: string;
  readonly contentType: string;
  /** For people who choose one. */
  readonly is: string;
}

/** The forms in which records are handed to other programs (docs/export-formats.md). Interface, command, screens and documentation take them from here. */
export const RECORD_FORMS = {
  parquet: {
    name: 'Parquet',
    ending: '.parquet',
    contentType: 'application/vnd.apache.parquet',
    is: 'columns for DuckDB, ClickHouse, Spark, pandas',
  },
  csv: {
    name: 'CSV',
    ending: '.csv',
    contentType: 'text/csv; charset=utf-8',
    is: 'a table for spreadsheets; texts that begin like a formula get an apostrophe',
  },
  timesketch: {
    name: 'Timesketch',
    ending: '.timesketch.jsonl',
    contentType: 'application/x-ndjson; charset=utf-8',
    is: 'a timeline as JSON lines',
  },
  ocsf: {
    name: 'OCSF events',
    ending: '.ocsf.jsonl',
    contentType: 'application/x-ndjson; charset=utf-8',
    is: 'API Activity (6003) of OCSF 1.8.0 as JSON lines',
  },
  syslog: {
    name: 'Syslog',
    ending: '.log',
    contentType: 'text/plain; charset=utf-8',
    is: 'RFC 5424 messages, one a line, each with a JSON object',
  },
} as const satisfies Readonly<Record<string, RecordForm>>;

export type RecordFormName = keyof typeof RECORD_FORMS;
export const RECORD_FORM_NAMES = Object.keys(RECORD_FORMS) as [RecordFormName, ...RecordFormName[]];
