/** Of the library, what the recorder makes its records with: no session, and nothing that asks people. */
export { AgentError } from './agent-error.ts';
export { ReceiptsFile } from './receipts-file.ts';
export { RecordSigner } from './record-signer.ts';
export { ServiceConnection } from './service-connection.ts';
