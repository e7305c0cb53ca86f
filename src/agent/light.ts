/** Of the library, what the recorder is made with: records, their way to the service, and the client of its socket. No session, and nothing that asks people. */
export { AgentError } from './agent-error.ts';
export type { HttpAnswer } from './http-exchange.ts';
export { ReceiptsFile } from './receipts-file.ts';
export { RecordSigner } from './record-signer.ts';
export {
  ALIVE_S,
  jsonIn,
  type LeavingWitness,
  leaveSeen,
  MOST_LEFT,
  mayBeLeft,
  NOT_RECORDED,
  noteMissed,
  PATIENCE_S,
  patienceFor,
  policyIn,
  type RecordingPolicy,
  requestRecorder,
  verdictIn,
} from './recorder-socket.ts';
export { addressesIn } from './service-client.ts';
export { ServiceConnection } from './service-connection.ts';
export type { Verdict } from './verdict.ts';
