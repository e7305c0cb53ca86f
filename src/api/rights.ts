import { ROLES, type Role, satisfiesRole } from './roles.ts';
import type { Route } from './route.ts';
import { ROUTES, type RouteName } from './routes.ts';

/** What an organization with separated duties changes about a route. */
interface Separated {
  /** May call it besides those whom the ladder lets. */
  readonly gives?: readonly Role[];
  /** May not call it, though the ladder lets them. */
  readonly takes?: readonly Role[];
}

const AUDITOR_WRITES_NOTHING = { takes: ['compliance_auditor'] } as const satisfies Separated;
const INVESTIGATOR_READS = { gives: ['readonly_investigator'] } as const satisfies Separated;

/**
 * Separation of duties, which an organization can turn on: whoever audits the ledger writes nothing into it, and whoever
 * investigates may search it and read its log. All else stays as the ladder has it.
 */
const SEPARATED: { readonly [N in RouteName]?: Separated } = {
  registerAgent: AUDITOR_WRITES_NOTHING,
  enrolAgent: AUDITOR_WRITES_NOTHING,
  updateAgent: AUDITOR_WRITES_NOTHING,
  addKey: AUDITOR_WRITES_NOTHING,
  submitOperation: AUDITOR_WRITES_NOTHING,
  submitBatch: AUDITOR_WRITES_NOTHING,
  submitDecision: AUDITOR_WRITES_NOTHING,
  addDecisionKey: AUDITOR_WRITES_NOTHING,
  auditQuery: INVESTIGATOR_READS,
  actions: INVESTIGATOR_READS,
  actionContext: INVESTIGATOR_READS,
  compareSessions: INVESTIGATOR_READS,
  groups: INVESTIGATOR_READS,
  facets: INVESTIGATOR_READS,
  names: INVESTIGATOR_READS,
  sessions: INVESTIGATOR_READS,
  sessionSteps: INVESTIGATOR_READS,
  entities: INVESTIGATOR_READS,
  entityTouches: INVESTIGATOR_READS,
  redactionPlaces: INVESTIGATOR_READS,
  operationReading: INVESTIGATOR_READS,
  activity: INVESTIGATOR_READS,
  needsLook: INVESTIGATOR_READS,
  whatLeft: INVESTIGATOR_READS,
  coherence: INVESTIGATOR_READS,
  investigationRules: INVESTIGATOR_READS,
  savedSearches: INVESTIGATOR_READS,
  liveAnnotations: INVESTIGATOR_READS,
  liveAnnotation: INVESTIGATOR_READS,
  annotationLog: INVESTIGATOR_READS,
  retentionRules: INVESTIGATOR_READS,
  listHolds: INVESTIGATOR_READS,
  countHeld: INVESTIGATOR_READS,
  listSweeps: INVESTIGATOR_READS,
  getSweep: INVESTIGATOR_READS,
  retentionCertificate: INVESTIGATOR_READS,
  listAdminEvents: INVESTIGATOR_READS,
  adminChain: INVESTIGATOR_READS,
};

/** The lowest role of the ladder that may call a route as a member; null where none is needed. */
export function minimumRole(name: RouteName): Role | null {
  const { access, memberRole = 'readonly_investigator' }: Route = ROUTES[name];
  if (access === 'public' || access === 'authenticated') return null;
  return access === 'workstation' ? memberRole : access;
}

/**
 * Whether a member with a role may call a route: the one place that checks of requests, locks on screens and descriptions
 * go by.
 * @param separated - whether the organization separates duties
 */
export function mayCall(name: RouteName, role: Role, separated: boolean): boolean {
  const minimum = minimumRole(name);
  if (minimum === null) return true;
  const { gives = [], takes = [] } = (separated ? SEPARATED[name] : undefined) ?? {};
  return !takes.includes(role) && (gives.includes(role) || satisfiesRole(role, minimum));
}

/** The roles that may call a route, lowest first. */
export function rolesFor(name: RouteName, separated: boolean): Role[] {
  return ROLES.filter((role) => mayCall(name, role, separated));
}

/** Who is needed for a route, as the end of a sentence: `the role security_admin or a higher one`. */
export function neededRoles(name: RouteName, separated: boolean): string {
  const minimum = minimumRole(name);
  if (minimum === null) return 'no role';
  if (!separated || SEPARATED[name] === undefined) return `the role ${minimum} or a higher one`;
  return `one of the roles ${rolesFor(name, true).join(', ')}: this organization separates duties`;
}
