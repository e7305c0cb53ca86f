import { ROLES, type Role, satisfiesRole } from '../../../api/index.ts';
import type { MemberRow } from '../../api/answers.ts';
import { roleWords } from '../../api/permission.ts';
import type { SelectOption } from '../../ui/select-option.ts';
import { ROLE_TEXTS } from './texts.ts';

/** What each role adds to the one before it. */
export const ROLE_MAY: Readonly<Record<Role, string>> = {
  readonly_investigator: ROLE_TEXTS.readonlyInvestigator,
  integration_engineer: ROLE_TEXTS.integrationEngineer,
  compliance_auditor: ROLE_TEXTS.complianceAuditor,
  security_admin: ROLE_TEXTS.securityAdmin,
  org_owner: ROLE_TEXTS.owner,
};

/** The roles as a choice; those above one's own cannot be granted. */
export function roleOptions(own: Role | null): readonly SelectOption<Role>[] {
  return ROLES.map((value) => {
    const isAbove = own === null || !satisfiesRole(own, value);
    return { value, label: isAbove ? ROLE_TEXTS.aboveYours(roleWords(value)) : roleWords(value), disabled: isAbove };
  });
}

/** Why a member's role cannot be changed by somebody with a role, nor the member removed; null where it can. */
export function rankProblem(target: MemberRow, own: Role | null, members: readonly MemberRow[]): string | null {
  if (own === null) return ROLE_TEXTS.noOrganization;
  if (!satisfiesRole(own, target.role)) {
    return ROLE_TEXTS.targetAbove(target.display_name, roleWords(target.role));
  }
  const owners = members.filter(({ role }) => role === 'org_owner');
  return target.role === 'org_owner' && owners.length === 1 ? ROLE_TEXTS.lastOwner : null;
}
