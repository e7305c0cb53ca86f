import { plural } from '../lib/plural.ts';

export const EARLIER_ENTRIES = {
  show: 'Show earlier entries',
} as const;

export const REPORT_SIGNING = {
  looking: 'Looking for your signing key…',
  sign: 'Sign the report with your key',
  signs:
    'Signs everything in the report: title, question, comments, order and records. Readers compare this fingerprint, which the report names, with what you tell them through a separate channel:',
  leftUnsigned: 'Title, question, comments and order are then unsigned, and the report says so.',
  unsigned: 'The report will not be signed',
  nobody: 'Only a member of an organization who is signed in has a signing key.',
  noKey: 'This browser has no key of yours.',
  makeKey: 'Create signing key',
  fingerprint: 'fingerprint of your key',
  saved: (isSigned: boolean, records: number) =>
    `${isSigned ? 'A signed report' : 'A report'} of ${plural(records, 'record')} was saved.`,
  keyMade: 'Signing key created in this browser.',
} as const;

export const ACTION_MARKS = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  refused: 'Refused',
  noResult: 'No result',
  unknown: 'Unknown',
  retried: 'Retried',
  newTool: 'New tool',
  newHost: 'New host',
  unusualRate: 'Unusual rate',
  approvalMissing: 'Approval missing',
} as const;

export const ANSWER = {
  notLoaded: (what: string) => `Not loaded yet: ${what}.`,
  loading: (what: string) => `Loading ${what}…`,
  notInRole: 'Your role does not include this.',
  inServiceLog: 'Request {requestId} in the log of the service',
  tryAgain: 'Try again',
} as const;

export const CHANGED_BY = {
  changed: 'Changed {time}',
  changedBy: 'Changed {time} by {person}',
} as const;

export const CONFIRM = {
  reason: 'Reason',
  recorded: 'Recorded in the admin log.',
} as const;

export const COVERAGE_MARK = {
  newerNotRead: (pending: number) => `${plural(pending, 'newer record')} not read yet`,
  searchEnded: 'the search ended early: not every record was looked at',
} as const;

export const ENTITY_CHIP = {
  read: 'read',
  changed: 'changed',
  deleted: 'deleted',
  sentTo: 'sent to',
  named: 'named',
  more: (rest: number) => `and ${rest} more`,
} as const;

export const FILTER_FORM = {
  rangeReversed: 'The range ends before it begins.',
  filters: 'Filters',
  timeExample: (forms: string) => `For example ${forms}`,
  clear: 'Clear',
} as const;

export const FILTER_INPUT = {
  filter: 'Filter',
} as const;

export const FINGERPRINT = {
  fingerprint: 'fingerprint',
  kid: 'kid',
  notHome: 'Not the home organization of this workstation',
} as const;

export const FORM_END = {
  cancel: 'Cancel',
} as const;

export const GRID_HEAD = {
  width: (head: string) => `Width of ${head}`,
  keys: 'Arrow keys: width. Shift and arrow keys: position. Enter or double click: reset all.',
} as const;

export const HASH = {
  copied: (what: string) => `${what} copied.`,
  notCopied: (what: string) => `${what} could not be copied: the system refused.`,
  copy: (what: string) => `Copy ${what}`,
} as const;

export const HISTOGRAM = {
  legend: 'Agents in the chart',
  none: 'No operations in this range',
  summary: (total: number, from: string, to: string, zone: string, highest: string) =>
    `${plural(total, 'operation')}, from ${from} to ${to} ${zone}, highest bar: ${highest}.`,
  utc: 'UTC',
  localTime: 'local time',
} as const;

export const MARK = {
  pass: 'Pass',
  fail: 'Fail',
  notChecked: 'Not checked',
  cannotCheck: 'Cannot check',
  notApplicable: 'Not applicable',
  cannotSign: 'cannot sign: no active key',
} as const;

export const MERKLE_PATH = {
  path: (firstSeqNo: number, levels: number) =>
    `Inclusion path of record ${firstSeqNo}: ${levels} levels from the leaf to the root`,
  record: (first: number) => `record ${first}`,
  records: (first: number, last: number) => `records ${first}–${last}`,
  meaning:
    'Each filled box is computed from the two boxes below it, beginning with the record. The other boxes come with the proof. If the box at the top is the signed root, the epoch contains exactly this record.',
} as const;

export const NEEDS_ROLE = {
  whoMayChange: 'A security admin or an owner of the organization can change it.',
} as const;

export const NEW_PASSWORD = {
  rule: (min: number) => `At least ${min} characters. Four unrelated words are better than one with digits.`,
} as const;

export const PAYLOAD = {
  membersMissing: (count: number) =>
    `${plural(count, 'member is', 'members are')} withheld or erased. A salted digest of each is signed, so trial and error does not find the value.`,
  withheld: 'Withheld. Its digest is signed, and everything else is checked all the same.',
} as const;

export const READING = {
  notRead: 'The service has not read this record yet.',
  what: 'what was read',
  session: 'Session',
  tool: 'Tool',
  outcome: 'Outcome',
  duration: 'Duration',
  person: 'Person',
  subAgent: 'Sub-agent',
  moments: 'Moments',
  entities: 'Entities',
  marks: 'Marks',
  nothingRead: 'Nothing was read from this payload.',
  showRecord: 'Show the record',
  showRecordNumber: (number: number) => `Show record ${number}`,
  compareTry: 'Compare with previous try',
} as const;

export const REPORT_DIALOG = {
  pdf: 'PDF, for paper',
  html: 'HTML, a page that verifies itself',
  report: 'Report…',
  atMost: (most: string) => `A report shows at most ${most} records.`,
  reportOf: (records: number) => `Report of ${plural(records, 'record')}`,
  title: 'Title',
  question: 'What was asked',
  madeBy: 'Made by',
  file: 'File',
  fileHint: 'Either holds the proof of these records alone.',
  printAll: 'Print every record with all of its contents',
  printAllHint:
    'Otherwise large contents are shortened, and beyond 200 records the report only lists them. The attached data hold everything.',
  noteComments: (notes: number) => `Use ${plural(notes, 'note as comment', 'notes as comments')}`,
  notesHint: 'A report contains notes only where you add them.',
  making: 'Making the report…',
  save: 'Save report',
  movedTo: (seqNo: number, place: number, count: number) => `No. ${seqNo} is now ${place} of ${count}.`,
  removed: (seqNo: number) => `No. ${seqNo} is no longer in the report.`,
  order: 'Records, in the order of the report',
  number: (seqNo: string) => `No. ${seqNo}`,
  moveUp: (seqNo: number) => `Move No. ${seqNo} up`,
  moveDown: (seqNo: number) => `Move No. ${seqNo} down`,
  commentOn: (seqNo: number) => `Comment on No. ${seqNo}`,
  comment: 'Comment',
  commentWritten: 'Comment ✓',
  leaveOutNumber: (seqNo: number) => `Leave out No. ${seqNo}`,
  leaveOut: 'Leave out',
} as const;

export const SAVE_ROWS = {
  saving: (progress: string) => `Saving… ${progress}`,
  csv: 'CSV',
  jsonLines: 'JSON Lines',
} as const;

export const STEPS = {
  step: (n: number) => `step ${n}`,
} as const;

export const WAY_BACK = {
  search: 'Search',
} as const;
