/** What `profile` says in a payload of this profile. */
export const AGENT_ACTION_PROFILE = 'countersign.agent-action/1';

/** The moments of an action, and what else a payload of this profile may be of (docs/agent-actions.md). */
export const PHASE_NAMES = [
  'session_started',
  'session_ended',
  'told',
  'proposed',
  'asked',
  'decided',
  'started',
  'completed',
  'failed',
  'refused',
  'tools',
  'gap',
  'note',
] as const;
export type Phase = (typeof PHASE_NAMES)[number];
