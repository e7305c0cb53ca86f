/** What travels over HTTP: routes, roles, error codes, limits, and the shapes of requests and answers. */

export type {
  Invitation,
  Member,
  OrganizationAnswer,
  OrganizationTokenRow,
  Provider,
  SessionAnswer,
  SignUpAnswer,
  TokenScope,
} from './accounts.ts';
export { PROVIDERS } from './accounts.ts';
export type { ActionRow, ShownEntity, StepDecision } from './action-row.ts';
export type {
  ActionsAnswer,
  ActionsBody,
  ComparedLine,
  CompareSessionsAnswer,
  CompareSessionsBody,
  ContextAnswer,
  ContextBody,
  ContextItem,
  GroupsAnswer,
  GroupsBody,
  ReportSumsBody,
} from './actions.ts';
export type {
  About,
  AdminChain,
  BackupJob,
  BackupRow,
  BackupsAnswer,
  ClockAnswer,
  ServiceKeyRow,
  Setting,
  SettingOrigin,
  SettingsAnswer,
} from './administration.ts';
export type { ListedAgent } from './agents.ts';
export { type AgentAnswer, type AgentHead, type Assignment, REGISTRATION_TYPES } from './agents.ts';
export { type AnnotationAct, annotationAct } from './annotation-acts.ts';
export type {
  AnnotateBody,
  AnnotateManyBody,
  Annotation,
  AnnotationLogAnswer,
  AnnotationLogRow,
  AnnotationsAnswer,
} from './annotations.ts';
export type { ArchivedLedger, ArchiveState } from './archive.ts';
export type { Comparison, ComparisonResult, DifferingRecord } from './case-comparison.ts';
export { type CaseFileCode, CUSTODY_DAMAGE_CODES, type CustodyDamage } from './case-file-codes.ts';
export type {
  FoundAction,
  FoundDifference,
  FoundFileRow,
  FoundNote,
  FoundSummary,
  FoundWitness,
} from './case-found.ts';
export {
  type CaseItemCode,
  type CaseItemKind,
  type CaseItemVerdict,
  caseItemCode,
  caseItemKind,
  caseItemVerdict,
  isEvidence,
} from './case-item-codes.ts';
export {
  type CaseItem,
  type CaseItemsAnswer,
  MAX_SIGNED_AT_ONCE,
  type ReportComparison,
  type ReportSignature,
} from './case-items.ts';
export type {
  Case,
  CaseAuditQuery,
  CaseAuditRow,
  CaseClaims,
  CaseFailureCode,
  CaseFileKind,
  CaseProgress,
  CaseReport,
  CaseSummary,
  IssuerStanding,
  Upload,
} from './cases.ts';
export { caseAnswer } from './cases.ts';
export type { ChosenReportBody, DraftReportBody, RecordFileBody } from './chosen-reports.ts';
export type { CaseCoherence, LedgerCoherence } from './coherence.ts';
export type { CustodyAnswer, CustodyRow, CustodySignatureState } from './custody.ts';
export { type CustodyAction, custodyAction } from './custody-actions.ts';
export type { AgentDecision, DecisionAgent, WaitingAnswer } from './decisions.ts';
export type { DesktopBridge, PassphraseBridge } from './desktop.ts';
export { domainInLabels } from './domain.ts';
export { type ErrorEnvelope, errorCode, errorEnvelope } from './error-envelope.ts';
export { ERROR_STATUS, type ErrorCode } from './errors/index.ts';
export {
  adminEventsChoice,
  type ExportJob,
  type ExportPreview,
  type ExportStatus,
  redaction,
  withholdingReason,
} from './exports.ts';
export { noBody } from './fields.ts';
export type {
  Activity,
  ActivityQuery,
  EntitiesAnswer,
  EntitiesBody,
  EntityRow,
  FacetsAnswer,
  NamesAnswer,
  OperationReading,
  RulesAnswer,
  SavedSearch,
  SessionsAnswer,
  SessionsBody,
  Step,
  StepsAnswer,
  StepsBody,
  TouchesAnswer,
  TouchesBody,
  WorkSession,
} from './investigation.ts';
export { type LedgerQuestion, type LedgerQuestions, type NameInCase, nameInCase } from './ledger-routes.ts';
export { LIMITS } from './limits.ts';
export {
  type AdminLogQuery,
  type DeepHealth,
  type EpochRow,
  type Jwks,
  type LedgerSummary,
  type LedgerVerification,
  type ListAnswer,
  ledgerFindings,
  type NodeState,
} from './lists.ts';
export type { PlacesAnswer, RecordPlace } from './named-places.ts';
export { LOOK_KINDS, type LookItem, type LookKind, type NeedsLookAnswer, type NeedsLookBody } from './needs-look.ts';
export { openApiDocument, openApiPath, openApiSteps } from './openapi.ts';
export type {
  AuditQueryRow,
  AuditRow,
  BatchResult,
  ChainAnswer,
  ChainPart,
  ChainRow,
  Exclusion,
  Histogram,
  OperationVerification,
  StoredOperation,
} from './operations.ts';
export { EXCLUDABLE } from './operations.ts';
export { PAGE_HEADER, PAGE_SECRET } from './page.ts';
export type { AssertionResponse, AttestationResponse, PasskeyRow, PasskeyUse, SessionRow } from './person.ts';
export {
  INTEGRATION_TYPES,
  integrationOf,
  isExperimental,
  PROGRAMS,
  type ProgramId,
  RECORDED_PROGRAMS,
} from './programs.ts';
export { REFUSAL_KINDS, type Refusal } from './refusals.ts';
export {
  type CountHeldAnswer,
  HOLD_KINDS,
  type HoldSelection,
  type LegalHold,
  type RecordRetention,
  type RetentionRule,
  retentionRulesBody,
  type Sweep,
  type SweepArchive,
} from './retention.ts';
export { mayCall, minimumRole, neededRoles, rolesFor } from './rights.ts';
export { ROLES, type Role, satisfiesRole } from './roles.ts';
export { isRefusedOnStandby } from './route.ts';
export { type AnswerOf, ROUTES, type Route, type RouteName } from './routes.ts';
export type { Coverage, Mark, Outcome, RowDetails, Unit } from './row-details.ts';
export { RUN_REFUSALS, UNDECIDED_REFUSALS } from './run-refusals.ts';
export { isScreenPath, NAV_SCREENS, type NavScreen, SCREENS, type ScreenEntry, type ScreenName } from './screens.ts';
export type { AddTimeStamp, TimeStampRow } from './time-stamps.ts';
export type { AddTrustAnswer, TrustAnswer, TrustedAnchors, TrustedKeyAnswer } from './trust.ts';
export { type Delivery, type DeliveryAttempt, WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from './webhooks.ts';
export type { LeftRow, WhatLeftAnswer, WhatLeftBody } from './what-left.ts';
export type { CosignAnswer, CosignatureRow, OperationStanding, OwnWitness, Witness } from './witnesses.ts';
