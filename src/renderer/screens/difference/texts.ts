export const COMPARED_OPERATIONS = {
  agent: 'Agent',
  type: 'Type',
  action: 'Action',
  subject: 'Subject',
  recordSeqno: 'Record {seqNo}',
  records: 'Records',
  member: 'Member',
  left: 'Left',
  right: 'Right',
  record: 'Record',
  issued: 'Issued',
  earlier: 'earlier',
  later: 'later',
  same: 'the same',
} as const;

export const DIFFERENCE_SCREEN = {
  difference: 'Difference',
  swapSides: 'Swap sides',
  chooseTwoOperations: 'Choose two operations',
  howToChoose: 'Select two rows in Search and compare them, or open an operation and choose {command}.',
  compare: 'Compare',
  openSearch: 'Open search',
  firstOperation: 'the first operation',
  secondOperation: 'the second operation',
  payloads: 'Payloads',
  withheld: 'The payload of {which} is withheld or erased, so the payloads cannot be compared.',
  both: 'both',
  one: 'one',
  payloadsSame: 'Payloads are the same',
  showSame: 'Show unchanged members',
  recordSeqno: (seqNo: number) => `Record ${seqNo}`,
} as const;

export const PAYLOAD_DIFFERENCE = {
  changed: (members: number) => `${members} changed`,
  added: (members: number) => `${members} added`,
  removed: (members: number) => `${members} removed`,
  more: '; more are not listed',
} as const;
