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
  closeDetails: 'Close the details',
  about: 'About the record',
  reading: 'Read from the payload',
  payloadAbsent: 'The payload was withheld or erased. Only its hash is here.',
  withheld: (members: number) => `${plural(members, 'member')} withheld or erased.`,
  signedBytesOf: 'Signed bytes: {bytes}, canonical form',
  byteCount: (count: number) => plural(count, 'byte'),
  signedBytes: 'Signed bytes',
} as const;
