import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AnswerOf } from '../../contract/index.ts';
import type { AdminEventsSearch, RefusedSearch } from '../lib/search-params.ts';
import { call } from './call.ts';
import { KEYS } from './keys.ts';
import { pace } from './polling.ts';

/* What the screens of the administration ask for. */

export type WebhookRow = AnswerOf<'listWebhooks'>['webhooks'][number];
export type DeliveryRow = AnswerOf<'listDeliveries'>['data'][number];
export type TokenRow = AnswerOf<'listTokens'>['tokens'][number];
export type AdminEvent = AnswerOf<'listAdminEvents'>['events'][number];
export type SettingRow = AnswerOf<'getSettings'>['settings'][number];
export type ServiceKey = AnswerOf<'listServiceKeys'>['keys'][number];
export type Backups = AnswerOf<'listBackups'>;

export const webhooksQuery = queryOptions({
  queryKey: KEYS.webhooks,
  queryFn: ({ signal }) => call('listWebhooks', { signal }),
});

/** Asked for again more often while one is under way. */
export const deliveriesQuery = (webhookId: string) =>
  infiniteQueryOptions({
    queryKey: KEYS.deliveries(webhookId),
    queryFn: ({ signal, pageParam }) =>
      call('listDeliveries', {
        params: { webhook_id: webhookId },
        query: { limit: 100, cursor: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) => {
      const isWaiting = state.data?.pages.some(({ data }) => data.some(({ status }) => status === 'pending'));
      return pace(state, isWaiting === true ? 2_000 : 5_000);
    },
  });

export const tokensQuery = queryOptions({
  queryKey: KEYS.tokens,
  queryFn: ({ signal }) => call('listTokens', { signal }),
});

export const organizationTokensQuery = queryOptions({
  queryKey: KEYS.organizationTokens,
  queryFn: ({ signal }) => call('listOrganizationTokens', { signal }),
});

export type AdminEventsFilter = Omit<AdminEventsSearch, 'selected'>;

export const adminEventPagesQuery = (filter: AdminEventsFilter) =>
  infiniteQueryOptions({
    queryKey: KEYS.adminEventPages(filter),
    queryFn: ({ signal, pageParam }) =>
      call('listAdminEvents', { query: { ...filter, limit: 100, cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? null,
  });

export const adminChainQuery = queryOptions({
  queryKey: KEYS.adminChain,
  queryFn: ({ signal }) => call('adminChain', { signal }),
});

/** Asked for again by itself while no more than its first page is shown. */
export const refusalsQuery = (filter: RefusedSearch) =>
  infiniteQueryOptions({
    queryKey: KEYS.refusals(filter),
    queryFn: ({ signal, pageParam }) =>
      call('listRefusals', { query: { ...filter, limit: 100, cursor: pageParam ?? undefined }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) => pace(state, state.data?.pages.length === 1 && 15_000),
  });

/** How many were refused in the last 24 hours. */
export const refusalsOfDayQuery = queryOptions({
  queryKey: KEYS.refusalsOfDay,
  queryFn: ({ signal }) => call('listRefusals', { query: { limit: 1 }, signal }),
  refetchInterval: ({ state }) => pace(state, 15_000),
});

export const settingsQuery = queryOptions({
  queryKey: KEYS.settings,
  queryFn: ({ signal }) => call('getSettings', { signal }),
});

export const serviceKeysQuery = queryOptions({
  queryKey: KEYS.serviceKeys,
  queryFn: ({ signal }) => call('listServiceKeys', { signal }),
});

export const backupsQuery = queryOptions({
  queryKey: KEYS.backups,
  queryFn: ({ signal }) => call('listBackups', { signal }),
  refetchInterval: ({ state }) => pace(state, state.data?.job?.status === 'running' ? 500 : 30_000),
});

export const aboutQuery = queryOptions({
  queryKey: KEYS.about,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }) => call('about', { signal }),
});
