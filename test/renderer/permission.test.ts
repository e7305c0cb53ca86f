import { describe, expect, it } from 'vitest';
import { ROLES, ROUTES, type Route, type RouteName, satisfiesRole } from '../../src/contract/index.ts';
import { refusalOf } from '../../src/renderer/app/permission.ts';

const names = Object.keys(ROUTES) as RouteName[];

describe('what the page says of a call that a role lacks', () => {
  it('goes by the route table, for every call and every role', () => {
    for (const name of names) {
      const { access: given, memberRole = 'readonly_investigator' }: Route = ROUTES[name];
      const access = given === 'workstation' ? memberRole : given;
      for (const role of ROLES) {
        const may = access === 'public' || access === 'authenticated' || satisfiesRole(role, access);
        expect(refusalOf(name, role) === null, `${name} as ${role}`).toBe(may);
      }
    }
  });

  it('names the role that is needed and the one that is there', () => {
    expect(refusalOf('freezeAgent', 'compliance_auditor')).toBe(
      'This needs the role “security admin”; yours is “compliance auditor”.',
    );
  });

  it('lets a workstation session into what is open to it, with any role or none', () => {
    expect(refusalOf('addTrust', 'readonly_investigator')).toMatch(/security admin/);
    expect(refusalOf('addTrust', 'readonly_investigator', true)).toBe(null);
    expect(refusalOf('addTrust', undefined, true)).toBe(null);
    expect(refusalOf('freezeAgent', undefined, true)).toMatch(/signed in/);
  });

  it('tells who has no organization, or is not signed in, that this is why', () => {
    expect(refusalOf('listAgents', null)).toMatch(/belong to no organization/);
    expect(refusalOf('listAgents', undefined)).toMatch(/signed in/);
    expect(refusalOf('createToken', null)).toBe(null);
    expect(refusalOf('health', undefined)).toBe(null);
  });
});
