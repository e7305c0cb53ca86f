import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { proveOperation } from '../../proof/prove-operation.ts';
import type { Neighbour } from '../../proof/record-steps.ts';
import type { StoredOperation } from '../../service/answers.ts';
import { CallFailed, call } from '../../service/call.ts';
import { agentQuery, epochQuery, jwksQuery } from '../../service/queries.ts';

/** The whole record before or after one in its agent's chain; null where there is none. */
async function neighbour(
  { agent_id, seq_no }: StoredOperation['ear'],
  side: 'before' | 'after',
  signal: AbortSignal,
): Promise<StoredOperation | null> {
  const query = { [side]: seq_no, limit: 1 };
  const { data } = await call('agentChain', { params: { agent_id }, query, signal });
  const [row] = data;
  return row === undefined ? null : call('getOperation', { params: { operation_id: row.operation_id }, signal });
}

/** Gathers what a record is verified from, and verifies it once all of it has come or failed. */
export function useProof(operation: StoredOperation) {
  const { ear } = operation;
  const agent = useQuery(agentQuery(ear.agent_id));
  const serviceKeys = useQuery(jwksQuery);
  const neighbours = useQuery({
    queryKey: ['neighbours', ear.operation_id],
    queryFn: async ({ signal }) => ({
      previous: await neighbour(ear, 'before', signal),
      next: await neighbour(ear, 'after', signal),
    }),
  });
  const epochId = operation.epoch?.epoch_id ?? '';
  const epoch = useQuery({ ...epochQuery(epochId), enabled: epochId !== '' });
  const isReady =
    [agent, serviceKeys, neighbours].every(({ isPending }) => !isPending) && (epochId === '' || !epoch.isPending);
  const isDeleted = agent.error instanceof CallFailed && agent.error.code === 'NOT_FOUND';
  const steps = useMemo(() => {
    if (!isReady) return null;
    const { previous, next }: { previous?: Neighbour; next?: Neighbour } = neighbours.data ?? {};
    return proveOperation({
      operation,
      keys: isDeleted ? null : (agent.data?.keys ?? []),
      serviceKeys: serviceKeys.data,
      previous,
      next,
      epoch: epoch.data ?? null,
    });
  }, [isReady, operation, isDeleted, agent.data, serviceKeys.data, neighbours.data, epoch.data]);
  return { steps, neighbours: neighbours.data, epoch: epoch.data ?? null };
}
