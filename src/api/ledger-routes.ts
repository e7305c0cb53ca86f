import * as actions from './actions.ts';
import * as agents from './agents.ts';
import * as annotations from './annotations.ts';
import * as cases from './cases.ts';
import { chosenReportBody, draftReportBody, recordFileBody } from './chosen-reports.ts';
import { adminEventsQuery, listOf, noQuery, success } from './fields.ts';
import * as investigation from './investigation.ts';
import * as lists from './lists.ts';
import * as namedPlaces from './named-places.ts';
import * as look from './needs-look.ts';
import * as operations from './operations.ts';
import { type Route, rowsOf } from './route.ts';
import * as left from './what-left.ts';

/**
 * A question to a ledger, told once for the live one and for that of a case: a row of the live ledger's routes, with the
 * widest query and body. What one of the two knows nothing of is taken away where it says so.
 */
interface Question extends Omit<Route, 'memberRole' | 'needsSession' | 'fresh'> {
  readonly live?: Partial<Pick<Route, 'query' | 'body' | 'byActive'>>;
  /** How it is asked of a case: by everybody who sees the case, or by the members of a role and at the workstation. */
  readonly inCase: Partial<Pick<Route, 'path' | 'memberRole' | 'query' | 'body' | 'answer' | 'tag' | 'summary'>> & {
    readonly name: string;
  };
}

/** A readonly role reads cases, and what others wrote about them; whoever works on cases changes them. */
const CHANGES = { memberRole: 'compliance_auditor' } as const;
/** What everybody of an organization may read, and what whoever may search. */
const ofLedger = rowsOf({ tag: 'Ledger', access: 'readonly_investigator' });
const ofAgents = rowsOf({ tag: 'Agents', access: 'readonly_investigator' });
const ofOperations = rowsOf({ tag: 'Operations', access: 'readonly_investigator' });
const ofEpochs = rowsOf({ tag: 'Epochs', access: 'readonly_investigator' });
const audit = rowsOf({ tag: 'Audit', access: 'compliance_auditor' });
const investigate = rowsOf({ tag: 'Investigation', access: 'compliance_auditor' });
const annotate = rowsOf({ tag: 'Annotations', access: 'compliance_auditor' });
const reports = rowsOf({ tag: 'Exports', access: 'compliance_auditor' });
const room = { tag: 'Cases' } as const;

const QUESTIONS = {
  ledgerSummary: {
    ...ofLedger.get,
    path: '/v1/ledger/summary',
    answer: lists.ledgerSummary,
    summary: 'The ledger in figures',
    inCase: {
      name: 'caseSummary',
      path: '/v1/cases/:case_id/summary',
      answer: cases.caseSummary,
      summary: 'The ledger of a case in figures',
    },
  },
  listAgents: {
    ...ofAgents.get,
    path: '/v1/agents',
    answer: agents.agentsAnswer,
    summary: 'List the agents',
    inCase: { name: 'caseAgents', summary: 'The agents of a case, deleted ones too' },
  },
  getAgent: {
    ...ofAgents.get,
    path: '/v1/agents/:agent_id',
    query: agents.agentQuery,
    answer: agents.agentAnswer,
    summary: 'An agent and its keys',
    inCase: { name: 'caseAgent', summary: 'An agent of a case, and its keys' },
  },
  agentHead: {
    ...ofAgents.get,
    path: '/v1/agents/:agent_id/head',
    forSubmitTokens: true,
    answer: agents.agentHead,
    summary: 'What the next record of an agent must refer to',
    inCase: { name: 'caseAgentHead', summary: "The newest record of an agent's chain in a case" },
  },
  agentChain: {
    ...ofAgents.get,
    path: '/v1/agents/:agent_id/chain',
    query: operations.chainQuery,
    answer: operations.chainAnswer,
    summary: "A part of an agent's chain with its hashes, newest first",
    inCase: { name: 'caseAgentChain', summary: "A part of an agent's chain in a case, newest first" },
  },
  getOperation: {
    ...ofOperations.get,
    path: '/v1/operations/:operation_id',
    query: cases.caseOperationQuery,
    answer: operations.storedOperation,
    summary: 'A record, its receipt, and where it is sealed',
    live: { query: noQuery },
    inCase: { name: 'caseOperation', summary: 'A record of a case, its receipt, and where it is sealed' },
  },
  operationProof: {
    ...ofOperations.get,
    path: '/v1/operations/:operation_id/proof',
    query: cases.caseOperationQuery,
    answer: 'file',
    summary: 'A proof of a record: a file that countersign verify accepts',
    live: { query: noQuery },
    inCase: {
      name: 'caseOperationProof',
      summary: 'A proof of a record of a case: a file that countersign verify accepts',
    },
  },
  auditQuery: {
    ...audit.ask,
    path: '/v1/audit/query',
    body: cases.caseAuditQueryBody,
    answer: operations.auditQueryAnswer,
    summary: 'Search the operations, newest first unless said otherwise',
    live: { body: operations.auditQueryBody },
    inCase: {
      name: 'caseAuditQuery',
      answer: cases.caseAuditAnswer,
      summary: 'Search the operations of a case, newest first unless said otherwise',
    },
  },
  auditHistogram: {
    ...audit.get,
    access: 'readonly_investigator',
    path: '/v1/audit/histogram',
    query: cases.caseHistogramQuery,
    answer: operations.histogram,
    summary: 'Count the operations over time',
    live: { query: operations.histogramQuery },
    inCase: { name: 'caseHistogram', summary: 'Count the operations of a case over time' },
  },
  facets: {
    ...audit.ask,
    path: '/v1/audit/facets',
    body: investigation.facetsBody,
    answer: investigation.facetsAnswer,
    summary: 'Count the values of some fields among what a search finds',
    inCase: { name: 'caseFacets' },
  },
  actions: {
    ...investigate.ask,
    path: '/v1/actions/query',
    body: actions.actionsBody,
    answer: actions.actionsAnswer,
    summary: 'Actions that a search finds: calls with all their records, newest first unless said otherwise',
    inCase: { name: 'caseActions' },
  },
  actionContext: {
    ...investigate.ask,
    path: '/v1/actions/context',
    body: actions.contextBody,
    answer: actions.contextAnswer,
    summary: 'What an action had been told before it: inputs, outputs of earlier calls and decisions',
    inCase: { name: 'caseActionContext' },
  },
  compareSessions: {
    ...investigate.ask,
    path: '/v1/sessions/compare',
    body: actions.compareSessionsBody,
    answer: actions.compareSessionsAnswer,
    summary: 'Two sessions step by step, with what differs',
    inCase: { name: 'caseCompareSessions' },
  },
  groups: {
    ...audit.ask,
    path: '/v1/audit/groups',
    body: actions.groupsBody,
    answer: actions.groupsAnswer,
    summary: 'Group what a search finds, count it, and add numbers up',
    inCase: { name: 'caseGroups' },
  },
  names: {
    ...audit.ask,
    path: '/v1/audit/names',
    body: investigation.namesBody,
    answer: investigation.namesAnswer,
    summary: 'Names of members, or values of a field, that a query can be completed with',
    inCase: { name: 'caseNames' },
  },
  sessions: {
    ...investigate.ask,
    path: '/v1/sessions/query',
    body: investigation.sessionsBody,
    answer: investigation.sessionsAnswer,
    summary: 'Sessions in which a search finds records',
    inCase: { name: 'caseSessions' },
  },
  sessionSteps: {
    ...investigate.ask,
    path: '/v1/sessions/steps',
    body: investigation.stepsBody,
    answer: investigation.stepsAnswer,
    summary: 'The steps of a session in order',
    inCase: { name: 'caseSessionSteps' },
  },
  entities: {
    ...investigate.ask,
    path: '/v1/entities/query',
    body: investigation.entitiesBody,
    answer: investigation.entitiesAnswer,
    summary: 'What records touch: files, hosts, accounts and the like',
    inCase: { name: 'caseEntities' },
  },
  entityTouches: {
    ...investigate.ask,
    path: '/v1/entities/touches',
    body: investigation.touchesBody,
    answer: investigation.touchesAnswer,
    summary: 'All records that touch one entity',
    inCase: { name: 'caseEntityTouches' },
  },
  redactionPlaces: {
    ...investigate.ask,
    path: '/v1/redaction/places',
    body: namedPlaces.placesBody,
    answer: namedPlaces.placesAnswer,
    summary: 'Where people are named, a stretch of the ledger at a time',
    inCase: { name: 'caseRedactionPlaces' },
  },
  operationReading: {
    ...investigate.get,
    path: '/v1/operations/:operation_id/reading',
    answer: investigation.readingAnswer,
    summary: 'What a record was read as, and why it is marked',
    inCase: { name: 'caseOperationReading' },
  },
  activity: {
    ...audit.get,
    path: '/v1/audit/activity',
    query: investigation.activityQuery,
    answer: investigation.activityAnswer,
    summary: 'What agents did lately, or in a range',
    inCase: { name: 'caseActivity' },
  },
  whatLeft: {
    ...investigate.ask,
    path: '/v1/left/query',
    body: left.whatLeftBody,
    answer: left.whatLeftAnswer,
    summary: "What agents sent to, or asked of, whatever is not the organization's own",
    inCase: { name: 'caseWhatLeft' },
  },
  needsLook: {
    ...investigate.ask,
    path: '/v1/look/query',
    body: look.needsLookBody,
    answer: look.needsLookAnswer,
    summary: 'What somebody should look at: contradictions, failures, silence, first uses',
    inCase: { name: 'caseNeedsLook' },
  },
  markLooked: {
    ...investigate.post,
    path: '/v1/look/seen',
    status: 200,
    body: look.markLookedBody,
    answer: look.markLookedAnswer,
    summary: 'Say that somebody looked at something, or take that back',
    inCase: { name: 'caseMarkLooked', ...CHANGES },
  },
  investigationRules: {
    ...investigate.get,
    path: '/v1/investigation/rules',
    answer: investigation.rulesAnswer,
    summary: 'The rules by which payloads are read',
    inCase: { name: 'caseInvestigationRules' },
  },
  setInvestigationRules: {
    ...investigate.patch,
    path: '/v1/investigation/rules',
    access: 'security_admin',
    body: investigation.rulesBody,
    answer: investigation.rulesAnswer,
    summary: 'Change the rules by which payloads are read',
    inCase: { name: 'caseSetInvestigationRules', ...CHANGES },
  },
  savedSearches: {
    ...investigate.get,
    path: '/v1/searches',
    answer: investigation.savedSearchesAnswer,
    summary: 'Searches that were saved, by name',
    inCase: { name: 'caseSavedSearches' },
  },
  saveSearch: {
    ...investigate.post,
    path: '/v1/searches',
    status: 201,
    body: investigation.saveSearchBody,
    answer: investigation.savedSearch,
    summary: 'Save a search under a name; one of the same name is replaced',
    inCase: { name: 'caseSaveSearch', ...CHANGES },
  },
  deleteSearch: {
    ...investigate.remove,
    path: '/v1/searches/:search_id',
    answer: success,
    summary: 'Delete a saved search',
    inCase: { name: 'caseDeleteSearch', ...CHANGES },
  },
  liveAnnotations: {
    ...annotate.get,
    path: '/v1/annotations',
    query: annotations.annotationsQuery,
    answer: annotations.annotationsAnswer,
    summary: 'Tags, notes and bookmarks of records, and all tags of the organization',
    inCase: { name: 'listAnnotations', ...room, summary: 'Tags, notes and bookmarks, and all tags of the case' },
  },
  liveAnnotation: {
    ...annotate.get,
    path: '/v1/annotations/:operation_id',
    answer: annotations.annotation,
    summary: 'Tags, note and bookmark of a record; NOT_FOUND where there are none',
    inCase: { name: 'getAnnotation', ...room },
  },
  annotateLive: {
    ...annotate.patch,
    path: '/v1/annotations/:operation_id',
    body: annotations.annotateBody,
    answer: annotations.annotation,
    summary: 'Set tags, note or bookmark of a record',
    inCase: { name: 'annotate', ...room, ...CHANGES },
  },
  annotateManyLive: {
    ...annotate.post,
    path: '/v1/annotations/batch',
    status: 200,
    body: annotations.annotateManyBody,
    answer: annotations.annotateManyAnswer,
    summary: 'Add tags, a note or a bookmark to several records, or take tags or bookmarks away',
    inCase: { name: 'annotateMany', ...room, ...CHANGES },
  },
  removeLiveAnnotation: {
    ...annotate.remove,
    path: '/v1/annotations/:operation_id',
    answer: success,
    summary: 'Take tags, note and bookmark of a record away',
    inCase: { name: 'removeAnnotation', ...room, ...CHANGES },
  },
  draftReport: {
    ...reports.post,
    path: '/v1/reports/draft',
    status: 200,
    body: draftReportBody,
    answer: 'file',
    summary: 'The data of a report of chosen records, as JSON, to be signed',
    live: { byActive: true },
    inCase: {
      name: 'draftCaseReport',
      ...room,
      summary: 'The data of a report of chosen records of a case, as JSON, to be signed',
    },
  },
  reportOfRecords: {
    ...reports.post,
    path: '/v1/reports',
    status: 200,
    body: chosenReportBody,
    answer: 'file',
    summary: 'A report of chosen records with their proof, as PDF or as HTML that verifies itself',
    live: { byActive: true },
    inCase: {
      name: 'caseReportOfRecords',
      ...room,
      summary: 'A report of chosen records of a case with their proof, as PDF or as HTML that verifies itself',
    },
  },
  recordFile: {
    ...reports.post,
    path: '/v1/records/file',
    status: 200,
    body: recordFileBody,
    answer: 'file',
    summary: 'What a search finds as a file for another program, without proof',
    live: { byActive: true },
    inCase: {
      name: 'caseRecordFile',
      ...room,
      summary: 'What a search in a case finds as a file for another program, without proof',
    },
  },
  listEpochs: {
    ...ofEpochs.get,
    path: '/v1/epochs',
    query: lists.epochsQuery,
    answer: listOf(lists.epochRow),
    summary: 'List the epochs, newest first',
    inCase: { name: 'caseEpochs', summary: 'The epochs of a case, newest first' },
  },
  getEpoch: {
    ...ofEpochs.get,
    path: '/v1/epochs/:epoch_id',
    answer: lists.epoch,
    summary: 'An epoch with its signature',
    inCase: { name: 'caseEpoch', summary: 'An epoch of a case' },
  },
  listAdminEvents: {
    ...rowsOf({ tag: 'Admin events', access: 'compliance_auditor' }).get,
    path: '/v1/admin/events',
    query: lists.adminLogQuery,
    answer: lists.adminEventsAnswer,
    summary: 'The administrative log, newest first',
    inCase: {
      name: 'caseAdminEvents',
      query: adminEventsQuery,
      summary: 'The administrative log of a case, newest first',
    },
  },
  jwks: {
    ...rowsOf({ tag: 'Service', access: 'public' }).get,
    path: '/.well-known/countersign/jwks.json',
    answer: lists.jwks,
    summary: "The service's public keys",
    inCase: {
      name: 'caseJwks',
      path: '/v1/cases/:case_id/jwks',
      summary: 'The service keys that the bundle holds: not trusted for that',
    },
  },
} as const satisfies Record<string, Question>;

/** The rows of the table, from which types are derived. */
export type LedgerQuestions = typeof QUESTIONS;

/** A question by the name of its route over the live ledger. */
export type LedgerQuestion = keyof LedgerQuestions;
/** The name of the route that asks the same of a case. */
export type NameInCase<N extends LedgerQuestion> = LedgerQuestions[N]['inCase']['name'];

type With<Row, Own> = Omit<Row, keyof Own> & Own;
type Shared<N extends LedgerQuestion> = Omit<LedgerQuestions[N], 'live' | 'inCase'>;
type LiveRow<N extends LedgerQuestion> = With<
  Shared<N>,
  LedgerQuestions[N] extends { live: infer Own } ? Own : unknown
>;
type CaseRow<N extends LedgerQuestion> = With<
  Omit<Shared<N>, 'forSubmitTokens'>,
  Omit<LedgerQuestions[N]['inCase'], 'name' | 'path' | 'tag' | 'summary'> & { readonly access: 'workstation' } & Pick<
      Route,
      'path' | 'tag' | 'summary'
    >
>;
type LiveRows<N extends LedgerQuestion> = { readonly [M in N]: LiveRow<M> };
type CaseRows<N extends LedgerQuestion> = { readonly [M in N as NameInCase<M>]: CaseRow<M> };

/** The rows of some questions over the live ledger, and over a case: each stands where the interface has it. */
export function overLive<N extends LedgerQuestion>(...names: readonly N[]): LiveRows<N> {
  const rows = names.map((name) => {
    const { live, inCase: _, ...shared }: Question = QUESTIONS[name];
    return [name, { ...shared, ...live }];
  });
  return Object.fromEntries(rows) as LiveRows<N>;
}

export function overCase<N extends LedgerQuestion>(...names: readonly N[]): CaseRows<N> {
  const rows = names.map((live) => {
    const { live: _, forSubmitTokens: __, inCase, ...shared }: Question = QUESTIONS[live];
    const { name, ...own } = inCase;
    const place = {
      access: 'workstation',
      path: shared.path.replace('/v1/', '/v1/cases/:case_id/'),
      tag: 'Ledger of a case',
      // Another tag says of what it is.
      summary: own.tag === undefined ? `${shared.summary}, over a case` : shared.summary,
    };
    return [name, { ...shared, ...place, ...own }];
  });
  return Object.fromEntries(rows) as CaseRows<N>;
}

/** The name of the route that asks a question of a case. */
export function nameInCase<N extends LedgerQuestion>(name: N): NameInCase<N> {
  return QUESTIONS[name].inCase.name;
}
