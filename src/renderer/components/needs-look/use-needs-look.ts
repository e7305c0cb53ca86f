import { type InfiniteData, keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, LIMITS, type LookKind } from '../../../api/index.ts';
import type { LookItem } from '../../api/answers.ts';
import { sentenceOf } from '../../api/call.ts';
import { pace } from '../../api/freshness.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { invalidate } from '../../api/query-client.ts';
import { toast } from '../../ui/toasts.tsx';
import { useTimeRange } from '../time-menu/time-menu.tsx';

/** What an item that is held became since, as far as is known. */
type Marks = ReadonlyMap<string, boolean>;

type Page = AnswerOf<'needsLook'>;

/** Pages as one answer: what the first one counts, and the items of all. Marking one moves it, so that two pages may have it. */
function asOne({ pages }: InfiniteData<Page>): Page | undefined {
  const [first] = pages;
  const items = new Map(pages.flatMap(({ data }) => data).map((item) => [item.item_id, item]));
  return first && { ...first, data: [...items.values()], hasMore: pages.at(-1)?.hasMore ?? false };
}

/**
 * What needs a look in the range that was chosen, as a list that somebody reads: items keep their places, also those that were looked at, until whoever reads
 * asks for the others.
 */
export function useNeedsLook(limit: number, kind?: LookKind) {
  const { range } = useTimeRange();
  const { pages, call, caseId, invalidate: ofLedger } = useLedger();
  const body = { ...range, limit: Math.min(limit, LIMITS.page.max), ...(kind === undefined ? {} : { kinds: [kind] }) };
  const query = useInfiniteQuery({
    ...pages('needsLook', { body }),
    select: asOne,
    placeholderData: keepPreviousData,
    // Each question of a case that is not judged to its end continues that; afterwards nothing changes by itself.
    refetchInterval: ({ state }) =>
      pace(state, caseId === null ? 15_000 : state.data?.pages[0]?.coverage.complete === false && 1_500),
  });
  const [held, setHeld] = useState<{ readonly of: string; readonly items: readonly LookItem[] } | null>(null);
  const [marks, setMarks] = useState<Marks>(new Map());
  const of = JSON.stringify([caseId, body]);
  const { data, isPlaceholderData } = query;
  if (data !== undefined && !isPlaceholderData && held?.of !== of) setHeld({ of, items: data.data });
  const mark = useMutation({
    mutationFn: async ({ itemIds, seen }: { readonly itemIds: readonly string[]; readonly seen: boolean }) => {
      for (let at = 0; at < itemIds.length; at += LIMITS.lookedAtOnce) {
        const item_ids = itemIds.slice(at, at + LIMITS.lookedAtOnce);
        await call('markLooked', { body: { item_ids, seen } });
        setMarks((before) => new Map([...before, ...item_ids.map((id) => [id, seen] as const)]));
      }
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
    // Of several, those before the one that failed are marked.
    onSettled: async () => {
      await ofLedger('needsLook');
      await invalidate(caseId === null ? 'annotationLog' : 'custody');
    },
  });
  const newest = new Map((data?.data ?? []).map((item) => [item.item_id, item]));
  const items = (held?.items ?? []).map((item) => newest.get(item.item_id) ?? item);
  const known = new Set(items.map(({ item_id }) => item_id));
  const isSeen = ({ item_id, seen }: LookItem): boolean =>
    newest.has(item_id) ? seen !== null : (marks.get(item_id) ?? seen !== null);
  const others = (data?.data ?? []).filter(({ item_id, seen }) => seen === null && !known.has(item_id)).length;
  return {
    query,
    items,
    isSeen,
    mark,
    /** How many that nobody looked at are not among them. */
    others,
    renew: () => setHeld({ of, items: data?.data ?? [] }),
    /** Reads the next page, behind those that are there. */
    more: async () => {
      const read = await query.fetchNextPage();
      const behind = (read.data?.data ?? []).filter(({ item_id }) => !known.has(item_id));
      setHeld({ of, items: [...items, ...behind] });
    },
  };
}
