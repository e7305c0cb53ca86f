import { overLive } from './ledger-routes.ts';
import * as lists from './lists.ts';
import { get, post, remove } from './route.ts';

const epoch = { tag: 'Epochs' } as const;
const ledger = { tag: 'Ledger' } as const;

/** Epochs, and the stored ledger as a whole: rows of the one table (routes.ts). */
export const EPOCH_ROUTES = {
  ...overLive('listEpochs'),
  closeEpoch: {
    ...post,
    ...epoch,
    path: '/v1/epochs',
    access: 'security_admin',
    status: 200,
    answer: lists.closeEpochAnswer,
    summary: 'Close the open epoch now',
  },
  ...overLive('getEpoch', 'ledgerSummary'),
  checkpoint: {
    ...get,
    ...ledger,
    path: '/v1/ledger/checkpoint',
    access: 'readonly_investigator',
    query: lists.checkpointQuery,
    answer: 'text',
    summary: 'A signed checkpoint of the log: the newest one, or that of a sealed size',
  },
  consistencyProof: {
    ...get,
    ...ledger,
    path: '/v1/ledger/consistency',
    access: 'readonly_investigator',
    query: lists.consistencyQuery,
    answer: 'text',
    summary: 'A consistency proof: that the log of a checkpoint begins with the log of a smaller size',
  },
  verifyLedger: {
    ...post,
    ...ledger,
    path: '/v1/ledger/verify',
    access: 'compliance_auditor',
    status: 202,
    answer: lists.ledgerVerification,
    summary: 'Verify the whole stored ledger, as a job',
  },
  ledgerVerification: {
    ...get,
    ...ledger,
    path: '/v1/ledger/verify',
    access: 'compliance_auditor',
    answer: lists.ledgerVerification,
    summary: 'Progress and result of the newest verification',
  },
  cancelLedgerVerification: {
    ...remove,
    ...ledger,
    path: '/v1/ledger/verify',
    access: 'compliance_auditor',
    answer: lists.ledgerVerification,
    summary: 'Cancel the verification that is running',
  },
} as const;
