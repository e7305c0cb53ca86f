import type { AnswerOf } from '../../contract/index.ts';

/* What the service answers, as the screens read it and never change it. */

export type Session = AnswerOf<'session'>;
export type LedgerSummary = AnswerOf<'ledgerSummary'>;
export type LedgerVerification = AnswerOf<'ledgerVerification'>;
export type Histogram = AnswerOf<'auditHistogram'>;
export type AuditRow = AnswerOf<'auditQuery'>['data'][number];
export type EpochRow = AnswerOf<'listEpochs'>['data'][number];
export type AgentDetails = AnswerOf<'getAgent'>;
export type AgentRow = AnswerOf<'listAgents'>['agents'][number];
export type AgentKeys = AgentDetails['keys'];
export type ChainPage = AnswerOf<'agentChain'>;
export type ChainRow = ChainPage['data'][number];
export type ServiceKeys = AnswerOf<'jwks'>;
export type Case = AnswerOf<'getCase'>;
export type Upload = AnswerOf<'inspectFile'>;
export type Comparison = AnswerOf<'getComparison'>;
export type ExportJob = AnswerOf<'listExports'>['data'][number];
export type MemberRow = AnswerOf<'listMembers'>['members'][number];
export type InvitationRow = AnswerOf<'listInvitations'>['invitations'][number];
export type { StoredOperation } from '../../contract/index.ts';
export type WorkSession = AnswerOf<'sessions'>['data'][number];
export type Step = AnswerOf<'sessionSteps'>['data'][number];
export type EntityRow = AnswerOf<'entities'>['data'][number];
export type Touch = AnswerOf<'entityTouches'>['data'][number];
export type Activity = AnswerOf<'activity'>;
export type Reading = AnswerOf<'operationReading'>;
