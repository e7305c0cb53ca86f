import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { StoredOperation } from '../../api/answers.ts';
import { CallFailed } from '../../api/call.ts';
import { type Ledger, useLedger } from '../../api/ledger/ledger.ts';
import { keyBelow } from '../../api/query.ts';
import { listedAs } from '../../lib/listed-as.ts';
import { proveOperation } from '../../proof/prove-operation.ts';
import type { Neighbour } from '../../proof/record-steps.ts';

/** The whole record before or after one in its agent's chain; null where there is none. */
async function neighbour(
  { call }: Ledger,
  operation: StoredOperation,
  side: 'before' | 'after',
  signal: AbortSignal,
): Promise<StoredOperation | null> {
  const { agent_id } = operation.ear;
  const query = { [side]: listedAs(operation), limit: 1 };
  const { data } = await call('agentChain', { params: { agent_id }, query, signal });
  const [row] = data;
  return row === undefined ? null : call('getOperation', { params: { operation_id: row.operation_id }, signal });
}

/** Gathers what a record is verified from, and verifies it once all of it has come or failed. */
export function useProof(operation: StoredOperation) {
  const { ear } = operation;
  const ledger = useLedger();
  const { caseId, q } = ledger;
  const isExcerpt = caseId !== null;
  const agent = useQuery(
    q('getAgent', {
      params: { agent_id: ear.agent_id },
      ...(ledger.isArchive && { query: { operation_id: ear.operation_id } }),
    }),
  );
  const serviceKeys = useQuery(q('jwks'));
  const neighbours = useQuery({
    queryKey: keyBelow(q('getOperation', { params: { operation_id: ear.operation_id } }), 'neighbours'),
    queryFn: async ({ signal }) => ({
      previous: await neighbour(ledger, operation, 'before', signal),
      next: await neighbour(ledger, operation, 'after', signal),
    }),
  });
  const epochId = operation.epoch?.epoch_id ?? '';
  const epoch = useQuery({ ...q('getEpoch', { params: { epoch_id: epochId } }), enabled: epochId !== '' });
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
      isExcerpt,
    });
  }, [isReady, operation, isDeleted, agent.data, serviceKeys.data, neighbours.data, epoch.data, isExcerpt]);
  return { steps, neighbours: neighbours.data, epoch: epoch.data ?? null };
}
