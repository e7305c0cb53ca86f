import { plural } from '../../lib/plural.ts';

export const ADMIN_EVENTS = {
  mailAddresses: (people: number) => `mail addresses of ${plural(people, 'person', 'people')}`,
  webhookAddresses: (addresses: number) => plural(addresses, 'webhook address', 'webhook addresses'),
  events: (events: number) => plural(events, 'administrative event'),
  atLeast: 'at least ',
  withheldByHash: (withheld: string) => `; ${withheld} withheld by hash`,
  aboutAgents: 'Only events about the agents in the export',
  wholeLog: 'All administrative events of the range',
  administrativeEvents: 'Administrative events',
  explained:
    'A withheld event keeps its hash, its time and its place in the chain. The verifier checks these and reports how many events are withheld. Of the events before the range, the export shows only those about its agents. Changes of the service key, rollbacks and restores are always shown.',
} as const;

export const DELETE_EXPORT = {
  deleted: 'Export deleted.',
  ask: 'Delete export…',
  title: 'Delete export',
  consequence:
    'The service deletes its file and cannot restore the file. Downloaded copies stay valid and verify as before.',
  stays: '{heading} the records in the ledger, and the admin log, which also records this deletion.',
  whatStays: 'What stays:',
  keep: 'Keep export',
  confirm: 'Delete export',
} as const;

export const DOWNLOADS = {
  download: (form: string) => `Download ${form}`,
  fileOf: (form: string, created: string) => `${form} of the export of ${created}`,
  downloadOf: (form: string, created: string) => `Download ${form} of the export of ${created}`,
} as const;

export const EXPORT_REQUEST = {
  lastHour: 'Last hour',
  everything: 'Everything',
  needsReason: 'Reason: enter why you withhold payloads. The admin log records the reason.',
  agents: 'Agents',
  operationTypes: 'Operation types',
  jsonPointers: 'JSON Pointers',
  people: 'Names and addresses',
  fromProblem: (notATime: string) => `From: ${notATime}`,
  beforeProblem: (notATime: string) => `Before: ${notATime}`,
  atLine: (at: number) => `, line ${at}`,
  withheldPayloads: 'Withheld payloads',
  notValid: 'not valid',
  lastDay: 'Last 24 hours',
  last7Days: 'Last 7 days',
  last30Days: 'Last 30 days',
} as const;

export const EXPORT_SCREEN = {
  exportExportid: (exportId: string) => `Export ${exportId}`,
  exports: 'Exports',
  closedTitle: 'Your role cannot use exports',
  export: 'Export',
  what: 'the export',
  queued: 'Export queued',
  running: 'Creating export',
  progress: (records: string) =>
    `${records} so far. You can leave this screen: the export continues, even after a restart.`,
  counted: (count: number) => plural(count, 'record'),
  failed: 'Export failed',
  noReasonGiven: 'The service gave no reason.',
  another: 'Create another export',
  state: 'State',
  beingCreated: 'being created',
  format: 'Format',
  received: 'Received from',
  receivedBefore: 'Received before',
  agent: 'Agent',
  all: 'all',
  records: 'Records',
  notWhole: (records: string, withheld: string) => `${records}, ${withheld} not shown whole`,
  withheld: 'Withheld',
  requested: 'Requested',
  completed: 'Completed',
  identifier: 'Identifier',
  identifierCopied: 'identifier',
  payloads: 'payloads of',
  payloadsType: 'payloads of type',
  values: 'values at',
  people: 'what names',
  check: 'Check of the file',
  holdsNoPlace: 'The file holds no place with one of these names.',
  stillNamed: 'The file was looked through, and still has a name in:',
  place: '{place}: {count}',
  otherEvents: 'administrative events that are not about its agents',
  noReason: 'No reason given.',
  reasonReason: (reason: string) => `Reason: ${reason}`,
} as const;

export const EXPORT_STATE = {
  progress: 'Progress',
  failed: 'Failed',
  ready: 'Ready',
  bundle: 'Bundle',
  pdfReport: 'PDF report',
  everyRecord: 'PDF report, every record printed',
} as const;

export const EXPORTS_SCREEN = {
  requestedUtc: 'Requested (UTC)',
  state: 'State',
  format: 'Format',
  records: 'Records',
  withheld: 'Withheld',
  receivedUtc: 'Received from (UTC)',
  receivedBeforeUtc: 'Received before (UTC)',
  agent: 'Agent',
  everyAgent: 'all',
  download: 'Download',
  createExport: 'Create export',
  exports: 'Exports',
  closedTitle: 'Your role cannot use exports',
  what: 'the exports',
  noExportYet: 'No export yet',
  whatFor:
    'An export is evidence that you can hand over: the records of a period with their receipts, the epochs that seal the records, the keys of their agents and the administrative events, all under the service’s signature.',
  howToCheck:
    'Recipients need neither this service nor an account. They check the file with {command}, with the standalone verifier, or in this window under {link}. You can withhold payloads; the rest still verifies.',
  checkWithoutStoring: 'Check without storing',
  counted: (count: number) => plural(count, 'export'),
  loaded: ' loaded',
  all: ', all',
  newestFirst: 'newest first; the admin log records each download',
} as const;

export const GIVEN_AWAY = {
  title: 'Content of this export',
  uncounted: (reason: string) => `The content of the export could not be counted: ${reason}`,
  empty: 'No record was received in this range. Choose another range.',
  furtherEvents: (events: string) => ` ${events} further events were not examined.`,
  holds: 'This export will contain {records}{more} and {events}.',
  records: (count: number) => plural(count, 'record'),
  orMore: ' or more',
  agentsNamed: (agents: string, listed: string) => `Records of ${agents}; names and keys of ${listed}`,
  agents: (count: number) => plural(count, 'agent'),
  furtherNotCounted: (agents: string) => `${agents} were not counted.`,
  furtherAgents: (count: number) => plural(count, 'further agent'),
  addressesInEvents: (addresses: string) => `${addresses} in the administrative events`,
  addresses: (count: number) => plural(count, 'address', 'addresses'),
} as const;

export const MAKE_EXPORT = {
  bundle: 'Bundle',
  bundleHint: 'Signed evidence for any verifier.',
  pdfReport: 'PDF report',
  pdfHint: 'A readable report with the bundle and a verifier attached.',
  title: 'Create export',
  format: 'Format',
  withholdPayloads: 'Withhold payloads',
  withholdHint:
    'The export leaves out each payload that matches one of these; of a salted payload, only the matching member. The record keeps its hash, signature and place in the chain, and verifies. The verdict says how many payloads are withheld.',
  agents: 'Of agents',
  onePerLine: 'one per line',
  operationTypes: 'Of operation types',
  paymentRelease: 'payment.release',
  withholdPeople: 'Withhold people',
  peopleHint:
    'Everything that names them and can be withheld is left out: members of salted payloads, whole plain payloads, administrative events. Case, accents, escapes and Base64 make no difference. The finished file is looked through again.',
  people: 'Names and addresses',
  peoplePlaceholder: 'each way to write one on its own line',
  find: 'Find every place',
  linked: 'Also withhold the payloads of records that have a name in subject, action or type',
  withValue: 'With a value at (JSON Pointer)',
  customerEmail: '/customer/email',
  pickMembers: 'Choose from a record',
  reasonWithholding: 'Reason for withholding',
  recorded: 'The admin log records the reason.',
  sealedFirst: 'Unsealed records are sealed first.',
  submit: 'Create export',
  range: 'Records by time received',
  from: 'From (UTC)',
  before: 'Before (UTC)',
  rangeHint:
    'When the service received a record. Search filters by the time of issue, which comes from the agent’s clock.',
  agentOptional: 'Agent (optional)',
  allAgents: 'all agents',
} as const;

export const MEMBER_PICKER = {
  record: 'Payload of',
  recordOf: (type: string, agent: string, seqNo: number) => `${type} of ${agent}, No. ${seqNo}`,
  what: 'the record',
  noRecords: 'No record in this range yet.',
  noPayload: 'The payload of this record is not there.',
  members: 'Withhold payloads with a value at',
  more: (members: string) => `… ${members} more members: type their pointers above.`,
} as const;

export const REPORT_DETAILS = {
  title: 'Records in the report',
  summary: 'Summary',
  summaryHint: (most: string) =>
    `A few pages. Beyond ${most} records the tables show their first rows; the attached bundle has everything.`,
  every: 'Every record',
  pages: (records: string, from: string, to: string) =>
    `${records} records take roughly ${from} to ${to} pages, more with large payloads.`,
  atLeast: (records: string, from: string) =>
    `The ${records} records that were counted take roughly ${from} pages or more.`,
  unknownPages: 'Two to four records take a page, less than one with large payloads.',
  few: (most: string) => `The report prints every record. Only reports of more than ${most} records are summaries.`,
} as const;

export const VERIFY_AGAIN = {
  title: 'File check',
  explained:
    'Checks the file in your browser with the verifier that recipients use. The verdict is what a recipient sees before confirming the issuer’s key: at best consistent. {ownKeyNote}',
  checkFile: 'Check file',
  cancel: 'Cancel',
  standalone: 'Download standalone verifier',
  fetching: 'Fetching…',
  records: (count: number) => plural(count, 'record'),
} as const;
