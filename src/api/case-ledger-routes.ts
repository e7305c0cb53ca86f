import * as agents from './agents.ts';
import * as cases from './cases.ts';
import { adminEventsQuery, listOf, noQuery } from './fields.ts';
import * as lists from './lists.ts';
import * as operations from './operations.ts';
import { finding } from './verification-report.ts';

const post = { method: 'POST', query: noQuery, access: 'workstation' } as const;
const get = { method: 'GET', query: noQuery, status: 200, access: 'workstation' } as const;
const ledger = { tag: 'Ledger of a case' } as const;

/** The ledger of a case: rows of the one table (routes.ts). */
export const CASE_LEDGER_ROUTES = {
  caseFindings: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/findings',
    query: cases.findingsQuery,
    answer: listOf(finding),
    summary: 'Findings of the verification, of one record or all',
  },
  caseSummary: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/summary',
    answer: cases.caseSummary,
    summary: 'The ledger of a case in figures',
  },
  caseAgents: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/agents',
    answer: agents.agentsAnswer,
    summary: 'The agents of a case, deleted ones too',
  },
  caseAgent: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/agents/:agent_id',
    answer: agents.agentAnswer,
    summary: 'An agent of a case, and its keys',
  },
  caseAgentHead: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/agents/:agent_id/head',
    answer: agents.agentHead,
    summary: "The newest record of an agent's chain in a case",
  },
  caseAgentChain: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/agents/:agent_id/chain',
    query: operations.chainQuery,
    answer: operations.chainAnswer,
    summary: "A part of an agent's chain in a case, newest first",
  },
  caseAuditQuery: {
    ...post,
    ...ledger,
    path: '/v1/cases/:case_id/audit/query',
    status: 200,
    onlyReads: true,
    body: cases.caseAuditQueryBody,
    answer: cases.caseAuditAnswer,
    summary: 'Search the operations of a case, newest first unless said otherwise',
  },
  caseHistogram: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/audit/histogram',
    query: cases.caseHistogramQuery,
    answer: operations.histogram,
    summary: 'Count the operations of a case over time',
  },
  caseOperation: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/operations/:operation_id',
    query: cases.caseOperationQuery,
    answer: operations.storedOperation,
    summary: 'A record of a case, its receipt, and where it is sealed',
  },
  caseOperationProof: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/operations/:operation_id/proof',
    query: cases.caseOperationQuery,
    answer: 'file',
    summary: 'A proof of a record of a case: a file that countersign verify accepts',
  },
  caseRecordText: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/operations/:operation_id/text',
    query: cases.caseOperationQuery,
    answer: cases.caseRecordText,
    summary: 'A record exactly as the bundle has it',
  },
  caseEpochs: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/epochs',
    query: lists.epochsQuery,
    answer: listOf(lists.epochRow),
    summary: 'The epochs of a case, newest first',
  },
  caseEpoch: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/epochs/:epoch_id',
    answer: lists.epoch,
    summary: 'An epoch of a case',
  },
  caseAdminEvents: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/admin/events',
    query: adminEventsQuery,
    answer: lists.adminEventsAnswer,
    summary: 'The administrative log of a case, newest first',
  },
  caseJwks: {
    ...get,
    ...ledger,
    path: '/v1/cases/:case_id/jwks',
    answer: lists.jwks,
    summary: 'The service keys that the bundle holds: not trusted for that',
  },
} as const;
