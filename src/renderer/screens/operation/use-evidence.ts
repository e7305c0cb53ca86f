import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { StoredOperation } from '../../api/answers.ts';
import { CallFailed } from '../../api/call.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { proveOperation } from '../../proof/prove-operation.ts';
import type { Neighbour } from '../../proof/record-steps.ts';

/** Gathers what a record is verified from, and verifies it once all of it has come or failed. */
export function useProof(operation: StoredOperation) {
  const { ear } = operation;
  const { caseId, queries } = useLedger();
  const isExcerpt = caseId !== null;
  const agent = useQuery(queries.agent(ear.agent_id));
  const serviceKeys = useQuery(queries.jwks);
  const neighbours = useQuery(queries.neighbours(ear));
  const epochId = operation.epoch?.epoch_id ?? '';
  const epoch = useQuery({ ...queries.epoch(epochId), enabled: epochId !== '' });
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
