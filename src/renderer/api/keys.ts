/**
 * The keys that answers of the service are kept under, in one place: a query is defined under one of them, and whoever
 * changes something names by the same what has to be asked again. A key covers all that begin with it.
 */
export const KEYS = {
  session: ['session'],
  workstation: ['workstation'],
  setUp: ['set-up'],
  providers: ['providers'],
  health: ['health'],
  clock: ['clock'],
  ledgerVerification: ['ledger-verification'],
  exports: ['exports'],
  exportPreview: (request: string) => ['export-preview', request],
  export: (exportId: string) => ['exports', exportId],
  assignments: (agentId: string) => ['agents', agentId, 'assignments'],
  firstOperation: (agentId: string) => ['agents', agentId, 'first'],
  members: ['members'],
  organization: ['organization'],
  memberAgents: (userId: string) => ['members', userId, 'agents'],
  invitations: ['invitations'],
  webhooks: ['webhooks'],
  webhook: (webhookId: string) => ['webhooks', webhookId],
  deliveries: (webhookId: string) => ['webhooks', webhookId, 'deliveries'],
  retention: ['retention'],
  retentionRules: ['retention', 'rules'],
  legalHolds: ['retention', 'holds'],
  sweeps: ['retention', 'sweeps'],
  operationRetention: (operationId: string) => ['retention', 'operations', operationId],
  tokens: ['tokens'],
  account: ['account'],
  accountSessions: ['account', 'sessions'],
  decider: ['account', 'decider'],
  /** Below the keys that the service has: what of them this browser has. */
  signingKey: (person: object | null) => ['account', 'decider', 'signing', person],
  /** Below the operations: asked for again when the ledger has grown. */
  waiting: (operationId: string | null) => ['operations', 'waiting', operationId],
  organizationTokens: ['tokens', 'organization'],
  liveOriginal: (operationId: string) => ['live-original', operationId],
  adminEventPages: (filter: object) => ['admin-events', 'pages', filter],
  adminChain: ['admin-events', 'chain'],
  refusals: (filter: object) => ['refusals', 'pages', filter],
  refusalsOfDay: ['refusals', 'day'],
  settings: ['settings'],
  serviceKeys: ['service-keys'],
  backups: ['backups'],
  about: ['about'],
  trust: ['trust'],
  caseList: ['case-list'],
  /** All that is known of a case, its ledger too. */
  caseAll: (caseId: string) => ['cases', caseId],
  case: (caseId: string) => ['cases', caseId, 'case'],
  caseReport: (caseId: string, verifiedAt: string | null) => ['cases', caseId, 'report', verifiedAt],
  caseCoherence: (caseId: string, verifiedAt: string | null) => ['cases', caseId, 'coherence', verifiedAt],
  caseFindings: (caseId: string, operationId: string, seqNo: number) => [
    'cases',
    caseId,
    'findings',
    operationId,
    seqNo,
  ],
  caseRecordText: (caseId: string, operationId: string, seqNo: number) => ['cases', caseId, 'text', operationId, seqNo],
  caseCustody: (caseId: string) => ['cases', caseId, 'custody'],
  caseItems: (caseId: string) => ['cases', caseId, 'items'],
  comparison: (caseId: string, comparisonId: string) => ['cases', caseId, 'compare', comparisonId],
} as const;

/** The keys of one ledger: the live one, or that of a case. */
export function ledgerKeys(caseId: string | null) {
  const scope = caseId === null ? [] : KEYS.caseAll(caseId);
  return {
    summary: [...scope, 'summary'],
    jwks: [...scope, 'jwks'],
    agents: [...scope, 'agents'],
    agent: (agentId: string) => [...scope, 'agents', agentId],
    agentHead: (agentId: string) => [...scope, 'agents', agentId, 'head'],
    adminEvents: [...scope, 'admin-events'],
    histograms: [...scope, 'histogram'],
    histogram: (filter: object, buckets: number) => [...scope, 'histogram', filter, buckets],
    /** All searches. */
    audits: [...scope, 'audit'],
    audit: (filter: object, order: string, limit: number) => [...scope, 'audit', filter, order, limit],
    facets: (filter: object, fields: readonly string[], values: number) => [
      ...scope,
      'histogram',
      'facets',
      filter,
      fields,
      values,
    ],
    names: (field: string | undefined, begins: string) => [...scope, 'names', field ?? null, begins],
    savedSearches: [...scope, 'searches'],
    pages: [...scope, 'ledger-page'],
    page: (beforeSeq: number) => [...scope, 'ledger-page', beforeSeq],
    operations: [...scope, 'operations'],
    operation: (operationId: string, seqNo?: number) => [
      ...scope,
      'operations',
      operationId,
      ...(seqNo === undefined ? [] : [seqNo]),
    ],
    recordAt: (seqNo: number) => [...scope, 'record-at', seqNo],
    neighbours: (operationId: string) => [...scope, 'operations', operationId, 'neighbours'],
    chain: (agentId: string, begin: object) => [...scope, 'chain', agentId, begin],
    epochs: [...scope, 'epochs'],
    epochPages: (limit: number) => [...scope, 'epochs', limit],
    epochsAround: (epochNo: number) => [...scope, 'epochs', 'around', epochNo],
    epoch: (epochId: string) => [...scope, 'epochs', 'one', epochId],
    /** All that is read out of payloads: asked for again where the rules for that change. */
    readings: [...scope, 'readings'],
    sessions: (question: object) => [...scope, 'readings', 'sessions', question],
    steps: (session: string) => [...scope, 'readings', 'steps', session],
    entities: (question: object) => [...scope, 'readings', 'entities', question],
    touches: (kind: string, id: string, order: string) => [...scope, 'readings', 'touches', kind, id, order],
    reading: (operationId: string) => [...scope, 'readings', 'reading', operationId],
    recordBefore: (operationId: string) => [...scope, 'readings', 'before', operationId],
    activity: [...scope, 'readings', 'activity'],
    rules: [...scope, 'rules'],
    /** What people wrote about records. */
    annotations: [...scope, 'annotations'],
    annotation: (operationId: string) => [...scope, 'annotations', 'of', operationId],
    annotationTags: [...scope, 'annotations', 'tags'],
    annotationHistory: (operationId: string) => [...scope, 'annotations', 'history', operationId],
    notes: [...scope, 'annotations', 'notes'],
  };
}

/** Of the live ledger. */
export const LIVE_KEYS = ledgerKeys(null);
