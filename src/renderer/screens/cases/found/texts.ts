import type { AnswerOf } from '../../../../api/index.ts';

type Note = AnswerOf<'caseFoundNotes'>['data'][number];
type Difference = AnswerOf<'caseFoundDifferences'>['data'][number];
type Witness = AnswerOf<'caseFoundAction'>['witnesses'][number];

export const SIGN_NAMES: Readonly<Record<Note['code'], string>> = {
  LINK_MISSING: 'An entry is missing',
  RESULT_MISSING: 'A result is missing',
  NUMBER_MISSING: 'A number is missing',
  SUM_DIFFERS: 'A sum does not add up',
  TIME_BACK: 'Time goes back',
  ACCOUNTS_DIFFER: 'Two accounts differ',
  FILES_DIFFER: 'Two files differ',
  ENTRY_UNREADABLE: 'A line is not whole',
  UNREAD: 'Not read',
};

export const FOUND_STATES: Readonly<Record<Difference['state'], string>> = {
  only_found: 'Only in the transcript',
  only_ledger: 'Only in the ledger',
  differs: 'Differs',
};

export const FOUND_MEMBERS: Readonly<Record<Difference['members'][number], string>> = {
  tool: 'tool',
  input: 'input',
  outcome: 'outcome',
  exit_code: 'exit code',
};

export const FITS_BY: Readonly<Record<Witness['fits_by'], string>> = {
  command: 'its command line',
  arguments: 'program and arguments',
  path: 'the path of a file',
  call: 'the name of the call',
};

export const FOUND_PANEL = {
  title: 'Found files',
  notSigned: 'Not signed when it happened',
  read: 'Read',
  readOf: (transcripts: string, sessions: string, actions: string) =>
    `Transcripts: ${transcripts}. Sessions: ${sessions}. Actions: ${actions}.`,
  logs: 'Logs',
  logsOf: (events: string, corroborated: string) =>
    `Events: ${events}. Records and actions that an event is consistent with: ${corroborated}.`,
  altered: 'Altered afterwards',
  noSigns:
    'No sign was found. What is looked for differs by program, and no program leaves means against every change.',
  signsIn: (signs: string, files: string) => `Signs: ${signs}. Files: ${files}.`,
  ledger: 'Ledger and transcript',
  ledgerOf: (same: string, differing: string, onlyFound: string, onlyLedger: string) =>
    `Calls that both have alike: ${same}. Different: ${differing}. Only in the transcript: ${onlyFound}. Only in the ledger: ${onlyLedger}.`,
  filesLoaded: 'the files',
  notes: 'Signs of alterations, and what was not read',
  notesLoaded: 'the signs of alterations',
  callsLoaded: 'the calls of both',
  first: (shown: string) => `The first ${shown} are shown; the interface has all.`,
  item: 'Item',
  place: (item: number, file: number) => `${item}/${file}`,
  file: 'File',
  kind: 'Kind',
  notRead: 'Not read',
  actions: 'Actions or events',
  signs: 'Signs',
  modified: 'Modified',
  changed: 'Changed while it was copied',
  sign: 'Sign',
  where: 'Where',
  line: (line: number) => `line ${line}`,
  said: 'What was found',
  state: 'State',
  action: 'Action',
  session: 'Session',
  inTranscript: 'In the transcript',
  inLedger: 'In the ledger',
} as const;

export const NOT_SIGNED_CASE = {
  title: 'Incomplete – nobody signed this when it happened',
  text: 'The case is made of files that were found on a disk. They are the word of whoever could write them: there is no receipt, no chain and no proof. Everything in its lists is marked “Not signed”.',
} as const;

export const FOUND_ACTION = {
  what: 'where it was found',
  title: 'Found, and signed by nobody',
  text: 'This action was read out of a file that was found. There is no record of it, no receipt and no proof.',
  foundIn: 'Found in',
  lines: (first: number, last: number) => (first === last ? `line ${first}` : `lines ${first} to ${last}`),
  digest: 'Digest of the file',
  agent: 'Agent',
  type: 'Operation type',
  subject: 'Subject',
  at: 'Time, as the file says',
  collected: 'Collected',
  imported: 'Imported',
  by: '{time} by {person}',
  nobody: 'nobody who was signed in',
  contents: 'What the file says',
  contentsOf: 'what the file says',
  difference: 'Ledger and transcript',
  other: 'Open the other account',
  witnesses: 'Second witnesses',
  consistent: 'Consistent with the action, which is no proof of it.',
  log: 'Log',
  time: 'Time, by its clock',
  offset: (seconds: string, pairs: number) =>
    pairs === 0 ? 'no offset of the clocks is known' : `its clock is taken to be ${seconds} s ahead, by ${pairs} pairs`,
  fits: 'Fits by',
  event: 'Event',
} as const;
