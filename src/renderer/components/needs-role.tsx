import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Role, satisfiesRole } from '../../contract/index.ts';
import { sessionQuery } from '../service/queries.ts';
import { Empty } from './panel.tsx';

const inWords = (role: Role): string => role.replaceAll('_', ' ');

/** Whether who is signed in may do what needs a role. The service decides; this only says so before it is asked. */
export function useRole(minimum: Role): { readonly allowed: boolean; readonly reason: string } {
  const { data: session } = useQuery(sessionQuery);
  const own = session?.role ?? null;
  return {
    allowed: own !== null && satisfiesRole(own, minimum),
    reason: `This needs the role ${inWords(minimum)} or one above it; yours is ${own === null ? 'none' : inWords(own)}.`,
  };
}

interface NeedsRoleProps {
  readonly minimum: Role;
  /** What the screen is for, as a title. */
  readonly title: string;
  readonly children: ReactNode;
}

/** The content of a screen, or in its place why it is closed to who is signed in. */
export function NeedsRole({ minimum, title, children }: NeedsRoleProps) {
  const { allowed, reason } = useRole(minimum);
  if (allowed) return children;
  return (
    <Empty title={title}>
      <p>{reason}</p>
      <p className="muted">A security admin or an owner of the organization can change it.</p>
    </Empty>
  );
}
