import { plural } from '../../lib/plural.ts';

export const EPOCH_PATH = {
  noRecord: (seqNo: number) => `there is no record ${seqNo}`,
  merkleTree: 'Merkle tree',
  pathRecord: 'Path of record',
  drawPath: 'Draw path',
  record: 'the record',
  operationSeqno: 'Operation {seqNo}',
} as const;

export const SAVE_LOG_PROOFS = {
  save: 'Save log proof',
  saveCheckpoint: 'Save checkpoint',
  checkpointExplained:
    'The size and the root of the log up to this epoch ({size} records), signed by the service. Whoever keeps it can check later, with {command}, that a bundle leads to the same root.',
  saveConsistency: 'Save consistency proof',
  consistencyExplained:
    'That the newest log begins with the log of {size} records: for whoever has kept a checkpoint of that size. Give both to {command}.',
} as const;

export const EPOCH_SCREEN = {
  title: (epochNo: string) => `Epoch ${epochNo}`,
  epochs: 'Epochs',
  crumbs: '{link} Epoch {epochNo}',
  what: 'the epoch',
  chainEpochs: 'Chain of epochs',
  recordRange: 'records {firstSeqNo} – {lastSeqNo}',
  previous: 'previous {hash}',
  none: 'none',
  verificationWindow: 'Verification in this window',
  epoch: 'Epoch',
  epochNumber: 'Epoch number',
  records: 'Records',
  searchRecords: 'Search records',
  firstRecord: 'First record',
  closed: 'Closed',
  rootHash: 'Root hash',
  logRoot: 'Log root',
  logRootLong: 'Log root',
  epochHash: 'Epoch hash',
  epochId: 'Epoch ID',
} as const;

export const EPOCHS_SCREEN = {
  no: 'No.',
  firstRecordUtc: 'First record (UTC)',
  records: 'Records',
  run: 'Sequence numbers',
  root: 'Root',
  previousEpoch: 'Previous epoch',
  first: 'the first',
  epochs: 'Epochs',
  what: 'the epochs',
  nothingSealed: 'No epochs yet',
  whatFor:
    'An epoch seals a run of records under one Merkle root that the service signs. After that, nobody can change, remove or insert a record unnoticed. An epoch closes one minute after its first record, when the epoch is full, or when you seal it.',
  counted: (count: number) => plural(count, 'epoch'),
  loaded: ' loaded',
  all: ', all',
  noRecordUnsealed: 'No record was unsealed.',
  sealed: (epochNo: number, leafCount: string) => `Epoch ${epochNo} is sealed: ${leafCount}.`,
  recordsIn: (count: number) => plural(count, 'record'),
  sealRecordsNow: 'Seal records now',
  closed: 'Closed (UTC)',
} as const;
