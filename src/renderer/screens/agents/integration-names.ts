import { PERSON_TYPE, type REGISTRATION_TYPES } from '../../../contract/index.ts';

type Integration = (typeof REGISTRATION_TYPES)[number] | typeof PERSON_TYPE;

/** What people call that through which an agent is integrated. */
const NAMES: Readonly<Record<Integration, string>> = {
  sdk: 'Own program (SDK)',
  claudecode: 'Claude Code',
  cursor: 'Cursor',
  gemini: 'Gemini CLI',
  kirocli: 'Kiro CLI',
  kiroide: 'Kiro IDE',
  opencode: 'OpenCode',
  copilot: 'GitHub Copilot',
  letta: 'Letta',
  codex: 'Codex',
  kimi: 'Kimi',
  enterprise: 'Enterprise platform',
  gui: 'Graphical interface',
  other: 'Other',
  [PERSON_TYPE]: 'Decisions of a person',
};

/** The name of an integration; of one that this version does not know, what the service says. */
export function integrationName(type: string): string {
  return Object.hasOwn(NAMES, type) ? NAMES[type as Integration] : type;
}

/** Why nobody else may change the agent of a person's decisions, in a sentence; null for every other agent. */
export function personsOwn(type: string): string | null {
  return type === PERSON_TYPE ? 'Only the person whose decisions it signs adds keys, on the account screen.' : null;
}

/** What choosing an integration changes. */
export const INTEGRATION_HINT = 'What the agent runs in. Shown to people; changes no rights and no checks.';
