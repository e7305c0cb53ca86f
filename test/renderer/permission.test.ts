import { describe, expect, it } from 'vitest';
import { isRefusedOnStandby, mayCall, ROLES, ROUTES, type RouteName } from '../../src/api/index.ts';
import { refusalOf } from '../../src/renderer/api/permission.ts';
import { PERMISSION } from '../../src/renderer/api/texts.ts';

const names = Object.keys(ROUTES) as RouteName[];

describe('what the page says of a call that a role lacks', () => {
  it.each([false, true])(
    'goes by the table of rights, for every call and every role (duties separated: %s)',
    (separated) => {
      for (const name of names) {
        for (const role of ROLES) {
          const refusal = refusalOf(name, role, { separated });
          expect(refusal === null, `${name} as ${role}`).toBe(mayCall(name, role, separated));
        }
      }
    },
  );

  it('says that duties are separated where this is why', () => {
    expect(refusalOf('registerAgent', 'compliance_auditor', { separated: true })).toMatch(/separates duties/);
    expect(refusalOf('auditQuery', 'readonly_investigator', { separated: true })).toBe(null);
    expect(refusalOf('auditQuery', 'readonly_investigator')).toMatch(/compliance auditor/);
  });

  it('says on a standby that the active node does it, for every call that changes the ledger and no other', () => {
    for (const name of names) {
      const refusal = refusalOf(name, 'org_owner', { isWorkstation: true, isStandby: true });
      expect(refusal === PERMISSION.standby, name).toBe(isRefusedOnStandby(ROUTES[name]));
    }
  });

  it('names the role that is needed and the one that is there', () => {
    expect(refusalOf('freezeAgent', 'compliance_auditor')).toBe(
      'This needs the role “security admin”; yours is “compliance auditor”.',
    );
  });

  it('lets a workstation session into what is open to it, with any role or none', () => {
    expect(refusalOf('addTrust', 'readonly_investigator')).toMatch(/security admin/);
    expect(refusalOf('addTrust', 'readonly_investigator', { isWorkstation: true })).toBe(null);
    expect(refusalOf('addTrust', undefined, { isWorkstation: true })).toBe(null);
    expect(refusalOf('freezeAgent', undefined, { isWorkstation: true })).toMatch(/Sign in/);
  });

  it('tells who has no organization, or is not signed in, that this is why', () => {
    expect(refusalOf('listAgents', null)).toMatch(/belong to no organization/);
    expect(refusalOf('listAgents', undefined)).toMatch(/Sign in/);
    expect(refusalOf('createToken', null)).toBe(null);
    expect(refusalOf('health', undefined)).toBe(null);
  });
});
