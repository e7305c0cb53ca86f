import { z } from 'zod';

/** The roles, as a ladder: each satisfies what the ones before it may do (docs/interface.md, Roles). */
export const ROLES = [
  'readonly_investigator',
  'integration_engineer',
  'compliance_auditor',
  'security_admin',
  'org_owner',
] as const;
export type Role = (typeof ROLES)[number];

export const role = z.enum(ROLES);

/** Whether a caller with `role` may do what needs `minimum`. */
export function satisfiesRole(role: Role, minimum: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(minimum);
}
