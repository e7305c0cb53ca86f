import { ROLES, type Role, satisfiesRole } from '../../../contract/index.ts';
import type { MemberRow } from '../../api/answers.ts';
import { roleWords } from '../../api/permission.ts';
import type { SelectOption } from '../../ui/select-option.ts';

/** What each role adds to the one before it. */
export const ROLE_MAY: Readonly<Record<Role, string>> = {
  readonly_investigator: 'sees agents, chains, epochs and members, and proves single operations',
  integration_engineer: 'also registers agents, adds keys and submits operations',
  compliance_auditor: 'also searches, exports, verifies the whole ledger and reads the administrative log',
  security_admin: 'also freezes and deletes agents, revokes keys, invites and removes members, sets webhooks',
  org_owner: 'also makes others owner',
};

/** The roles as a choice; those above one's own cannot be granted. */
export function roleOptions(own: Role | null): readonly SelectOption<Role>[] {
  return ROLES.map((value) => {
    const isAbove = own === null || !satisfiesRole(own, value);
    return { value, label: isAbove ? `${roleWords(value)} – above your own` : roleWords(value), disabled: isAbove };
  });
}

/** Why a member's role cannot be changed by somebody with a role, nor the member removed; null where it can. */
export function rankProblem(target: MemberRow, own: Role | null, members: readonly MemberRow[]): string | null {
  if (own === null) return 'You belong to no organization.';
  if (!satisfiesRole(own, target.role)) {
    return `${target.display_name} is “${roleWords(target.role)}”, which is above your own role.`;
  }
  const owners = members.filter(({ role }) => role === 'org_owner');
  return target.role === 'org_owner' && owners.length === 1
    ? 'The last owner can neither leave nor become something else. Make somebody else owner first.'
    : null;
}
