import { plural } from '../../../lib/plural.ts';

export const MARKED_TEXT = {
  showLess: 'Show less',
  showAll: (characters: string) => `Show all ${characters} characters`,
} as const;

export const PAYLOAD_TREE = {
  filterBy: (label: string) => `Filter by ${label}`,
  filterOrCopy: 'Filter by this value, or copy it',
} as const;

export const RECORD_MEMBERS = {
  onlyOf: (member: string, text: string) => `Only ${member} ${text}`,
  onlyHint: 'Only rows with this value',
  notOf: (member: string, text: string) => `Not ${member} ${text}`,
  notHint: 'No rows with this value',
} as const;

export const PREVIEW_FRAME = {
  closeDetails: 'Close the details',
} as const;

export const ROW_PREVIEW = {
  record: 'Record',
  recordOf: (seqNo: number) => `Record ${seqNo}`,
  what: 'the record',
  parts: 'What of the record',
  payload: 'Payload',
  bytes: 'Bytes',
  neighboursHint: 'The records before and after this one, without filters',
  showNeighbours: 'Show neighbours',
  showProof: 'Show proof',
  about: 'About the record',
  reading: 'Read from the payload',
  payloadAbsent: 'The payload was withheld or erased. Only its hash is here.',
  withheld: (members: number) => `${plural(members, 'member')} withheld or erased.`,
  signedBytesOf: 'Signed bytes: {bytes}, canonical form',
  byteCount: (count: number) => plural(count, 'byte'),
  signedBytes: 'Signed bytes',
} as const;

export const ACTION_PREVIEW = {
  action: 'Action',
  actionOf: (seqNo: number) => `Action ${seqNo}`,
  what: 'the action',
  notYet: 'This record is not searchable yet. It appears here in a moment.',
  parts: 'What of the action',
  story: 'What happened',
  records: (count: number) => plural(count, 'signed record'),
  told: 'Told by then',
  which: 'Which record',
  more: (records: number) => `and ${plural(records, 'further record')}`,
  theRecord: 'the record',
  received: 'Received by the service',
  fromHere: 'From here on',
  fromHereHint: 'What all agents did from this action on, the oldest first',
  upToHere: 'Up to here',
  upToHereHint: 'What all agents did up to this action, the newest first',
  session: 'Open session',
  showProof: 'Show proof',
  proofOf: (seqNo: number) => `Proof of record ${seqNo}`,
  exitCode: (code: number) => `exit code ${code}`,
  withheld: 'The payloads were withheld or erased. Only their hashes are here.',
  input: 'Input',
  output: 'Output',
  agent: 'Agent',
  tool: 'Tool',
  person: 'On behalf of',
  hosts: 'Hosts',
  began: 'Began',
  ended: 'Ended',
  seenBy: 'Seen by',
  agentAlone: 'the agent alone',
  derived: 'Read from its signed records, which are the evidence. Times are those that the agent states.',
} as const;

export const NOT_SIGNED = {
  title: 'Not signed',
  text: 'This was read out of a file that was found. Nobody signed it when it happened: there is no record of it, and no proof.',
  whereFound: 'Where it was found',
  derived: 'Read from a file that was found, which is the word of whoever could write it. Times are those of the file.',
} as const;

/** What the moments of an action are called. */
export const PHASES: Readonly<Record<string, string>> = {
  proposed: 'proposed',
  asked: 'approval asked',
  decided: 'decided',
  started: 'started',
  completed: 'ended',
  failed: 'failed',
  refused: 'refused',
  record: '',
};

export const TOLD_BEFORE = {
  what: 'what the agent had been told',
  ofSessions: (items: number, sessions: number) =>
    `${plural(items, 'item')} that the agent had been told before this action, in its session${sessions > 1 ? ` and ${plural(sessions - 1, 'session')} above it` : ''}. Newest first.`,
  ofAgent: (items: number) =>
    `${plural(items, 'item')} that the agent had been told before this action, from all of its records: this action belongs to no session. Newest first.`,
  kinds: { told: 'Told', output: 'Output of a call', error: 'Error of a call', decision: 'Decision' },
  more: 'Show earlier',
} as const;
