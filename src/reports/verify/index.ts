/**
 * The verifier by itself, published as `@countersign/verify`: it runs wherever the web's own interfaces are (Blob,
 * DecompressionStream, WebCrypto), in browsers as in Node. Whoever trusts nobody here verifies with it what a service
 * handed out. Every name is public and stays; what the protocol has besides is not.
 */

export {
  type BundleContent,
  type BundleSource,
  CHECK_TITLES,
  CHECKS,
  type CheckName,
  type ChosenReport,
  type ChosenReportJudgement,
  canonicalBytes,
  canonicalize,
  type Epoch,
  type EquivocationJudgement,
  type EquivocationProof,
  FINDING_CHECK,
  type Finding,
  type FindingCode,
  fingerprintDigits,
  type HostCrypto,
  type Inclusion,
  isRecordProof,
  type Json,
  judgeChosenReport,
  type NamedSource,
  type OperationRecord,
  ProtocolError,
  type ProtocolErrorCode,
  parseChosenReport,
  parseEquivocationProof,
  parseJson,
  parseJsonBytes,
  parseReceipt,
  parseStoredRecord,
  type Receipt,
  readContents,
  thumbprint,
  type Verdict,
  type VerificationReport,
  type VerifyOptions,
  type VerifyProgress,
  type VerifyRecordProofOptions,
  verifyEquivocationProof,
} from '../../protocol/index.ts';
export { ExtractError } from '../reading/index.ts';
export { type BundleInput, type OpenedBundle, openBundle } from './open-bundle.ts';
export { openChosenReport } from './open-chosen-report.ts';
export { DamagedArchive } from './unpack.ts';
export { verifyBundle, verifyRecordProof } from './verify-bundle.ts';
export {
  type Judgement,
  type ReceiptProof,
  verifyReceipt,
  verifyReceiptOf,
  verifyReceiptProof,
} from './verify-receipt.ts';
export { webCrypto } from './web-crypto.ts';
