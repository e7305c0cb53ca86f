import { page, success } from './fields.ts';
import { overLive } from './ledger-routes.ts';
import * as lists from './lists.ts';
import { rowsOf } from './route.ts';
import * as times from './time-stamps.ts';
import * as witnesses from './witnesses.ts';

const epoch = rowsOf({ tag: 'Epochs', access: 'security_admin' });
const reader = rowsOf({ tag: 'Ledger', access: 'readonly_investigator' });
const auditor = rowsOf({ tag: 'Ledger', access: 'compliance_auditor' });

const admin = rowsOf({ tag: 'Witnesses', access: 'security_admin' });
const witnessed = rowsOf({ tag: 'Witnesses', access: 'readonly_investigator' });
const timing = rowsOf({ tag: 'Time', access: 'security_admin' });
const timed = rowsOf({ tag: 'Time', access: 'readonly_investigator' });

/** Epochs, and the stored ledger as a whole: rows of the one table (routes.ts). */
export const EPOCH_ROUTES = {
  ...overLive('listEpochs'),
  closeEpoch: {
    ...epoch.post,
    path: '/v1/epochs',
    status: 200,
    answer: lists.closeEpochAnswer,
    summary: 'Close the open epoch now',
  },
  ...overLive('getEpoch', 'ledgerSummary'),
  checkpoint: {
    ...reader.get,
    path: '/v1/ledger/checkpoint',
    query: lists.checkpointQuery,
    answer: 'text',
    summary: 'A signed checkpoint of the log: the newest one, or that of a sealed size',
  },
  consistencyProof: {
    ...reader.get,
    path: '/v1/ledger/consistency',
    query: lists.consistencyQuery,
    answer: 'text',
    summary: 'A consistency proof: that the log of a checkpoint begins with the log of a smaller size',
  },
  exchangeCheckpoints: {
    ...reader.get,
    path: '/v1/ledger/exchange',
    query: lists.exchangeQuery,
    forSubmitTokens: true,
    answer: lists.exchangeAnswer,
    summary:
      'The newest checkpoint, for whoever submits: that the log continues what they kept, or where the ledger ends',
  },
  verifyLedger: {
    ...auditor.post,
    path: '/v1/ledger/verify',
    isOfNode: true,
    status: 202,
    answer: lists.ledgerVerification,
    summary: 'Verify the whole stored ledger, as a job',
  },
  ledgerVerification: {
    ...auditor.get,
    path: '/v1/ledger/verify',
    answer: lists.ledgerVerification,
    summary: 'Progress and result of the newest verification',
  },
  cancelLedgerVerification: {
    ...auditor.remove,
    path: '/v1/ledger/verify',
    isOfNode: true,
    answer: lists.ledgerVerification,
    summary: 'Cancel the verification that is running',
  },
  listWitnesses: {
    ...witnessed.get,
    path: '/v1/witnesses',
    answer: witnesses.witnessesAnswer,
    summary: 'The witnesses, and what each cosigned last of this log',
  },
  addWitness: {
    ...admin.post,
    path: '/v1/witnesses',
    status: 201,
    body: witnesses.addWitnessBody,
    answer: witnesses.witnessAnswer,
    summary: 'Add a witness, by its keys',
  },
  removeWitness: {
    ...admin.remove,
    path: '/v1/witnesses/:witness_id',
    answer: success,
    summary: 'Remove a witness; what it cosigned stays',
  },
  witnessRequest: {
    ...witnessed.get,
    path: '/v1/witnesses/:witness_id/request',
    query: witnesses.witnessRequestQuery,
    answer: 'text',
    summary:
      'What the witness is asked, as text: the newest checkpoint, and the proof from the one that it cosigned last',
  },
  importCosignatures: {
    ...admin.post,
    path: '/v1/witnesses/:witness_id/cosignatures',
    status: 200,
    body: witnesses.importCosignaturesBody,
    answer: witnesses.importCosignaturesAnswer,
    summary: 'Import the answer of a witness',
  },
  listCosignatures: {
    ...witnessed.get,
    path: '/v1/cosignatures',
    query: page,
    answer: witnesses.cosignatures,
    summary: 'Who cosigned which checkpoint and when, the largest first',
  },
  cosignedCheckpoint: {
    ...witnessed.get,
    path: '/v1/ledger/cosigned-checkpoint',
    query: lists.checkpointQuery,
    answer: 'text',
    summary: 'The checkpoint that was cosigned last, or that of a size, with its cosignatures',
  },
  ownWitness: {
    ...witnessed.get,
    path: '/v1/witness',
    answer: witnesses.ownWitnessAnswer,
    summary: 'This service as a witness of other logs: its keys, and what it cosigned last',
  },
  makeWitness: {
    ...admin.post,
    path: '/v1/witness',
    status: 201,
    body: witnesses.makeWitnessBody,
    answer: witnesses.ownWitnessAnswer,
    summary: 'Make this service a witness, under a name that stays',
  },
  cosign: {
    ...admin.post,
    path: '/v1/witness/cosignatures',
    status: 200,
    body: witnesses.cosignBody,
    answer: witnesses.cosignAnswer,
    summary: 'Cosign the checkpoint of a log whose service key the trust store has, or refuse',
  },
  listTimeStamps: {
    ...timed.get,
    path: '/v1/time-stamps',
    query: page,
    answer: times.timeStamps,
    summary: 'Time stamps over checkpoints of this log, the largest first',
  },
  timeStampRequest: {
    ...timed.get,
    path: '/v1/time-stamps/request',
    query: times.timeStampRequestQuery,
    answer: times.timeStampRequest,
    summary: 'A request for a time stamp, to be sent to an authority',
  },
  timeStampFile: {
    ...timed.get,
    path: '/v1/time-stamps/:digest',
    answer: 'text',
    summary: 'A file of time stamps, as `countersign verify --timestamp` takes it',
  },
  addTimeStamp: {
    ...timing.post,
    path: '/v1/time-stamps',
    status: 201,
    body: times.addTimeStampBody,
    answer: times.timeStampAnswer,
    summary: 'Keep the answer of an authority, and note it in the administrative log',
  },
  noteLine: {
    ...timing.post,
    path: '/v1/time-stamps/lines',
    status: 201,
    body: times.notedLineBody,
    answer: success,
    summary: 'Note a line in the administrative log that nobody could know before a time',
  },
  serviceKeysFile: {
    ...witnessed.get,
    path: '/v1/service-keys/file',
    answer: 'text',
    summary: 'The service keys, as a witness takes them that sees the log for the first time',
  },
} as const;
