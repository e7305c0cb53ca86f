import * as retention from './retention.ts';
import { rowsOf } from './route.ts';

const auditor = rowsOf({ tag: 'Retention', access: 'compliance_auditor' });
const admin = rowsOf({ tag: 'Retention', access: 'security_admin' });
const reader = rowsOf({ tag: 'Retention', access: 'readonly_investigator' });

/** Retention, legal holds and sweeps: rows of the one table (routes.ts). */
export const RETENTION_ROUTES = {
  retentionRules: {
    ...auditor.get,
    path: '/v1/retention/rules',
    answer: retention.retentionRulesAnswer,
    summary: 'The rules that say how long payloads are kept',
  },
  setRetentionRules: {
    ...admin.post,
    path: '/v1/retention/rules',
    fresh: true,
    status: 200,
    body: retention.retentionRulesBody,
    answer: retention.retentionRulesAnswer,
    summary: 'Replace the rules of retention',
  },
  listHolds: {
    ...auditor.get,
    path: '/v1/retention/holds',
    answer: retention.holdsAnswer,
    summary: 'Legal holds, those in force first',
  },
  placeHold: {
    ...auditor.post,
    path: '/v1/retention/holds',
    status: 201,
    body: retention.placeHoldBody,
    answer: retention.holdAnswer,
    summary: 'Place a legal hold: nothing that it covers can be erased',
  },
  countHeld: {
    ...auditor.ask,
    path: '/v1/retention/holds/count',
    body: retention.countHeldBody,
    answer: retention.countHeldAnswer,
    summary: 'How many records a hold covers, or would, a stretch of the ledger at a time',
  },
  releaseHold: {
    ...admin.post,
    path: '/v1/retention/holds/:hold_id/release',
    fresh: true,
    status: 200,
    body: retention.releaseHoldBody,
    answer: retention.holdAnswer,
    summary: 'Release a legal hold',
  },
  listSweeps: {
    ...auditor.get,
    path: '/v1/retention/sweeps',
    answer: retention.sweepsAnswer,
    summary: 'The newest sweeps and previews, newest first',
  },
  getSweep: {
    ...auditor.get,
    path: '/v1/retention/sweeps/:sweep_id',
    answer: retention.sweepAnswer,
    summary: 'One sweep, and how far it is',
  },
  beginSweep: {
    ...admin.post,
    path: '/v1/retention/sweeps',
    fresh: true,
    status: 202,
    body: retention.sweepBody,
    answer: retention.sweepAnswer,
    summary: 'Erase the payloads that are due, as a job; or only count them',
  },
  stopSweep: {
    ...admin.post,
    path: '/v1/retention/sweeps/:sweep_id/stop',
    status: 202,
    answer: retention.sweepAnswer,
    summary: 'Stop a sweep; its certificate tells what it erased',
  },
  retentionCertificate: {
    ...auditor.get,
    path: '/v1/retention/sweeps/:sweep_id/certificate',
    answer: retention.retentionCertificate,
    summary: 'The signed certificate of a sweep',
  },
  operationRetention: {
    ...reader.get,
    path: '/v1/operations/:operation_id/retention',
    answer: retention.recordRetention,
    summary: 'How long the payload of a record is kept, and what holds it',
  },
} as const;
