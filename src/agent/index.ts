/** What the author of an agent imports: sign, chain, submit, retry, and keep the receipts. */
export { Agent, type AgentOptions, type Operation } from './agent.ts';
export { AgentError, type AgentErrorCode } from './errors.ts';
export { readSeed } from './private-key.ts';
export { ServiceClient, type ServiceClientOptions } from './service-client.ts';
