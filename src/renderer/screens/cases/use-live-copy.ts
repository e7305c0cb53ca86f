import { useQuery } from '@tanstack/react-query';
import type { StoredOperation } from '../../api/answers.ts';
import { CallFailed, call } from '../../api/call.ts';
import { keyBelow, q, sessionQuery } from '../../api/query.ts';

/**
 * The record that this service keeps under an operation_id, where whoever looks is of that organization: null where it has none, and
 * undefined while that is not known.
 */
export function useLiveCopy(orgId: string | null, operationId: string): StoredOperation | null | undefined {
  const { data: session } = useQuery(sessionQuery);
  const isOwn = session != null && session.orgId !== null && session.orgId === orgId;
  const { data } = useQuery({
    queryKey: keyBelow(q('getOperation', { params: { operation_id: operationId } }), 'original'),
    staleTime: 60_000,
    enabled: isOwn && operationId !== '',
    queryFn: async ({ signal }) => {
      try {
        return await call('getOperation', { params: { operation_id: operationId }, signal });
      } catch (error) {
        if (error instanceof CallFailed && error.code === 'NOT_FOUND') return null;
        throw error;
      }
    },
  });
  return isOwn ? data : undefined;
}
