import type { FeedId } from '../base/programs.ts';

/** What is the matter, and whether it keeps actions from being recorded as they should be. */
export const FINDINGS = {
  /** No agent is installed for the program. */
  NOT_INSTALLED: 'problem',
  /** A file of the recorder has another form, owner or mode than it has to have. */
  FOLDER_UNUSABLE: 'problem',
  /** The program's configuration cannot be read, or the program cannot read it. */
  CONFIG_UNUSABLE: 'problem',
  /** None of our hooks is in the program's configuration. */
  HOOKS_MISSING: 'problem',
  /** Some are missing. */
  HOOKS_INCOMPLETE: 'problem',
  /** A setting of the program switches hooks off. */
  HOOKS_SWITCHED_OFF: 'problem',
  /** Managed settings let only their own hooks run. */
  HOOKS_MANAGED_ONLY: 'problem',
  /** Codex does not trust them, or not any more. */
  HOOKS_UNTRUSTED: 'problem',
  /** An action reaches the recorder more than once by the hooks of one program. */
  RECORDED_TWICE: 'problem',
  /** Another program runs the same hooks, and what it does is recorded as this one's. */
  RECORDED_AS_OTHER: 'problem',
  /** The hook's script is not there. */
  SCRIPT_MISSING: 'problem',
  /** It is not what installation writes. */
  SCRIPT_CHANGED: 'problem',
  /** It cannot be executed, or others can write to it. */
  SCRIPT_MODE: 'problem',
  /** The program was not found on the PATH. */
  PROGRAM_MISSING: 'note',
  /** No recorder runs; the next hook starts one. */
  RECORDER_AWAY: 'note',
  /** The recorder that the system keeps does not answer, and hooks do not start it. */
  SYSTEM_AWAY: 'problem',
  /** The service does not answer; records wait here. */
  SERVICE_AWAY: 'problem',
  /** The service shows another key than the one it had at installation. */
  SERVICE_KEY_CHANGED: 'problem',
  /** The service refuses the recorder's token. */
  TOKEN_REFUSED: 'problem',
  /** The service takes no records of the agent: frozen, key revoked, unknown. */
  AGENT_REFUSED: 'problem',
  /** Events did not reach a recorder; it makes gaps of them when it runs. */
  EVENTS_MISSED: 'problem',
  /** Events were lost in the last days: the recorder could not keep them, or they did not reach it. */
  EVENTS_LOST: 'problem',
  /** An event that was sent through the hook's script was not recorded. */
  CANARY_LOST: 'problem',
  /** It was. */
  CANARY_RECORDED: 'note',
  /** Without a recorder the script lets actions through, as its policy says. */
  FAILS_OPEN: 'note',
  /** Without a recorder the script blocks actions, as its policy says. */
  FAILS_CLOSED: 'note',
  /** It does something else than its policy says. */
  POLICY_NOT_KEPT: 'problem',
} as const;

export type FindingCode = keyof typeof FINDINGS;

export interface Finding {
  readonly code: FindingCode;
  readonly level: 'problem' | 'note';
  readonly feed: FeedId;
  /** What was found, and what to do about it. */
  readonly text: string;
}

export function finding(feed: FeedId, code: FindingCode, text: string): Finding {
  return { code, level: FINDINGS[code], feed, text };
}
