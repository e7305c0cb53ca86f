/**
 * What is needed of the protocol to make a record and to check a single one, and no verification of bundles: programs that run
 * all day next to others, and threads of the service, load a fraction of index.ts.
 */
import type * as checkpointStatements from './statements/checkpoint.ts';
import type * as serviceKeyStatements from './statements/service-key.ts';
import type * as proofs from './verify/equivocation-proof.ts';
import type { judgeHead as judge } from './witness/judge-head.ts';

export { MAX_VALUES } from './bundle/sizes.ts';
export { decodeUtf8, utf8 } from './bytes.ts';
export { canonicalBytes, canonicalize, type Json, nameOfStep, namesOfPointer, pointerStep } from './canonical.ts';
export { type HostCrypto, StrictVerifier } from './crypto.ts';
export { DIGEST_PATTERN, formatDigest, type Sha256, sha256 } from './digest.ts';
export { type SignatureCheck, verifyEd25519 } from './ed25519.ts';
export { fromBase64Url, fromHex, signatureFromInput, toBase64Url, toHex } from './encoding.ts';
export {
  type ExactJson,
  ExactNumber,
  exactJsonText,
  isExact,
  isMembers,
  readExactJson,
  withTexts,
} from './exact-numbers.ts';
export { thumbprint } from './fingerprint.ts';
export { parseJson, parseJsonBytes } from './json.ts';
export { MAX_OPENINGS, openedText } from './opened-text.ts';
export { CodedError, ProtocolError, unlessRefused } from './protocol-error.ts';
export type { NamedKey } from './statements/checkpoint.ts';
export {
  type Disclosure,
  type Disclosures,
  disclosureDigest,
  disclosuresFit,
  disclosuresText,
  isSalted,
  type JsonObject,
  parseDisclosures,
  parseLeftDisclosures,
  SALT_BYTES,
  shownPayload,
  withheldNames,
} from './statements/disclosures.ts';
export { LOG_SIZE_HEADER, parseReceipt, type Receipt, receiptSignedBytes } from './statements/receipt.ts';
export {
  chainHash,
  DEFAULT_MAX_PAYLOAD_BYTES,
  type OperationRecord,
  parseStoredRecord,
  parseSubmittedRecord,
  payloadHash,
  type RecordCore,
  recordCore,
  recordSignedBytes,
  type SubmittedRecord,
} from './statements/record.ts';
export { draftRecord, type SignedDraft } from './statements/record-draft.ts';
export { serviceChallengeSignedBytes } from './statements/service-challenge.ts';
export type { ServiceKey } from './statements/service-key.ts';
export { codeOf, hasCode, messageOf } from './text/light.ts';
export { formatTime, parseTime } from './time.ts';
export type { SignedStatement } from './verify/signed-statement.ts';

/** Loaded once the log of a service has grown: whoever only submits needs nothing of it. */
export const judgeHead: typeof judge = async (...given) =>
  (await import('./witness/judge-head.ts')).judgeHead(...given);

export const checkpoints = (): Promise<typeof checkpointStatements> => import('./statements/checkpoint.ts');
export const serviceKeys = (): Promise<typeof serviceKeyStatements> => import('./statements/service-key.ts');

/** Loaded where a service contradicts itself. */
export const equivocationProofs = (): Promise<typeof proofs> => import('./verify/equivocation-proof.ts');
