import { z } from 'zod';
import { compareBody, comparison } from './case-comparison.ts';
import { CASE_ITEM_ROUTES } from './case-item-routes.ts';
import * as cases from './cases.ts';
import { coherenceReport } from './coherence.ts';
import * as custody from './custody.ts';
import { reportQuery } from './exports.ts';
import { listOf, noQuery, page, success } from './fields.ts';
import { overCase } from './ledger-routes.ts';
import * as trust from './trust.ts';
import { finding, verificationReport } from './verification-report.ts';

const access = 'workstation';
const post = { method: 'POST', query: noQuery, access } as const;
const get = { method: 'GET', query: noQuery, status: 200, access } as const;
const remove = { method: 'DELETE', query: noQuery, status: 200, access } as const;
const patch = { method: 'PATCH', query: noQuery, status: 200, access } as const;
const room = { tag: 'Cases' } as const;
const ledger = { tag: 'Ledger of a case' } as const;
const keys = { tag: 'Trust' } as const;

/** A readonly role reads cases, and what others wrote about them; whoever works on cases changes them. */
const CHANGES = 'compliance_auditor';

/** The case room and the trust store: rows of the one table (routes.ts). */
export const CASE_ROUTES = {
  workstation: {
    ...get,
    ...room,
    path: '/v1/workstation',
    access: 'public',
    answer: trust.workstationAnswer,
    summary: 'Whether this browser has a workstation session',
  },
  enterWorkstation: {
    ...post,
    ...room,
    path: '/v1/workstation/enter',
    access: 'public',
    isWayIn: true,
    status: 200,
    body: trust.enterBody,
    answer: trust.workstationAnswer,
    summary: 'Begin a workstation session by the one-time link of the service',
  },
  listTrust: { ...get, ...keys, path: '/v1/trust', answer: trust.trustAnswer, summary: 'The trust store' },
  addTrust: {
    ...post,
    ...keys,
    path: '/v1/trust',
    fresh: true,
    memberRole: 'security_admin',
    status: 201,
    body: trust.addTrustBody,
    answer: trust.addTrustAnswer,
    summary: 'Trust a service key',
  },
  removeTrust: {
    ...remove,
    ...keys,
    path: '/v1/trust/:kid',
    query: trust.removeTrustQuery,
    fresh: true,
    memberRole: 'security_admin',
    answer: success,
    summary: 'Trust a service key no longer',
  },
  inspectFile: {
    ...post,
    ...room,
    path: '/v1/cases/inspect',
    memberRole: CHANGES,
    status: 201,
    query: cases.inspectQuery,
    body: z.unknown(),
    upload: true,
    answer: cases.upload,
    summary: 'Upload a file for a case, as it is, and see what it claims to be; nothing is verified',
  },
  deleteUpload: {
    ...remove,
    ...room,
    path: '/v1/cases/uploads/:upload_id',
    memberRole: CHANGES,
    answer: success,
    summary: 'Drop an upload',
  },
  createCase: {
    ...post,
    ...room,
    path: '/v1/cases',
    memberRole: CHANGES,
    status: 202,
    body: cases.createCaseBody,
    answer: cases.caseAnswer,
    summary: 'Import an upload as a case, as a job',
  },
  listCases: {
    ...get,
    ...room,
    path: '/v1/cases',
    query: page,
    answer: listOf(cases.caseAnswer),
    summary: 'List the cases, newest first',
  },
  getCase: { ...get, ...room, path: '/v1/cases/:case_id', answer: cases.caseAnswer, summary: 'State of a case' },
  renameCase: {
    ...patch,
    ...room,
    path: '/v1/cases/:case_id',
    memberRole: CHANGES,
    body: cases.renameCaseBody,
    answer: cases.caseAnswer,
    summary: 'Rename a case',
  },
  deleteCase: {
    ...remove,
    ...room,
    path: '/v1/cases/:case_id',
    memberRole: CHANGES,
    answer: success,
    summary: 'Delete a case with its copy of the file, tags and notes',
  },
  cancelCase: {
    ...post,
    ...room,
    path: '/v1/cases/:case_id/cancel',
    memberRole: CHANGES,
    status: 200,
    answer: cases.caseAnswer,
    summary: 'Cancel the import, or the verification that is running',
  },
  verifyCase: {
    ...post,
    ...room,
    path: '/v1/cases/:case_id/verify',
    memberRole: CHANGES,
    status: 202,
    body: cases.verifyCaseBody,
    answer: cases.caseAnswer,
    summary: 'Verify a case again with present trust, as a job',
  },
  caseReport: {
    ...get,
    ...room,
    path: '/v1/cases/:case_id/report',
    answer: verificationReport,
    summary: 'The whole verification report',
  },
  caseCoherence: {
    ...get,
    ...room,
    path: '/v1/cases/:case_id/coherence',
    answer: coherenceReport,
    summary: 'Whether the records of the payload profile fit together, which changes no verdict',
  },
  caseReportPdf: {
    ...get,
    ...room,
    path: '/v1/cases/:case_id/report.pdf',
    query: reportQuery,
    answer: 'file',
    summary: "The report as PDF with the bundle attached, and the investigator's tags and notes",
  },
  caseReportJson: {
    ...get,
    ...room,
    path: '/v1/cases/:case_id/report.json',
    answer: 'file',
    summary: "The verification report as a file to keep, with the investigator's tags and notes",
  },
  ...overCase('draftReport', 'reportOfRecords'),
  compareCase: {
    ...post,
    ...room,
    path: '/v1/cases/:case_id/compare',
    status: 202,
    body: compareBody,
    answer: comparison,
    summary: 'Compare a case with another, or with the live ledger (a signed-in user), as a job',
  },
  getComparison: {
    ...get,
    ...room,
    path: '/v1/cases/:case_id/compare/:comparison_id',
    answer: comparison,
    summary: 'State and result of a comparison',
  },
  caseFindings: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/findings',
    query: cases.findingsQuery,
    answer: listOf(finding),
    summary: 'Findings of the verification, of one record or all',
  },
  ...overCase('ledgerSummary', 'listAgents', 'getAgent', 'agentHead', 'agentChain'),
  ...overCase('auditQuery', 'auditHistogram', 'getOperation', 'operationProof'),
  caseRecordText: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/operations/:operation_id/text',
    query: cases.caseOperationQuery,
    answer: cases.caseRecordText,
    summary: 'A record exactly as the bundle has it',
  },
  ...overCase('listEpochs', 'getEpoch', 'listAdminEvents', 'jwks'),
  ...CASE_ITEM_ROUTES,
  ...overCase('liveAnnotations', 'liveAnnotation', 'annotateLive', 'annotateManyLive'),
  custody: {
    ...get,
    ...room,
    path: '/v1/cases/:case_id/custody',
    query: custody.custodyQuery,
    answer: custody.custodyAnswer,
    summary: 'What was done with a case, each entry with the hash of the one before, and whether the log holds',
  },
  ...overCase('removeLiveAnnotation'),
} as const;
