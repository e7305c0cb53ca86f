import type { REGISTRATION_TYPES } from '../../../api/index.ts';
import { PERSON_TYPE } from '../../../protocol/index.ts';
import { INTEGRATION_NAMES } from './texts.ts';

type Integration = (typeof REGISTRATION_TYPES)[number] | typeof PERSON_TYPE;

/** What people call that through which an agent is integrated. */
const NAMES: Readonly<Record<Integration, string>> = {
  sdk: INTEGRATION_NAMES.ownProgramSdk,
  claudecode: INTEGRATION_NAMES.claudeCode,
  cursor: INTEGRATION_NAMES.cursor,
  gemini: INTEGRATION_NAMES.geminiCli,
  kirocli: INTEGRATION_NAMES.kiroCli,
  kiroide: INTEGRATION_NAMES.kiroIde,
  opencode: INTEGRATION_NAMES.openCode,
  copilot: INTEGRATION_NAMES.gitHubCopilot,
  letta: INTEGRATION_NAMES.letta,
  codex: INTEGRATION_NAMES.codex,
  kimi: INTEGRATION_NAMES.kimi,
  enterprise: INTEGRATION_NAMES.enterprisePlatform,
  gui: INTEGRATION_NAMES.graphicalInterface,
  other: INTEGRATION_NAMES.other,
  [PERSON_TYPE]: INTEGRATION_NAMES.decisionsPerson,
};

/** The name of an integration; of one that this version does not know, what the service says. */
export function integrationName(type: string): string {
  return Object.hasOwn(NAMES, type) ? NAMES[type as Integration] : type;
}

/** Why nobody else may change the agent of a person's decisions, in a sentence; null for every other agent. */
export function personsOwn(type: string): string | null {
  return type === PERSON_TYPE ? INTEGRATION_NAMES.ownDecisions : null;
}

/** What choosing an integration changes. */
export const INTEGRATION_HINT = INTEGRATION_NAMES.integrationHint;
