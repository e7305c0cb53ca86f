import { numberText } from '../lib/locale.ts';
import { plural } from '../lib/plural.ts';

export const GROUP_FIELDS = {
  by: 'Group by',
  thenBy: 'Then by',
  measure: 'Show',
  of: 'Of',
  operations: { count: 'Count', sum: 'Sum', min: 'Least', max: 'Most', median: 'Median' },
} as const;

export const EARLIER_ENTRIES = {
  show: 'Show earlier entries',
} as const;

export const ACTION_MARKS = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  refused: 'Refused',
  noResult: 'No result',
  unknown: 'Unknown',
} as const;

export const ANSWER = {
  notLoaded: (what: string) => `Not loaded yet: ${what}.`,
  loading: (what: string) => `Loading ${what}…`,
  notInRole: 'Your role does not include this.',
  inServiceLog: 'Request {requestId} in the log of the service',
  tryAgain: 'Try again',
  stop: 'Stop',
} as const;

export const CHANGED_BY = {
  changed: 'Changed {time}',
  changedBy: 'Changed {time} by {person}',
} as const;

export const DECISION_LINES = {
  title: 'Who decided',
  by: ' by {who}',
  kinds: { human: 'a person', policy: 'a policy', agent: 'an agent' } as Readonly<Record<string, string>>,
  reportedBy: 'as {agent} reports in {record}',
  signedBy: 'signed by {agent} in {record}',
  record: (seqNo: number) => `record ${seqNo}`,
} as const;

export const WRONG_CLOCK = {
  seq_no: 'The time of receipt',
  epoch_no: 'The end of the epoch',
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
  guess: 'guess',
  declared: 'Declared by the agent',
  guessedFrom: (place: string) => `Guess, read from ${place}`,
  accessGuessedFrom: (access: string, place: string) => `“${access}” is a guess, read from ${place}`,
  subject: 'the subject',
  action: 'the action',
  type: 'the type',
  toolName: 'the name of the tool',
  rule: 'a reading rule',
  command: 'the command',
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

export const NAMED_PLACES = {
  title: 'Places',
  looking: (examined: string, last: string) => `${examined} of ${last} records looked through…`,
  stop: 'Stop',
  none: 'Nothing names them.',
  records: (count: number) => plural(count, 'record'),
  found: (records: number, payloads: number) =>
    `${plural(records, 'record names', 'records name')} them, ${numberText(payloads)} of these in the payload`,
  compared: 'Compared as:',
  of: {
    export: {
      reached: 'An export can withhold',
      left: 'Signed, and stays in every export',
      leftHint:
        'The signature covers these. To leave them out, export another range or agent, or do not export. Of administrative events those stay that are about agents and their operations; the others are withheld.',
    },
    erasure: {
      reached: 'Can be erased',
      left: 'Stays after every erasure',
      leftHint:
        'Subjects, actions, types and names of salted members are signed outside the payload. Agents, administrative events, tags, notes and saved searches are changed where they were written, as far as they can be.',
    },
    hold: {
      reached: 'Covered by a hold on this person',
      left: 'Not covered',
      leftHint: 'A hold protects payloads of records. The other places change only when somebody edits them.',
    },
  },
  elsewhere: 'In no export',
  elsewhereHint: 'A sealed case contains these. Change them where they were written.',
  guessable: 'A short plain payload can be found from its hash by whoever guesses it. Salted members cannot.',
  more: 'There are more kinds of places than are listed.',
  notExamined: 'Older events or notes were not looked at.',
  subject: 'Subject',
  action: 'Action',
  type: 'Operation type',
  value: 'Value at {pointer}',
  name: 'Name of a member at {pointer}',
  apart: 'Part of the name at {pointer}',
  whole: 'Payload too large to be read',
  member: 'member',
  payload: 'whole payload',
  organization: 'Name of the organization',
  agent_id: 'Ids of agents',
  agent_name: 'Names of agents',
  admin_event: 'Administrative events',
  tag: 'Tags',
  note: 'Notes',
  saved_search: 'Saved searches',
} as const;

export const FINGERPRINT = {
  fingerprint: 'fingerprint',
  kid: 'kid',
  purpose: {
    issuer:
      'Compare these digits with what the issuer tells you by telephone or in person. If they agree, the file is from that issuer.',
    own: 'Read these digits out to whoever verifies your files, by telephone or in person: they compare them with the file.',
    person:
      'Compare these digits with what the person tells you by telephone or in person. If they agree, the key is theirs.',
  },
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
  others: (agents: string) => `${agents} others`,
  rest: 'others',
  viewAll: 'View all',
  none: 'No operations in this range',
  summary: (total: number, from: string, to: string, highest: string) =>
    `${plural(total, 'operation')}, from ${from} to ${to}, highest bar: ${highest}.`,
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
    `${plural(count, 'member is', 'members are')} withheld or erased. The name is signed in clear; the value only as a salted digest, so trial and error does not find it.`,
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

export const SAVE_ROWS = {
  saving: (progress: string) => `Saving… ${progress}`,
  csv: 'CSV',
  jsonLines: 'JSON Lines',
  cancel: 'Cancel',
} as const;

export const HAND_LINES = {
  showQr: 'Show QR code',
} as const;

export const SCAN = {
  scan: 'Scan QR code',
  view: 'What the camera sees',
  hold: 'Hold the code in front of the camera.',
  read: (have: number, of: number) => `${have} of ${of} codes read.`,
  missing: (have: number, of: number) => `${have} of ${of} codes are here: scan the others too.`,
  wrong: 'All codes are here, and one of them was read wrongly: take them again.',
  notAllowed: 'The camera may not be used here: allow it for this page, or paste the lines.',
  none: 'No camera can be used here: paste the lines, or choose the file.',
  stop: 'Stop the camera',
  close: 'Close',
} as const;

export const STEPS = {
  step: (n: number) => `step ${n}`,
} as const;

export const WAY_BACK = {
  search: 'Search',
} as const;

export const CONTENT = {
  inPart: 'shown in part',
  empty: 'Empty text',
  onlyDigest: 'Only its digest is recorded: {digest}',
} as const;
