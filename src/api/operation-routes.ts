import { overLive } from './ledger-routes.ts';
import { checkpointQuery } from './lists.ts';
import * as operations from './operations.ts';
import { get, post } from './route.ts';
import { batchBody, submitBody } from './submit-bodies.ts';

const operation = { tag: 'Operations' } as const;

/** Operations, submitted, read and searched: rows of the one table (routes.ts). */
export const OPERATION_ROUTES = {
  submitOperation: {
    ...post,
    ...operation,
    path: '/v1/operations',
    access: 'integration_engineer',
    status: 201,
    otherStatus: 200,
    body: submitBody,
    forSubmitTokens: true,
    bodyForm: operations.recordForm,
    raw: true,
    answer: operations.ear,
    summary: 'Submit a signed record; 200 where it was accepted before',
  },
  submitBatch: {
    ...post,
    ...operation,
    path: '/v1/operations/batch',
    access: 'integration_engineer',
    status: 200,
    body: batchBody,
    forSubmitTokens: true,
    bodyForm: operations.batchForm,
    raw: true,
    large: true,
    answer: operations.batchAnswer,
    summary: 'Submit many records, each with its own result',
  },
  ...overLive('getOperation', 'operationProof'),
  operationTlogProof: {
    ...get,
    ...operation,
    path: '/v1/operations/:operation_id/tlog-proof',
    access: 'readonly_investigator',
    query: checkpointQuery,
    answer: 'file',
    summary: "A proof that a record's receipt is in the log, in the form of C2SP tlog-proof",
  },
  eraseOperation: {
    ...post,
    ...operation,
    path: '/v1/operations/:operation_id/erase',
    access: 'security_admin',
    status: 200,
    body: operations.eraseBody,
    answer: operations.eraseAnswer,
    summary: 'Erase the payload of an operation; everything else of it stays',
  },
  verifyOperation: {
    ...post,
    ...operation,
    path: '/v1/operations/:operation_id/verify',
    access: 'readonly_investigator',
    status: 200,
    onlyReads: true,
    answer: operations.operationVerification,
    summary: 'Verify a stored record again',
  },
  ...overLive('auditQuery', 'auditHistogram'),
} as const;
