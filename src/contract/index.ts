/** What travels over HTTP: routes, roles, error codes, limits, and the shapes of requests and answers. */
export type { SessionAnswer, SignUpAnswer, TokenAnswer, User } from './accounts.ts';
export { type AgentAnswer, type AgentHead, INTEGRATION_TYPES, REGISTRATION_TYPES } from './agents.ts';
export { ERROR_STATUS, type ErrorCode, type ErrorEnvelope } from './errors.ts';
export type { ExportJob, ExportStatus } from './exports.ts';
export type { Page } from './fields.ts';
export { LIMITS } from './limits.ts';
export type { EpochRow, HealthAnswer, Jwks, JwksKey, ListAnswer } from './lists.ts';
export type { OperationVerification, StoredOperation } from './operations.ts';
export { ROLES, type Role, satisfiesRole } from './roles.ts';
export { ROUTES, type Route, type RouteName } from './routes.ts';
