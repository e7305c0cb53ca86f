import { plural } from '../../../lib/plural.ts';

export const CELL_VALUES = {
  fromThen: 'From then on',
  beforeThen: 'Before then',
  atLeast: 'At least as long',
  shorter: 'Shorter ones',
} as const;

export const COLUMNS = {
  receivedUtc: 'Received (UTC)',
  issuedUtc: 'Issued (UTC)',
  whatHappened: 'What happened',
  marks: 'Marks',
  selected: 'Selected',
  number: 'No.',
  payloadAbsent: 'The payload is not here: withheld or erased.',
  findings: 'Findings',
  tags: 'Tags',
  seenBy: 'Seen by',
  agentAlone: 'agent',
  witnesses: (count: number) => `${count} witnesses`,
} as const;

export const COVERAGE_NOTE = {
  pending: (records: number) => `${plural(records, 'newer record is', 'newer records are')} not searchable yet.`,
  stopped:
    'The search stopped at its time limit, so some matching records may be missing. Narrow the time or add a filter, then search again.',
  searchAgain: 'Search again',
} as const;

export const NOTHING_FOUND = {
  noneLike: 'No agent contains “{agent}”.',
  someLike: (agents: number) => `${plural(agents, 'agent contains', 'agents contain')} “{agent}”:` as const,
  filtersExact: 'Filters need the exact value, including upper and lower case, and apply together.',
  wordsWhole:
    'A word finds whole words only: cred* finds all that begin with cred, *card* all that contain card. After = the value must be exact.',
  readSo: 'The signs in the text were read as a query, as said below the box. In quotes a text is found as it stands.',
  noOperationYet: 'No operation yet',
  noOperation: 'No operation',
  emptyLedger: 'What agents submit appears here as soon as the service has countersigned it.',
  emptyCase: 'No record of the imported file could be read.',
  nothingFound: 'Nothing found',
  clearAll: 'Clear all filters',
} as const;

export const RESULT_FOOT = {
  records: (count: number) => plural(count, 'record'),
  recordsOf: (loaded: string, total: number) => `${loaded} of ${plural(total, 'record')}`,
  actions: (count: number) => plural(count, 'action'),
  actionsOf: (loaded: string, total: number) => `${loaded} of ${plural(total, 'action')}`,
  ofRecords: (records: number) => `, ${plural(records, 'record')}`,
  loaded: 'loaded',
  loading: 'Loading…',
  newRecords: 'New records: search again',
  selectAll: 'Select all',
  keys: '{space} select · {arrows} filter · {order} first',
  space: 'Space',
  oldest: 'oldest',
  newest: 'newest',
} as const;

export const RESULT_LIST = {
  operations: 'Operations',
  actions: 'Actions',
} as const;

export const ROW_ANNOTATION = {
  bookmarked: (records: number) => `${plural(records, 'record')} bookmarked.`,
  withoutBookmark: (records: number) => `${plural(records, 'record')} without bookmark.`,
} as const;

export const ROW_CELLS = {
  selectRecord: (seqNo: number) => `Select record ${seqNo}`,
  selectAction: (seqNo: number) => `Select action ${seqNo}`,
} as const;

export const SELECTION_BAR = {
  selectedRecords: 'Selected records',
  selected: (records: number) => `${plural(records, 'record')} selected`,
  selectedActions: (actions: number, records: number) =>
    `${plural(actions, 'action')} selected${records > actions ? `, ${plural(records, 'record')}` : ''}`,
  mostSelected: (records: number) => `${plural(records, 'record')} selected, the most at once`,
  copied: (records: number) => `${plural(records, 'record')} copied as JSON lines.`,
  copy: 'Copy as JSON lines',
  report: 'Chosen records',
  tooMany: (most: number) => `A query names ${most} records at most.`,
  onlyThese: 'Show only these',
  compare: 'Compare the two',
  clearSelection: 'Clear selection',
} as const;
