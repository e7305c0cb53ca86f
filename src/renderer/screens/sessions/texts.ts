import { nounFor, plural } from '../../lib/plural.ts';

export const LANE_STRIP = {
  otherTools: 'other tools',
  nothingFor: (time: string) => `Nothing recorded for ${time}`,
  otherToolsTitle: 'Tools that are used less',
  steps: (count: number) => plural(count, 'step'),
} as const;

export const SESSION_COLUMNS = {
  session: 'Session',
  calls: 'Calls',
  failed: 'Failed',
  refused: 'Refused',
  noResult: 'No result',
  beganUtc: 'Began (UTC)',
  lasted: 'Lasted',
  beginsWith: 'Begins with',
  agents: 'Agents',
  people: 'People',
} as const;

export const SESSION_FIGURES = {
  openedBelow: (sessions: number) => `opened ${plural(sessions, 'session')} below`,
  title: 'Session in figures',
  noEnd: ', no end recorded',
  calls: (count: number) => nounFor(count, 'call'),
  withoutResult: 'without result',
  openedBy: 'Opened by session {parent}',
} as const;

export const SESSION_LIST = {
  select: (session: string) => `Select session ${session}`,
  selected: 'Selected',
  sideBySide: 'Side by side',
  chooseTwo: 'Select two sessions to see them side by side.',
  newestFirst: 'Newest first',
  oldestFirst: 'Oldest first',
  mostRecordsFirst: 'Most records first',
  sessions: 'Sessions',
  readingRules: 'Reading rules',
  order: 'Order',
  resultsOfBefore: 'These are the sessions of the previous query.',
  what: 'the sessions',
  counted: (count: number) => plural(count, 'session'),
  loaded: 'loaded',
  all: ', all',
  noSessionMatches: 'No session matches',
  noMatchText:
    'A session is listed when at least one of its records matches. Clear the query and the time range to see all sessions.',
  noSessionsYet: 'No sessions yet',
  noSessions: 'No sessions',
  explained:
    'A session groups the records that an agent made for one purpose. Recorded programs name their sessions. For other payloads, choose the member that holds the session’s name.',
  chooseWhere: 'Choose where sessions are named',
} as const;

export const SESSION_TEXT = {
  input: 'Input',
  output: 'Output',
  error: 'Error',
  touched: (entities: string) => `   Touched: ${entities}`,
  recordOf: (seqNo: number, operationId: string) => `   Record ${seqNo}, ${operationId}`,
  titleOf: (session: string) => `Session ${session}`,
  times: (from: string, to: string) => `${from} to ${to}`,
  agents: (agents: string, people: string) => `Agents: ${agents}${people}`,
  people: (people: string) => `. People: ${people}`,
  counts: (calls: number, failed: number, refused: number, unfinished: number) =>
    `${calls} calls, ${failed} failed, ${refused} refused, ${unfinished} without result`,
} as const;

export const SESSION_VIEW = {
  compareWith: 'Compare with…',
  compareTitle: 'Compare this session with another',
  otherContains: 'Session contains',
  others: 'Other sessions of the same agent, the newest first',
  othersWith: 'Sessions of all agents that contain this, the newest first',
  noOther: 'There is no other session of this agent.',
  noneWith: 'No other session contains this.',
  titleOf: (session: string) => `Session ${session}`,
  sessions: 'Sessions',
  searchRecords: 'Search records',
  steps: (count: number) => plural(count, 'step'),
  copyText: 'Copy as text',
  what: 'the session',
  loaded: 'loaded',
  loadMore: 'Load more steps',
  noProblems: 'No problems',
  nextProblem: (troubles: string) => `Next problem (${troubles})`,
  openAll: 'Open all',
  closeAll: 'Close all',
  stepsOf: (session: string) => `Steps of ${session}`,
} as const;

export const SIDE_BY_SIDE = {
  name: 'Two sessions side by side',
  sessions: 'Sessions',
  what: 'the two sessions',
  swap: 'Swap sides',
  next: 'Next difference',
  counts: (same: number, changed: number, notShown: number, left: number, right: number) =>
    `${plural(same, 'step')} the same, ${changed} different${notShown === 0 ? '' : `, ${notShown} not compared whole`}, ${left} only left, ${right} only right`,
  notShown: (parts: string) => `withheld or erased, not compared: ${parts}`,
  cut: 'One of them has more steps than are compared: the first 2,000 of each are.',
  onlyDifferences: 'Only differences',
  steps: 'Steps of both sessions',
  more: 'Show further steps',
  onlyLeft: 'only left',
  onlyRight: 'only right',
  differs: (parts: string) => `different: ${parts}`,
  parts: { input: 'Input', output: 'Output', outcome: 'Outcome' },
  kinds: { added: 'only right', removed: 'only left', changed: 'different' },
  showProof: 'Show proof',
} as const;

export const STEP_DETAILS = {
  input: 'Input',
  output: 'Output',
  showProof: 'Show proof',
  showNeighbours: 'Show neighbouring records',
  fromHere: 'From here on',
  upToHere: 'Up to here',
  toldByThen: 'Told by then',
  compareWithTry: 'Compare with previous try',
  records: (count: number) => plural(count, 'record'),
  oneRecord: 'record',
  becauseOf: 'because of',
} as const;

export const STEP_LIST = {
  nothingFor: (time: string) => `Nothing recorded for ${time}`,
} as const;

export const STEP_WORDS = {
  began: 'Session began',
  ended: 'Session ended',
  told: 'Told',
  asked: 'Approval asked',
  decision: 'Decision',
  call: 'Call',
  note: 'Note',
  gap: 'Gap in the record',
  record: 'Record',
  person: 'Person',
  agent: 'Agent',
  subAgent: 'Sub-agent',
  tool: 'Tool',
  system: 'System instructions',
  user: 'User',
  memory: 'Memory',
  toolOutput: 'Output of a tool',
  file: 'File',
  otherAgent: 'Another agent',
  other: 'Other',
} as const;

export const SUB_SESSION = {
  titleOf: 'Session',
  steps: (count: number) => plural(count, 'step'),
} as const;

export const WHOLE_RECORD = {
  show: 'Show the whole record',
  what: 'the record',
} as const;
