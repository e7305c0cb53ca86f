import { queryOptions } from '@tanstack/react-query';
import type { AnswerOf } from '../../contract/index.ts';
import { call } from './call.ts';
import { KEYS } from './keys.ts';
import { pace } from './polling.ts';

/* What the screen of retention and a record's page ask for. */

export type Hold = AnswerOf<'listHolds'>['holds'][number];
export type SweepRow = AnswerOf<'listSweeps'>['sweeps'][number];

export const retentionRulesQuery = queryOptions({
  queryKey: KEYS.retentionRules,
  queryFn: ({ signal }) => call('retentionRules', { signal }),
});

export const holdsQuery = queryOptions({
  queryKey: KEYS.legalHolds,
  queryFn: ({ signal }) => call('listHolds', { signal }),
});

/** Asked for again more often while one is under way. */
export const sweepsQuery = queryOptions({
  queryKey: KEYS.sweeps,
  queryFn: ({ signal }) => call('listSweeps', { signal }),
  refetchInterval: ({ state }) => pace(state, state.data?.sweeps[0]?.status === 'running' ? 500 : 30_000),
});

export const operationRetentionQuery = (operationId: string) =>
  queryOptions({
    queryKey: KEYS.operationRetention(operationId),
    queryFn: ({ signal }) => call('operationRetention', { params: { operation_id: operationId }, signal }),
  });
