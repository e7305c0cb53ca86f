/** The names, codes and digests of the profile, without its schema and its rules: for pages, the published library and the recorder. */
export {
  COHERENCE_CODES,
  COHERENCE_STATUSES,
  type CoherenceCode,
  type CoherenceFinding,
  type CoherenceReport,
  type CoherenceSeverity,
  MAX_FINDINGS,
} from './coherence/report.ts';
export { contentDigest, contentDigestOf } from './content-digest.ts';
export { AGENT_ACTION_PROFILE, PHASE_NAMES, type Phase } from './profile-name.ts';
