/** The codes that the service refuses with: below the interface, since the published library knows them and has no schema. */
export { ERROR_STATUS, type ErrorCode } from './error-codes.ts';
