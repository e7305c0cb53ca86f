/**
 * The Countersign protocol: canonical form, digests, strict Ed25519, statements, Merkle trees, bundles and their
 * verification. Pure: no clock, no files, no network; the host's fast crypto comes in as an argument.
 */

export { type BundleRecord, isShownWhole, parseBundleRecord } from './bundle/bundle-record.ts';
export { type BundleContent, readContents } from './bundle/contents.ts';
export { directoryDigest, HashListDigest } from './bundle/digests.ts';
export { BUNDLE_FORMAT, type BundleOrg, type BundleSource, readPiece } from './bundle/document.ts';
export { type CarriedFiles, type Edges, edgesDigest, type Neighbour } from './bundle/edges.ts';
export { coverEnds, epochSealing, gapBetween } from './bundle/gaps.ts';
export { readBundle } from './bundle/reader.ts';
export { type RunningHash, SourceChanged, sameBytes } from './bundle/same-bytes.ts';
export { checkCount, MAX_DIRECTORY_BYTES, MOST_OF_BUNDLE, TooLarge } from './bundle/sizes.ts';
export { type BundleHead, BundleWriter } from './bundle/writer.ts';
export { concatBytes, decodeUtf8, equalBytes, utf8, withoutMark } from './bytes.ts';
export {
  canonicalBytes,
  canonicalize,
  type Json,
  MAX_DEPTH,
  nameOfStep,
  namesOfPointer,
  pointerStep,
} from './canonical.ts';
export {
  CHOSEN_REPORT_TEXT,
  type ChosenEntry,
  type ChosenReport,
  type ChosenReportContent,
  chosenReportBytes,
  chosenReportDigest,
  chosenReportSignedBytes,
  type Examiner,
  type ExaminerSignature,
  examinerSignature,
  MAX_CHOSEN_RECORDS,
  MAX_CHOSEN_REPORT_BYTES,
  makeChosenReport,
  parseChosenReport,
  proofBytesOf as reportProofBytes,
  proofOf,
  type TakenFrom,
} from './chosen-report/chosen-report.ts';
export {
  type ChosenReportJudgement,
  type ExaminerSignatureState,
  examinerSignatureState,
  judgeChosenReport,
} from './chosen-report/judge-chosen-report.ts';
export {
  MAX_SUMMED_GROUPS,
  type ReportSums,
  type Summed,
  type SummedGroup,
} from './chosen-report/report-sums.ts';
export { type HostCrypto, nobleCrypto, StrictVerifier } from './crypto.ts';
export { DIGEST_PATTERN, formatDigest, parseDigest, type Sha256, sha256, sha256InPieces } from './digest.ts';
export {
  assertStrictPublicKey,
  isStrictPublicKey,
  isStrictSignatureEncoding,
  publicKeyOf,
  type SignatureCheck,
  signEd25519,
  verifyEd25519,
} from './ed25519.ts';
export {
  fromBase64Url,
  fromHex,
  fromPaddedBase64,
  signatureFromInput,
  toBase64,
  toBase64Url,
  toHex,
  uuidOf,
} from './encoding.ts';
export { type ExactJson, ExactNumber, exactJsonText, isMembers, readExactJson, withTexts } from './exact-numbers.ts';
export { type ExaminerKey, examinerProblems, examinerState, KeyHolders, parseExaminerKeys } from './examiners.ts';
export {
  fingerprintDigits,
  fingerprintGroups,
  orgFingerprint,
  readFingerprintDigits,
  thumbprint,
} from './fingerprint.ts';
export { firstPlace } from './first-place.ts';
export { describeFork, describeHeldProblem, summarizeForks } from './forks/describe-forks.ts';
export {
  type Fork,
  type ForksReport,
  findForks,
  type LedgerForks,
} from './forks/find-forks.ts';
export { parseJson, parseJsonBytes } from './json.ts';
export {
  changesOf,
  type DifferenceKind,
  type DifferenceNode,
  differenceOf,
  MAX_DIFFERENCES,
} from './json-difference.ts';
export { KeySetError, type KeySetErrorCode, parseKeySet } from './key-set.ts';
export { auditPath } from './merkle/audit-path.ts';
export { consistencyPath, consistencyRoots, verifyConsistency } from './merkle/consistency.ts';
export { type Inclusion, isSealedIn, verifyInclusion } from './merkle/proof.ts';
export {
  CompactRange,
  coverHashes,
  coverOf,
  leafHash,
  merkleRoot,
  nodeHash,
  type ReadNode,
  splitPoint,
} from './merkle/tree.ts';
export {
  areApart,
  countRuns,
  isInRuns,
  mergeRuns,
  type NumberRun,
  parseRuns,
  RunBuilder,
  runsText,
} from './number-runs.ts';
export { MAX_OPENINGS, openedText } from './opened-text.ts';
export { CodedError, ProtocolError, type ProtocolErrorCode, unlessRefused } from './protocol-error.ts';
export { publicKeyFromInput } from './public-key.ts';
export { isRecordProof } from './record-proof/is-record-proof.ts';
export { assembleRecordProof, makeRecordProof, type ProvenRecords, proveRecords } from './record-proof/make.ts';
export {
  MAX_PROVEN_RECORDS,
  MAX_RECORD_PROOF_BYTES,
  RECORD_PROOF_TYPE,
  type RecordProof,
  recordProofBytes,
  recordProofOf,
} from './record-proof/record-proof.ts';
export { RecordProofError } from './record-proof/record-proof-error.ts';
export { formatTlogProof, makeTlogProof } from './record-proof/tlog-proof.ts';
export {
  MAX_CERTIFICATE_BYTES,
  parseRetentionCertificate,
  RETENTION_CERTIFICATE,
  type RetentionCertificate,
  retentionDigest,
  retentionRulesDigest,
  retentionSignedBytes,
  saysCertificate,
} from './retention/certificate.ts';
export { judgeRetentionCertificate, type RetentionJudgement } from './retention/judge-certificate.ts';
export {
  coversPlace,
  DAY_MS,
  dueBefore,
  type PlacedRecord,
  type RetentionRule,
  ruleMatches,
} from './retention/rules.ts';
export {
  type AdminEvent,
  type AdminEventStatement,
  adminEventHash,
  type BundledEvent,
  isWholeEvent,
  withheldEventsDigest,
  withholdEvent,
} from './statements/admin-event.ts';
export {
  type Agent,
  type AgentKey,
  type AttestedAgentKey,
  agentKeySignedBytes,
  type BundleAgent,
  PERSON_TYPE,
} from './statements/agent-key.ts';
export {
  type Checkpoint,
  checkpointOrigin,
  checkpointText,
  formatCheckpoint,
  MAX_CHECKPOINT_BYTES,
  organizationOf,
  parseCheckpoint,
} from './statements/checkpoint.ts';
export {
  CLOCK_CORRECTED,
  type ClockCorrection,
  type ClockJump,
  type CorrectedTimes,
  type Count,
  clockCorrectedAt,
  clockCorrectionOf,
  correctedTimes,
  countClockCorrections,
  LEAST_CLOCK_JUMP_MS,
  type LoggedCorrection,
  MOST_CLOCK_JUMPS,
  timesOfStretch,
} from './statements/clock-correction.ts';
export { formatConsistencyProof, parseKeptCheckpoint } from './statements/consistency-proof.ts';
export {
  cosignatureOf,
  cosignedBytes,
  formatCosignature,
  formatWitnessKey,
  parseWitnessKey,
  type WitnessKey,
} from './statements/cosignature.ts';
export {
  type Disclosure,
  type Disclosures,
  disclosureDigest,
  disclosuresFit,
  disclosuresText,
  isSalted,
  type JsonObject,
  MAX_DISCLOSURES,
  parseDisclosures,
  SALT_BYTES,
  type SaltedPayload,
  saltPayload,
  shownNamesHash,
  shownPayload,
  withheldNames,
} from './statements/disclosures.ts';
export { type Epoch, type EpochStatement, epochHash, epochSignedBytes } from './statements/epoch.ts';
export {
  type CaseSignature,
  type CaseSubject,
  CUSTODY_ENTRY,
  type CustodyEntry,
  caseSignature,
  caseSignatureCheck,
  caseSignedBytes,
  custodyBytes,
  custodyHash,
  parseCaseSignature,
} from './statements/examiner-signature.ts';
export {
  type AgentHead,
  type BundleFilter,
  type LogHead,
  type Manifest,
  manifestSignedBytes,
} from './statements/manifest.ts';
export {
  LOG_SIZE_HEADER,
  parseReceipt,
  type Receipt,
  type ReceiptStatement,
  receiptLeafHash,
  receiptSignedBytes,
} from './statements/receipt.ts';
export {
  AGENT_ID_PATTERN,
  chainHash,
  DEFAULT_MAX_PAYLOAD_BYTES,
  MAX_CLOCK_LEAD_MS,
  MAX_TTL_MS,
  OPERATION_TYPE_PATTERN,
  type OperationRecord,
  parseStoredRecord,
  parseSubmittedRecord,
  payloadHash,
  type RecordCore,
  recordCore,
  recordSignedBytes,
  type SubmittedRecord,
} from './statements/record.ts';
export { draftRecord } from './statements/record-draft.ts';
export { formatSeenNote, type Seen } from './statements/seen-note.ts';
export { serviceChallengeSignedBytes } from './statements/service-challenge.ts';
export { type ServiceKey, serviceKeySignedBytes } from './statements/service-key.ts';
export {
  formatStampFile,
  isStampFile,
  MAX_STAMP_FILE_BYTES,
  MAX_STAMPS,
  readStampFile,
  STAMP_FILE_TYPE,
  type StampFile,
  stampFileOf,
} from './statements/stamp-file.ts';
export {
  codeOf,
  hasCode,
  messageOf,
  sizeText,
  visibleText,
} from './text/index.ts';
export { formatTime, instantText, parseTime } from './time.ts';
export {
  formatTrustEntry,
  namesKey,
  parseAgentKey,
  parseTrustEntry,
  speaksFor,
  type TrustEntry,
} from './trust-entry.ts';
export { ARTIFACT_TYPE, makeVerificationArtifact, type VerifiedFiles } from './verify/artifact.ts';
export { type ChangedMember, changedMembers } from './verify/changed-members.ts';
export {
  type CompletenessClaim,
  completenessClaims,
  describePolicy,
  describeStanding,
  describeWitnessed,
  reportOfRecord,
  UNNAMED_WITNESSES,
} from './verify/completeness-claims.ts';
export { type DamageMap, type DamageRun, type DamageState, MAX_DAMAGE_RUNS } from './verify/damage-map.ts';
export {
  CHECK_TITLES,
  clockNote,
  describeCorrected,
  describeCounts,
  describePlace,
  describeVerdict,
  describeWrongClock,
  OWN_KEY_NOTE,
} from './verify/describe.ts';
export { describeStatement } from './verify/describe-statement.ts';
export { type TimeClaim, timeClaims } from './verify/describe-times.ts';
export { type DigestParts, DigestSet } from './verify/digest-set.ts';
export {
  type EquivocationJudgement,
  type EquivocationProof,
  equivocationProofBytes,
  isEquivocationProof,
  MAX_EQUIVOCATION_PROOF_BYTES,
  makeEquivocationProof,
  parseEquivocationProof,
  verifyEquivocationProof,
} from './verify/equivocation-proof.ts';
export { type AgentChange, noteEvent } from './verify/noted-event.ts';
export type { NamedSource } from './verify/other-bundle.ts';
export {
  describePages,
  describeReportPages,
  type FileChange,
  isPagesCheck,
  PAGES_REASONS,
  type PagesCheck,
  type PagesReason,
  withPages,
} from './verify/pages.ts';
export { describeChanged, describeFinding, plainFinding, TIMES_NOTE } from './verify/plain-words.ts';
export {
  CHANGED_RECORD_CODES,
  CHECKS,
  type CheckName,
  type CheckStatus,
  FINDING_CHECK,
  type Finding,
  type FindingCode,
  type FindingPlace,
  type Verdict,
  type VerificationReport,
} from './verify/report.ts';
export { factsOf, type SignedStatement } from './verify/signed-statement.ts';
export type {
  AgentTail,
  Differ,
  RecordFacts,
  SeenLedger,
  StoredLedger,
  StoredRecord,
  StoredValue,
} from './verify/stored-ledger.ts';
export type {
  HeldStamps,
  JudgedStamps,
  JudgedToken,
  Mistimed,
  NotedTime,
  SaidTimes,
  TimeStampCode,
} from './verify/times.ts';
export { TIME_STAMP_CODES } from './verify/times.ts';
export { verifyBundle } from './verify/verify-bundle.ts';
export { verifyLedger } from './verify/verify-ledger.ts';
export type { CancelSignal, VerifyOptions, VerifyProgress } from './verify/verify-options.ts';
export { type VerifyRecordProofOptions, verifyRecordProof } from './verify/verify-record-proof.ts';
export type { DemandedWitnesses, Witnessed } from './verify/witnessed.ts';
export {
  judgeWitnessRequest,
  type WitnessedLog,
  type WitnessRefusal,
} from './witness/judge-request.ts';
export { parseWitnessPolicy, type WitnessPolicy } from './witness/policy.ts';
export { parseServiceKeys, serviceKeysBytes } from './witness/service-keys-file.ts';
export {
  isStatedPolicy,
  isStatedTrust,
  isTrustEntry,
  MAX_STATED_POLICY_CHARACTERS,
  type StatedRoot,
  statedAnchors,
  withStatedAnchors,
} from './witness/stated-trust.ts';
