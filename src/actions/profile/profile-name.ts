/** What `profile` says in a payload of this profile. */
export const AGENT_ACTION_PROFILE = 'countersign.agent-action/1';
