import { plural } from '../../lib/plural.ts';

export const COMPARE_WITH = {
  compare: 'Compare',
  notAnId: 'Not an operation ID. Copy one from another record.',
  anotherOperation: 'Another operation',
  compareAction: 'Compare with it',
  lookingUp: 'Looking…',
  notFound: 'Not found',
  firstOfKind: 'This is the first record of its kind.',
  previousOf: 'Previous record of {tool} by this agent',
} as const;

export const DECISION_PANEL = {
  approve: 'Approve',
  deny: 'Deny',
  waiting: 'Waiting for a decision',
  checkWhatYouSign: 'Check what you sign',
  asks: '{agent} asks to use {tool}.',
  asksInSession: '{agent} asks to use {tool} in the session {session}.',
  presented: 'Presented by the agent',
  input: 'Input',
  reason: 'Reason',
  reasonHint: 'Optional. It becomes part of the signed record.',
  ownKeyExplained: 'Your key in this browser signs the decision, the question and the digests of what this page shows.',
  verifying: 'The record is being verified.',
  doesNotVerify: 'The record does not verify: a decision would prove nothing.',
  onlyDeny: 'Not in this record as a whole: it can be denied here, and not approved.',
  digest: 'Digest {digest}',
  decision: 'Decision',
  decided: (outcome: string) => `You ${outcome} this, and the receipt verifies`,
  receiptFails: 'The receipt does not verify',
  recordedAs: 'Recorded as {operation}, signed with your key and countersigned by the service.',
  operation: (seqNo: number) => `operation ${seqNo}`,
} as const;

export const MEMBERS = {
  notRead: 'not read',
  title: 'Record and receipt',
  notSealed: 'not sealed yet',
  neighbours: 'Previous: {previous} · Next: {next}',
  noneYet: 'none yet',
} as const;

export const OPERATION_SCREEN = {
  handedOver: (seqNo: number) => `Record ${seqNo}`,
  titleOf: (operationId: string) => `Operation ${operationId}`,
  crumbs: '{back} Operation {seqNo}',
  what: 'the operation',
  showInChain: 'Show in chain',
  neighbours: 'Show neighbours',
  verification: 'Verification in this window',
  pathEpoch: (epochNo: number) => `Path in epoch ${epochNo}`,
  openEpoch: 'Open the epoch',
} as const;

export const STANDING = {
  title: 'Witnesses and time',
  what: 'who stands behind the record',
  ofService: 'Counted are the witnesses that this service asks: the trust store names none.',
  none: 'No witness has cosigned a log with this record, and no authority has stamped one.',
} as const;

export const PAYLOAD_PANEL = {
  payload: 'Payload',
  what: 'payload',
} as const;

export const RAW = {
  byAgent: 'Signed by the agent',
  byService: 'Signed by the service',
  payload: 'Payload',
  asInFile: 'As in the file',
  title: 'Bytes',
  counted: (bytes: number) => `${bytes} bytes`,
  choice: 'Which bytes',
  inHexadecimal: 'bytes in hexadecimal',
} as const;

export const READING_PANEL = {
  title: 'What the payload says',
  derived: 'Derived, not evidence',
} as const;

export const RETENTION_LINE = {
  erased: 'Payload: erased. Signatures and proofs do not need it.',
  keptByHolds: (holds: number) =>
    `Payload: kept by ${plural(holds, 'legal hold')}, the first since {placedAt}. It cannot be erased until released.` as const,
  keptNoRule: 'Payload: kept for good. No retention rule matches this record.',
  keptByRule: 'Payload: kept for good by the rule {rule}.',
  dueSinceByRule: 'Payload: due for erasure since {dueAt} by the rule {rule}.',
  keptUntilByRule: 'Payload: kept until {dueAt} by the rule {rule}.',
} as const;

export const VERDICT = {
  gathering: 'Loading the keys, the records before and after, and the epoch…',
  result: 'Result',
  keysOfFile: 'These checks use the keys in the file. The verdict of the case says whether its issuer is trusted.',
  keyOfService:
    'These checks use this service’s own key. To be sure that this is the right key, compare its fingerprint through a separate channel.',
} as const;
