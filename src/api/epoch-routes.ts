import { overLive } from './ledger-routes.ts';
import * as lists from './lists.ts';
import { rowsOf } from './route.ts';

const epoch = rowsOf({ tag: 'Epochs', access: 'security_admin' });
const reader = rowsOf({ tag: 'Ledger', access: 'readonly_investigator' });
const auditor = rowsOf({ tag: 'Ledger', access: 'compliance_auditor' });

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
    answer: lists.ledgerVerification,
    summary: 'Cancel the verification that is running',
  },
} as const;
