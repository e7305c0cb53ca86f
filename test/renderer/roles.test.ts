import { describe, expect, it } from 'vitest';
import { ROLES, type Role, satisfiesRole } from '../../src/api/index.ts';
import type { MemberRow } from '../../src/renderer/api/answers.ts';
import { rankProblem, roleOptions } from '../../src/renderer/screens/people/roles.ts';

const member = (role: Role, n = 1): MemberRow => ({
  member_id: `m-${n}`,
  user_id: `u-${n}`,
  role,
  joined_at: '2026-01-01T00:00:00.000Z',
  email: `${n}@example.org`,
  display_name: `Member ${n}`,
});

describe('what the page offers of roles', () => {
  it('lets nobody grant what is above their own', () => {
    for (const own of ROLES) {
      for (const { value, disabled } of roleOptions(own)) expect(disabled).toBe(!satisfiesRole(own, value));
    }
    expect(roleOptions(null).every(({ disabled }) => disabled)).toBe(true);
  });

  it('lets nobody change who stands above them', () => {
    const members = [member('org_owner'), member('org_owner', 2)];
    for (const own of ROLES) {
      for (const role of ROLES) {
        const problem = rankProblem(member(role, 3), own, members);
        if (satisfiesRole(own, role)) expect(problem).toBeNull();
        else expect(problem).toMatch(/above your own/);
      }
    }
  });

  it('keeps the last owner', () => {
    const last = member('org_owner');
    expect(rankProblem(last, 'org_owner', [last, member('security_admin', 2)])).toMatch(/last owner/);
    expect(rankProblem(last, 'org_owner', [last, member('org_owner', 2)])).toBeNull();
  });
});
