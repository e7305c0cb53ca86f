/**
 * The payload profile `countersign.agent-action/1` (docs/agent-actions.md): its schema, and whether records of it fit
 * together. Pure, and above the protocol: nothing here changes what verification says of the evidence.
 */
export { coherenceOf, noCoherence } from './profile/bundle-coherence.ts';
export { checkPayload, claimsProfile } from './profile/check-payload.ts';
export { Coherence } from './profile/coherence/coherence.ts';
export type { NamedAgent } from './profile/coherence/deciders.ts';
export type { CoherenceRecord } from './profile/coherence/facts.ts';
export {
  COHERENCE_CODES,
  type CoherenceFinding,
  type CoherenceReport,
  MAX_FINDINGS,
} from './profile/coherence/report.ts';
export { contentDigest } from './profile/content-digest.ts';
export { agentActionJsonSchema } from './profile/json-schema.ts';
export { PHASES } from './profile/phases.ts';
export { AGENT_ACTION_PROFILE } from './profile/profile-name.ts';
