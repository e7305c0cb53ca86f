import type { REGISTRATION_TYPES } from '../../../contract/index.ts';

type Integration = (typeof REGISTRATION_TYPES)[number];

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
};

/** The name of an integration; of one that this version does not know, what the service says. */
export function integrationName(type: string): string {
  return Object.hasOwn(NAMES, type) ? NAMES[type as Integration] : type;
}

/** What choosing an integration changes. */
export const INTEGRATION_HINT = 'What the agent runs in. Shown to people; changes no rights and no checks.';
