import type { DeepHealth } from '../../../api/index.ts';
import { nounFor, plural } from '../../lib/plural.ts';
/** Texts of the dashboard. */
export const DASHBOARD = {
  ledgerAndService: 'Ledger and service',
  viewOperations: 'View operations',
  viewEpochs: 'View epochs',
  viewRefusals: 'View refusals',
  allSessions: 'View all sessions',
  allTroubles: 'View all',
  neverVerified: 'Not verified yet.',
  nothingSealed: 'No epoch yet. New records are sealed within a minute.',
  health: { ok: 'Working', bad: 'Not working' },
  was: (status: string) => `was ${status}`,
  usualDay: 'Line: a usual day',
  noSession: 'No session yet. Records that name a session appear here.',
  noTrouble: 'No call failed or was refused.',
  noMarks: 'No mark in the last 24 hours.',
  noAgents: 'No agent has recorded anything yet.',
  sample: 'Open the sample case',
} as const;

export const ACTIVITY_TILES = {
  title: 'What agents did',
  period: 'The 24 hours up to the newest record, from {since}  {coverage}',
  range: 'From {since} to {until}  {coverage}',
  rangeFrom: 'From {since}  {coverage}',
  records: 'Records',
  call: (count: number) => plural(count, 'call'),
  failed: 'Failed',
  ofCalls: (calls: number) => `of ${plural(calls, 'call')}`,
  refused: 'Refused to agents',
  refusedBy: 'by people, policies or tools',
  noResult: 'No result',
  unfinishedHint: 'asked for or begun, not ended',
} as const;

export const ACTIVITY = {
  operationsOverTime: 'Operations over time',
  issued: (operations: string) => `${operations} issued`,
  what: 'the counts',
} as const;

export const AGENT_ACTIVITY = {
  asUsual: 'As usual',
  unusuallyBusy: 'Unusually busy',
  unusuallyQuiet: 'Unusually quiet',
  silent: 'Silent',
  title: 'Agents, last 24 hours',
  inRange: 'Agents in this range',
  noneInRange: 'No agent made a record in this range.',
  further: (agents: string) => `and ${agents} more.`,
  viewAll: 'View all',
  silentSince: (lastAt: string) => `Silent, last seen ${lastAt}`,
} as const;

export const DASHBOARD_SCREEN = {
  dashboard: 'Dashboard',
  what: 'the ledger',
  noOperationYet: 'No operation yet',
  beginWithAgent: 'Begin with an agent',
  emptyExplained:
    'An agent signs and submits each operation; the service checks, chains and countersigns the operation. An agent’s page has a program for that, ready to run.',
  chooseAgent: 'Choose an agent',
  noAgentExplained:
    'Record the tool calls of a program such as Claude Code, Codex or Gemini CLI, or register a program of your own, which signs by itself.',
  recordProgram: 'Record a program',
  registerAgent: 'Register an agent',
} as const;

export const HEALTH_PANEL = {
  parts: {
    database: 'Database',
    epochs: 'Sealing',
    disk: 'Disk',
    key: 'Service key',
    webhooks: 'Webhooks',
    readers: 'Searches',
    exports: 'Size of exports',
    archive: 'Archive',
    syslog: 'Syslog',
    clock: 'Clock',
  } satisfies Record<keyof DeepHealth['checks'], string>,
  service: 'Service',
  version: (version: string) => `version ${version}`,
  what: 'the state of the service',
} as const;

export const NODES_PANEL = {
  title: 'Nodes',
  roles: { active: 'Active', standby: 'Standby' },
  thisNode: (lag: string | null) => (lag === null ? 'this node' : `this node, up to date ${lag} ago`),
  heard: (time: string) => `last heard ${time} ago`,
  log: (takeovers: string, size: string) =>
    `Takeovers seen since this node started: ${takeovers}. Shared log: ${size}.`,
  own: 'Each node has its own cases, trusted keys, settings, backups, export files and workstation sessions.',
} as const;

export const CLOCK_PANEL = {
  guest: 'The home organization administers this service, and yours is a guest on it.',
  in_doubt: {
    heading: 'Nothing is signed: the clock is in doubt',
    jump: (reads: string, expected: string) =>
      `The service’s clock reads ${reads}. By the time since it was last known to be right it should read about ${expected}.`,
    gap: (reads: string, expected: string) =>
      `The service’s clock reads ${reads}. It would read about ${expected} if no time had passed while the service could not watch it.`,
    submitters: (reads: string, told: string) =>
      `The service’s clock reads ${reads}. By the records of agents it is about ${told}.`,
    nodes: (reads: string, told: string) =>
      `The clock of this node reads ${reads}. By the other nodes and the shared log it is about ${told}.`,
    toDo: 'Agents keep their records and try again. If the clock is wrong, set it: the service then continues by itself. If the clock is right, confirm it.',
    ask: 'Confirm clock…',
    title: 'Confirm the clock',
    verb: 'Confirm clock',
    effect:
      'The service signs from now on with the time that its clock reads. Signed times cannot be taken back unseen. The admin log records who confirmed the clock, and why.',
    done: 'The clock is confirmed. The service signs again.',
  },
  ledger_ahead: {
    heading: 'Records are held back: the ledger is ahead of the clock',
    what: (reads: string, latest: string) =>
      `The service’s clock reads ${reads}, and the ledger has signed times up to ${latest}.`,
    toDo: 'What would be late by the ledger’s times is held back. If the clock is wrong, set it. If the clock is right and the ledger’s times are wrong, correct the ledger.',
    ask: 'Correct ledger…',
    title: 'Correct the ledger’s times',
    verb: 'Correct ledger',
    effect:
      'The ledger of every organization with such times continues with the time that the clock reads. The admin log records the correction, and every verifier shows which records carry wrong times. You cannot undo this.',
    done: 'The ledger continues with the clock’s time.',
  },
} as const;

export const LAST_BACKUP = {
  lastBackup: 'Last backup',
  backups: 'Backups',
  none: 'None',
  never: 'No backup has been made yet.',
  next: (next: string) => `, next ${next}`,
  newestFailed: '. The newest try failed.',
} as const;

export const WITNESS_PANEL = {
  title: 'Witnesses',
  view: 'View witnesses',
  what: 'the witnesses',
  none: 'None',
  noneExplained: 'Nobody outside this service has signed that the log stays as it is.',
  refused: 'A witness refuses to cosign',
  upTo: (size: string, sealed: string) => `${size} of ${sealed} sealed records cosigned`,
  nothing: 'No checkpoint is cosigned yet.',
  by: (count: number, ago: string) => `by ${count} ${nounFor(count, 'witness', 'witnesses')}, ${ago}`,
  noStamp: 'No time stamp: all times are those of this service’s own clock.',
  stamped: (size: string, ago: string) => `Newest time stamp: ${size} records, ${ago}, by`,
} as const;

export const MARKS_PANEL = {
  title: 'Marks, last 24 hours',
} as const;

export const NEWEST_SESSIONS = {
  title: 'Newest sessions',
  failed: (failed: string) => `${failed} failed`,
  refused: (refused: string) => `${refused} refused`,
  withoutResult: (unfinished: string) => `${unfinished} without result`,
  calls: (count: number) => nounFor(count, 'call'),
} as const;

export const RECENT_EPOCHS = {
  title: 'Newest epochs',
  what: 'the epochs',
  number: 'No.',
  closedUtc: 'Closed (UTC)',
  records: 'Records',
  root: 'Root',
} as const;

export const REFUSED_TILE = {
  title: 'Refused in the last 24 hours',
  alarms: (alarms: string) => `${alarms} by a frozen agent or revoked key`,
  notCounted: 'Could not be counted. ',
} as const;

export const TILES = {
  operations: 'Operations',
  sealedEpochs: 'Sealed epochs',
  waiting: 'Waiting to be sealed',
  allSealed: 'Every record is sealed',
  oldest: (time: string) => `The oldest arrived ${time}`,
  agents: 'Agents',
  states: '{active} · {frozen} · {deleted} deleted',
  active: (active: string) => `${active} active`,
  frozen: (frozen: string) => `${frozen} frozen`,
} as const;

export const TROUBLES = {
  title: 'Newest failures and refusals',
} as const;

export const VERIFICATION_PANEL = {
  title: 'Verification of the stored ledger',
  cancel: 'Cancel',
  verifyNow: 'Verify now',
  what: 'the newest verification',
  progress: 'Records checked',
  progressOf: (recordsChecked: string, recordsTotal: string) => `${recordsChecked} of ${recordsTotal} records`,
  valid: 'Valid',
  notValid: 'Not valid',
  records: (count: number) => plural(count, 'record'),
  more: (findings: string) => `… ${findings} more`,
} as const;

export const WAITING_PANEL = {
  title: (total: string) => `Waiting for a decision (${total})`,
  allQuestions: 'All questions',
  decide: 'Decide',
  older: (questions: string) => `${questions} older ones wait as well.`,
} as const;

export const WHAT_AGENTS_DID = {
  what: 'what agents did',
} as const;
