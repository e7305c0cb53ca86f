import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/query.ts';
import type { CaseSigner } from '../decisions/sign-case.ts';

/** Who would sign what is done with a case; null where nobody of an organization is signed in. */
export function useCaseSigner(): CaseSigner | null {
  const { data: session } = useQuery(sessionQuery);
  if (session == null || session.orgId === null) return null;
  return { orgId: session.orgId, userId: session.id, email: session.email };
}
