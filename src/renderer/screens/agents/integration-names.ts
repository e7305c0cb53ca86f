import { PROGRAMS, type ProgramId, type REGISTRATION_TYPES } from '../../../api/index.ts';
import { PERSON_TYPE } from '../../../protocol/index.ts';
import { INTEGRATION_NAMES } from './texts.ts';

type Registration = (typeof REGISTRATION_TYPES)[number];

/** What people call that through which an agent is integrated, where it is no program with hooks. */
const NAMES = {
  sdk: INTEGRATION_NAMES.ownProgramSdk,
  enterprise: INTEGRATION_NAMES.enterprisePlatform,
  gui: INTEGRATION_NAMES.graphicalInterface,
  other: INTEGRATION_NAMES.other,
  [PERSON_TYPE]: INTEGRATION_NAMES.decisionsPerson,
} satisfies Readonly<Record<Exclude<Registration, ProgramId> | typeof PERSON_TYPE, string>>;

/** The name of an integration; of one that this version does not know, what the service says. */
export function integrationName(type: string): string {
  if (Object.hasOwn(PROGRAMS, type)) return PROGRAMS[type as ProgramId].name;
  return Object.hasOwn(NAMES, type) ? NAMES[type as keyof typeof NAMES] : type;
}

/** Why nobody else may change the agent of a person's decisions, in a sentence; null for every other agent. */
export function personsOwn(type: string): string | null {
  return type === PERSON_TYPE ? INTEGRATION_NAMES.ownDecisions : null;
}

/** What choosing an integration changes. */
export const INTEGRATION_HINT = INTEGRATION_NAMES.integrationHint;
