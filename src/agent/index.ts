/** What the author of an agent imports: keys, signing, chaining, submitting with retries, and keeping the receipts. */
export { type Json, ProtocolError, type Receipt, type SubmittedRecord } from '../protocol/index.ts';
export { Agent, type AgentOptions } from './agent.ts';
export { AgentError, type AgentErrorCode } from './errors.ts';
export { generateKeyPair, type KeyPair } from './key-pair.ts';
export { readSeed } from './private-key.ts';
export {
  type Operation,
  type PlacedOperation,
  RecordSigner,
  type SignedRecord,
  type SignerOptions,
} from './record-signer.ts';
export { ServiceClient, type ServiceClientOptions } from './service-client.ts';
