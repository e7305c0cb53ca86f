import { overLive } from './ledger-routes.ts';
import { checkpointQuery } from './lists.ts';
import * as operations from './operations.ts';
import { rowsOf } from './route.ts';
import { batchBody, submitBody } from './submit-bodies.ts';
import { operationStanding } from './witnesses.ts';

const engineer = rowsOf({ tag: 'Operations', access: 'integration_engineer' });
const reader = rowsOf({ tag: 'Operations', access: 'readonly_investigator' });
const admin = rowsOf({ tag: 'Operations', access: 'security_admin' });

/** Operations, submitted, read and searched: rows of the one table (routes.ts). */
export const OPERATION_ROUTES = {
  submitOperation: {
    ...engineer.post,
    path: '/v1/operations',
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
    ...engineer.post,
    path: '/v1/operations/batch',
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
    ...reader.get,
    path: '/v1/operations/:operation_id/tlog-proof',
    query: checkpointQuery,
    answer: 'file',
    summary: "A proof that a record's receipt is in the log, in the form of C2SP tlog-proof",
  },
  operationStanding: {
    ...reader.get,
    path: '/v1/operations/:operation_id/standing',
    answer: operationStanding,
    summary: 'Which witnesses and time stamps stand behind a sealed record, by whose word counts for you',
  },
  eraseOperation: {
    ...admin.post,
    path: '/v1/operations/:operation_id/erase',
    status: 200,
    body: operations.eraseBody,
    answer: operations.eraseAnswer,
    summary: 'Erase the payload of an operation; everything else of it stays',
  },
  verifyOperation: {
    ...reader.ask,
    path: '/v1/operations/:operation_id/verify',
    answer: operations.operationVerification,
    summary: 'Verify a stored record again',
  },
  ...overLive('auditQuery', 'auditHistogram'),
} as const;
