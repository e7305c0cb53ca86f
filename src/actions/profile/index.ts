/**
 * The payload profile `countersign.agent-action/1` (docs/agent-actions.md): its schema, and whether records of it fit
 * together. Pure, and above the protocol: nothing here changes what verification says of the evidence.
 */
export { coherenceOf, noCoherence, shownOf } from './bundle-coherence.ts';
export { checkPayload, claimsProfile } from './check-payload.ts';
export type { Call } from './coherence/call.ts';
export {
  Coherence,
  type CoherenceEnd,
  type CoherenceOptions,
  type CoherenceState,
  newCoherence,
} from './coherence/coherence.ts';
export type { NamedAgent } from './coherence/deciders.ts';
export type { CoherenceRecord } from './coherence/facts.ts';
export { FindingLog } from './coherence/finding-log.ts';
export { newRecent, RecentMap, type RecentState } from './coherence/recent-map.ts';
export {
  COHERENCE_CODES,
  type CoherenceCode,
  type CoherenceFinding,
  type CoherenceReport,
  type CoherenceSeverity,
  MAX_FINDINGS,
} from './coherence/report.ts';
export { newRetries, Retries, type RetriesState } from './coherence/retries.ts';
export { contentDigest } from './content-digest.ts';
export { agentActionJsonSchema } from './json-schema.ts';
export { PHASES } from './phases.ts';
export { AGENT_ACTION_PROFILE } from './profile-name.ts';
