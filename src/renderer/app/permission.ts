import { useQuery } from '@tanstack/react-query';
import { ROUTES, type Role, type Route, type RouteName, satisfiesRole } from '../../contract/index.ts';
import { workstationQuery } from '../service/case-queries.ts';
import { sessionQuery } from '../service/queries.ts';

/** A role in words. */
export function roleWords(role: Role): string {
  return role.replaceAll('_', ' ');
}

/**
 * Why somebody may not make a call, as the contract's table says; null where they may. The service decides all the same:
 * this only keeps the page from offering what it would refuse.
 * @param role - their role in the organization; null where they belong to none, undefined where nobody is signed in
 * @param isWorkstation - whether the browser has a workstation session, which opens the case room without an account
 */
export function refusalOf(name: RouteName, role: Role | null | undefined, isWorkstation = false): string | null {
  const { access: given, memberRole = 'readonly_investigator' }: Route = ROUTES[name];
  if (given === 'workstation' && isWorkstation) return null;
  const access = given === 'workstation' ? memberRole : given;
  if (access === 'public') return null;
  if (role === undefined) return 'For this you have to be signed in.';
  if (access === 'authenticated') return null;
  const needed = `This needs the role “${roleWords(access)}”`;
  if (role === null) return `${needed}, and you belong to no organization yet.`;
  return satisfiesRole(role, access) ? null : `${needed}; yours is “${roleWords(role)}”.`;
}

/** Why who is signed in may not make a call; null where they may, and while it is not known who it is. */
export function useRefusal(name: RouteName): string | null {
  const { data: session } = useQuery(sessionQuery);
  const { access }: Route = ROUTES[name];
  const { data: workstation } = useQuery({ ...workstationQuery, enabled: access === 'workstation' });
  if (session === undefined) return null;
  return refusalOf(name, session === null ? undefined : session.role, workstation?.active === true);
}
