import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import {
  isRefusedOnStandby,
  mayCall,
  minimumRole,
  ROUTES,
  type Role,
  type Route,
  type RouteName,
  rolesFor,
} from '../../api/index.ts';
import { q, sessionQuery } from './query.ts';
import { PERMISSION, ROLE_NAMES } from './texts.ts';

/** A role in words. */
export function roleWords(role: Role): string {
  return ROLE_NAMES[role];
}

/** What an answer to “may I?” depends on besides the role. */
export interface Standing {
  /** Whether the browser has a workstation session, which opens the case room without an account. */
  readonly isWorkstation?: boolean;
  /** Whether the organization separates duties. */
  readonly separated?: boolean;
  /** Whether the page is that of a standby of a shared log. */
  readonly isStandby?: boolean;
}

/**
 * Why somebody may not make a call, as the contract's table says; null where they may. The service decides all the same:
 * this only keeps the page from offering what it would refuse.
 * @param role - their role in the organization; null where they belong to none, undefined where nobody is signed in
 */
export function refusalOf(name: RouteName, role: Role | null | undefined, standing: Standing = {}): string | null {
  const { isWorkstation = false, separated = false, isStandby = false } = standing;
  const route: Route = ROUTES[name];
  if (isStandby && isRefusedOnStandby(route)) return PERMISSION.standby;
  const { access } = route;
  if (access === 'public' || (access === 'workstation' && isWorkstation)) return null;
  if (role === undefined) return PERMISSION.signedOut;
  const minimum = minimumRole(name);
  if (minimum === null) return null;
  const needed = PERMISSION.needsRole(roleWords(minimum));
  if (role === null) return PERMISSION.noOrganization(needed);
  if (mayCall(name, role, separated)) return null;
  if (mayCall(name, role, false)) {
    const roles = rolesFor(name, true).map((one) => `“${roleWords(one)}”`);
    return PERMISSION.separated(roles.join(', '), roleWords(role));
  }
  return PERMISSION.yourRole(needed, roleWords(role));
}

/** Answers why who is signed in may not make a call; null where they may, and while it is not known who it is. */
export function useRefusals(): (name: RouteName, standing?: Standing) => string | null {
  const { data: session } = useQuery(sessionQuery);
  const isMember = session != null && session.orgId !== null;
  const { data: organization } = useQuery({ ...q('organization'), enabled: isMember });
  const { data: workstation } = useQuery(q('workstation'));
  const { data: health } = useQuery(q('health'));
  const isStandby = health?.node?.role === 'standby';
  const separated = organization?.separate_duties === true;
  const isWorkstation = workstation?.active === true;
  return useCallback(
    (name, standing = {}) => {
      if (session === undefined) return null;
      return refusalOf(name, session === null ? undefined : session.role, {
        isWorkstation,
        separated,
        isStandby,
        ...standing,
      });
    },
    [session, separated, isWorkstation, isStandby],
  );
}

/** Why who is signed in may not make a call; null where they may. */
export function useRefusal(name: RouteName): string | null {
  return useRefusals()(name);
}

/**
 * Why who is signed in may not change a case: a workstation session changes the workstation's cases, and of an
 * organization's none.
 */
export function useCaseRefusal(name: RouteName, scope: 'workstation' | 'organization' | undefined): string | null {
  const refusals = useRefusals();
  return scope === 'organization' ? refusals(name, { isWorkstation: false }) : refusals(name);
}
