/**
 * What the author of an agent imports: keys, signing, chaining, submitting with retries, and keeping the receipts; and sessions, which
 * record what an agent does.
 */
export { type Json, ProtocolError, type Receipt, type SubmittedRecord } from '../protocol/light.ts';
export type {
  Actor,
  DecidedBy,
  Decision,
  FailedStatus,
  Model,
  Outcome,
  RefusedStatus,
  ToldKind,
  Tool,
  ToolType,
  Touched,
} from './actions/action-types.ts';
export type { Capture } from './actions/contents.ts';
export type { Moment, OnFailure } from './actions/moments.ts';
export type { ActionOptions, OpenAction } from './actions/open-action.ts';
export type { RecordingOptions } from './actions/recording.ts';
export { currentSession, recorded, type Session } from './actions/session.ts';
export type { CallOptions, Question, SessionOptions } from './actions/session-options.ts';
export { Agent, type AgentOptions } from './agent.ts';
export { AgentError, type AgentErrorCode, EndNotRecorded } from './agent-error.ts';
export { type CheckedDecision, DecisionError } from './decision.ts';
export { generateKeyPair, type KeyPair } from './key-pair.ts';
export { readSeed } from './private-key.ts';
export {
  type Operation,
  type PlacedOperation,
  RecordSigner,
  type SignedRecord,
  type SignerOptions,
} from './record-signer.ts';
export { RecorderClient, type RecorderClientOptions } from './recorder-client.ts';
export { ServiceClient, type ServiceClientOptions, type StopSignal } from './service-client.ts';
export type { Verdict } from './verdict.ts';
export type { WaitOptions } from './wait-for-decision.ts';
