import { plural } from '../lib/plural.ts';

export const CASE_COMMANDS = {
  caseNamed: (name: string) => `Case ${name}`,
  compareWithLive: (name: string) => `Compare case ${name} with the live ledger`,
  caseKind: 'case',
  verdict: 'verdict',
  search: 'search',
  agents: 'agents',
  epochs: 'epochs',
  compare: 'compare',
  thisCase: (label: string) => `This case: ${label}`,
} as const;

export const COMMANDS = {
  searchFor: (query: string) => `Search for ${query}`,
  query: 'query',
  unreadable: 'The query cannot be read. In the search you see where it is wrong.',
  locked: 'locked',
  liveLedger: 'live ledger',
  verifyStoredLedger: 'Verify the stored ledger',
  job: 'job',
  verificationBegun: 'The verification has begun.',
  sealPendingRecords: 'Seal pending records now',
  openEpochClosed: 'The open epoch is closed.',
  makeExport: 'Make an export',
  evidence: 'evidence',
  signOut: 'Sign out',
  session: 'session',
  signedOut: 'Signed out.',
  openSampleCase: 'Open the sample case',
  sample: 'sample',
  themeLight: 'Theme: light',
  appearance: 'appearance',
  themeDark: 'Theme: dark',
  themeSystem: 'Theme: as the system',
  switchContrast: 'High contrast on or off',
  switchTextOrder: 'Logical text order on or off',
  keys: 'Keys',
  agent: (agentId: string) => `Agent ${agentId}`,
  agentNamed: (name: string, agentId: string) => `Agent ${name} (${agentId})`,
  agentKind: 'agent',
  chain: (agentId: string) => `Chain of ${agentId}`,
  chainKind: 'chain',
  operation: (operationId: string) => `Operation ${operationId}`,
  open: 'open',
  epoch: (number: string) => `Epoch ${number}`,
  recordInSearch: (seqNo: number) => `Record ${seqNo} in the search`,
} as const;

export const FOUND = {
  record: (seqNo: number, summary: string) => `No. ${seqNo}: ${summary}`,
  recordKind: 'record',
  sessionKind: 'session',
  personKind: 'member',
  actions: (count: number) => `person, ${plural(count, 'action')}`,
  all: (typed: string) => `Search for ${typed}`,
  searchKind: 'search',
} as const;

export const CONFIRM_IDENTITY = {
  title: 'Confirm that it is you',
  explained: 'This action needs a sign-in from the last 10 minutes. What you have entered stays.',
  password: 'Password',
  noPassword: 'Your account has no password. Sign out, and sign in with your provider again.',
  confirm: 'Confirm',
  usePasskey: 'Use passkey',
} as const;

export const CONNECTION_BAR = {
  retrying: '{since} What you see is from then. Trying again…',
  notConnectedSince: (lostSince: string) => `Not connected since ${lostSince}.`,
  shownIsOld: '{since} What you see is from then.',
  endedAt: (time: string) => `Your session ended at ${time}.`,
  signIn: 'Sign in',
  standby:
    'This node is a standby: you can read the ledger and download files here. The active node takes changes and sign-ins.',
  noneActive: 'This node is a standby, and no active node is known: you can read the ledger here.',
  openActive: 'Open active node',
} as const;

export const FILE_DROP = {
  files: 'Files',
  drop: 'Drop a bundle, a PDF report or kept receipts to look at them',
} as const;

export const KEYBOARD = {
  commandPalette: 'Command palette',
  focusFilter: 'Focus the filter',
  nextRow: 'Next row',
  previousRow: 'Previous row',
  openRow: 'Open the row',
  showProofChosen: 'Show proof of the chosen record',
  selectRow: 'In the search: select the row; with Shift and an arrow key, several',
  filterByValue: 'In the search: filter by a value of the row',
  bookmark: 'In the search: bookmark the row, or the selected ones',
  tag: 'In the search: tag the row or the selected ones, or add a note',
  fromHere: 'On an action: what all agents did from here on',
  upToHere: 'On an action: what all agents did up to here',
  toldByThen: 'On an action: what its agent had been told by then',
  leave: 'Leave a field, close what is open',
  inCase: (label: string) => `${label}; in a case, of the case`,
  thisList: 'This list',
  /** As keyboards name them. */
  ctrlK: 'Ctrl K',
  enterKey: 'Enter',
  spaceKey: 'Space',
  escapeKey: 'Esc',
} as const;

export const KEYS_HELP = {
  keys: 'Keys',
  close: 'Close',
} as const;

export const NOT_FOUND = {
  title: 'Page not found',
  nothingHere: 'There is no page at this address',
  explained: 'The link may be incomplete, or from another version of Countersign.',
  goDashboard: 'Go to the dashboard',
} as const;

export const PALETTE = {
  searching: 'Searching the ledger …',
  title: 'Command palette',
  goOrRun: 'Go to or run',
  placeholder: 'Screen, command, agent, record, entity, session or person',
  resultList: 'Results',
  nothing: 'Nothing of that name.',
} as const;

export const SCREEN_ERROR = {
  title: 'This screen has failed',
  noMessage: 'Error',
  explained: 'Nothing in the ledger was changed. The other screens go on working.',
  tryAgain: 'Try again',
} as const;

export const SHELL = {
  skip: 'Skip to content',
  screens: 'Screens',
  goOrRun: 'Go to or run… {keys}',
} as const;

export const SIGN_IN_AGAIN = {
  sessionEnded: 'Your session has ended',
  explained: 'Sign in to continue. If you use your password, what you typed is kept.',
} as const;

export const USER_MENU = {
  asSystem: 'As the system',
  light: 'Light',
  dark: 'Dark',
  workstation: 'This workstation',
  noOrganization: 'No organization',
  notHomeOrganization: 'Not the home organization',
  nobodySignedIn: 'Nobody is signed in',
  caseRoomOnly: 'case room only',
  noRole: 'no role',
  theme: 'Theme',
  highContrast: 'High contrast{mark}',
  logicalOrder: 'Logical text order{mark}',
  times: (zone: string) => `Times in ${zone}…`,
  zone: 'Time zone',
  keys: 'Keys',
  httpInterface: 'HTTP interface',
  signInOrSetUp: 'Sign in, or set up',
  account: 'Account',
  signOut: 'Sign out',
} as const;
