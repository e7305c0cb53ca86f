/**
 * The payload profile `countersign.agent-action/1` (docs/agent-actions.md): its schema, and whether records of it fit
 * together. Pure, and above the protocol: nothing here changes what verification says of the evidence.
 */
export { coherenceOf, noCoherence } from './bundle-coherence.ts';
export { checkPayload, claimsProfile } from './check-payload.ts';
export { Coherence } from './coherence/coherence.ts';
export type { NamedAgent } from './coherence/deciders.ts';
export type { CoherenceRecord } from './coherence/facts.ts';
export {
  COHERENCE_CODES,
  type CoherenceFinding,
  type CoherenceReport,
  MAX_FINDINGS,
} from './coherence/report.ts';
export { contentDigest } from './content-digest.ts';
export { agentActionJsonSchema } from './json-schema.ts';
export { PHASES } from './phases.ts';
export { AGENT_ACTION_PROFILE } from './profile-name.ts';
