import { z } from 'zod';
import { archivedLedgers } from './archive.ts';
import { compareBody, comparison } from './case-comparison.ts';
import { CASE_ITEM_ROUTES } from './case-item-routes.ts';
import * as cases from './cases.ts';
import { coherenceReport } from './coherence.ts';
import * as custody from './custody.ts';
import { reportQuery } from './exports.ts';
import { listOf, page, success } from './fields.ts';
import { overCase } from './ledger-routes.ts';
import { rowsOf } from './route.ts';
import * as trust from './trust.ts';
import { finding, verificationReport } from './verification-report.ts';

const anyone = rowsOf({ tag: 'Cases', access: 'public' });
/** A readonly role reads cases, and what others wrote about them; whoever works on cases changes them. */
const changes = rowsOf({ tag: 'Cases', access: 'workstation', memberRole: 'compliance_auditor' });
const room = rowsOf({ tag: 'Cases', access: 'workstation' });
const ofLedger = rowsOf({ tag: 'Ledger of a case', access: 'workstation' });
const keys = rowsOf({ tag: 'Trust', access: 'workstation' });

/** The case room and the trust store: rows of the one table (routes.ts). */
export const CASE_ROUTES = {
  workstation: {
    ...anyone.get,
    path: '/v1/workstation',
    answer: trust.workstationAnswer,
    summary: 'Whether this browser has a workstation session',
  },
  enterWorkstation: {
    ...anyone.post,
    path: '/v1/workstation/enter',
    isWayIn: true,
    isOfNode: true,
    status: 200,
    body: trust.enterBody,
    answer: trust.workstationAnswer,
    summary: 'Begin a workstation session by the one-time link of the service',
  },
  listTrust: { ...keys.get, path: '/v1/trust', answer: trust.trustAnswer, summary: 'The trust store' },
  addTrust: {
    ...keys.post,
    path: '/v1/trust',
    fresh: true,
    memberRole: 'security_admin',
    status: 201,
    body: trust.addTrustBody,
    answer: trust.addTrustAnswer,
    summary: 'Trust a service key',
  },
  removeTrust: {
    ...keys.remove,
    path: '/v1/trust/:kid',
    query: trust.removeTrustQuery,
    fresh: true,
    memberRole: 'security_admin',
    answer: success,
    summary: 'Trust a service key no longer',
  },
  trustWitness: {
    ...keys.post,
    path: '/v1/trust/witnesses',
    fresh: true,
    memberRole: 'security_admin',
    status: 201,
    body: trust.trustWitnessBody,
    answer: trust.trustedAnchors,
    summary: 'Demand a witness, by its keys: of every ledger, or of one',
  },
  demandWitnesses: {
    ...keys.patch,
    path: '/v1/trust/witnesses',
    fresh: true,
    memberRole: 'security_admin',
    body: trust.demandWitnessesBody,
    answer: trust.trustedAnchors,
    summary: 'Of how many witnesses a cosignature is demanded',
  },
  removeTrustedWitness: {
    ...keys.remove,
    path: '/v1/trust/witnesses/:name',
    query: trust.removeTrustedWitnessQuery,
    fresh: true,
    memberRole: 'security_admin',
    answer: trust.trustedAnchors,
    summary: 'Demand a witness no longer',
  },
  trustTimeRoots: {
    ...keys.post,
    path: '/v1/trust/time-roots',
    fresh: true,
    memberRole: 'security_admin',
    status: 201,
    body: trust.trustTimeRootsBody,
    answer: trust.trustedAnchors,
    summary: 'Trust root certificates for time, or change until when',
  },
  removeTimeRoot: {
    ...keys.remove,
    path: '/v1/trust/time-roots/:sha256',
    fresh: true,
    memberRole: 'security_admin',
    answer: trust.trustedAnchors,
    summary: 'Trust a root certificate for time no longer',
  },
  inspectFile: {
    ...changes.post,
    path: '/v1/cases/inspect',
    status: 201,
    query: cases.inspectQuery,
    body: z.unknown(),
    upload: true,
    answer: cases.upload,
    summary: 'Upload a file for a case, as it is, and see what it claims to be; nothing is verified',
  },
  deleteUpload: {
    ...changes.remove,
    path: '/v1/cases/uploads/:upload_id',
    answer: success,
    summary: 'Drop an upload',
  },
  createCase: {
    ...changes.post,
    path: '/v1/cases',
    status: 202,
    body: cases.createCaseBody,
    answer: cases.caseAnswer,
    summary: 'Import an upload as a case, as a job',
  },
  listCases: {
    ...room.get,
    path: '/v1/cases',
    query: page,
    answer: listOf(cases.caseAnswer),
    summary: 'List the cases, newest first',
  },
  getCase: { ...room.get, path: '/v1/cases/:case_id', answer: cases.caseAnswer, summary: 'State of a case' },
  renameCase: {
    ...changes.patch,
    path: '/v1/cases/:case_id',
    body: cases.renameCaseBody,
    answer: cases.caseAnswer,
    summary: 'Rename a case',
  },
  deleteCase: {
    ...changes.remove,
    path: '/v1/cases/:case_id',
    answer: success,
    summary: 'Delete a case with its copy of the file, tags and notes',
  },
  cancelCase: {
    ...changes.post,
    path: '/v1/cases/:case_id/cancel',
    status: 200,
    answer: cases.caseAnswer,
    summary: 'Cancel the import, or the verification that is running',
  },
  archivedLedgers: {
    ...room.get,
    path: '/v1/cases/:case_id/ledgers',
    answer: archivedLedgers,
    summary: 'The ledgers of an archive, as far as their runs were accepted',
  },
  verifyCase: {
    ...changes.post,
    path: '/v1/cases/:case_id/verify',
    status: 202,
    body: cases.verifyCaseBody,
    answer: cases.caseAnswer,
    summary: 'Verify a case again with present trust, as a job',
  },
  caseReport: {
    ...room.get,
    path: '/v1/cases/:case_id/report',
    answer: verificationReport,
    summary: 'The whole verification report',
  },
  caseCoherence: {
    ...room.get,
    path: '/v1/cases/:case_id/coherence',
    answer: coherenceReport,
    summary: 'Whether the records of the payload profile fit together, which changes no verdict',
  },
  caseReportPdf: {
    ...room.get,
    path: '/v1/cases/:case_id/report.pdf',
    query: reportQuery,
    answer: 'file',
    summary: "The report as PDF with the bundle attached, and the investigator's tags and notes",
  },
  caseReportJson: {
    ...room.get,
    path: '/v1/cases/:case_id/report.json',
    answer: 'file',
    summary: "The verification report as a file to keep, with the investigator's tags and notes",
  },
  ...overCase('draftReport', 'reportOfRecords', 'recordFile'),
  compareCase: {
    ...room.post,
    path: '/v1/cases/:case_id/compare',
    status: 202,
    body: compareBody,
    answer: comparison,
    summary: 'Compare a case with another, or with the live ledger (a signed-in user), as a job',
  },
  getComparison: {
    ...room.get,
    path: '/v1/cases/:case_id/compare/:comparison_id',
    answer: comparison,
    summary: 'State and result of a comparison',
  },
  caseFindings: {
    ...ofLedger.get,
    path: '/v1/cases/:case_id/findings',
    query: cases.findingsQuery,
    answer: listOf(finding),
    summary: 'Findings of the verification, of one record or all',
  },
  ...overCase('ledgerSummary', 'listAgents', 'getAgent', 'agentHead', 'agentChain'),
  ...overCase('auditQuery', 'auditHistogram', 'getOperation', 'operationProof'),
  caseRecordText: {
    ...ofLedger.get,
    path: '/v1/cases/:case_id/operations/:operation_id/text',
    query: cases.caseOperationQuery,
    answer: cases.caseRecordText,
    summary: 'A record exactly as the bundle has it',
  },
  ...overCase('listEpochs', 'getEpoch', 'listAdminEvents', 'jwks'),
  ...CASE_ITEM_ROUTES,
  ...overCase('liveAnnotations', 'liveAnnotation', 'annotateLive', 'annotateManyLive'),
  custody: {
    ...room.get,
    path: '/v1/cases/:case_id/custody',
    query: custody.custodyQuery,
    answer: custody.custodyAnswer,
    summary: 'What was done with a case, each entry with the hash of the one before, and whether the log holds',
  },
  ...overCase('removeLiveAnnotation'),
} as const;
