import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../api/index.ts';
import { useLedger } from '../api/ledger/ledger.ts';
import { keyBelow } from '../api/query.ts';

type Places = AnswerOf<'redactionPlaces'>;
type Place = Places['places'][number];

/** Where people are named, and how far the ledger was looked through for that; all of it once `examined` is `last`. */
export type PlacesFound = Pick<Places, 'names' | 'examined' | 'last' | 'records' | 'payloads' | 'besides'> & {
  readonly places: readonly Place[];
  readonly more: boolean;
  readonly notExamined: boolean;
};

/** What two answers come to, of which the later one continues the other. */
function together(found: PlacesFound | null, next: Places): PlacesFound {
  const keyOf = ({ place, pointer, withheld, erased }: Place): string =>
    JSON.stringify([place, pointer, withheld, erased]);
  const places = new Map((found?.places ?? []).map((place) => [keyOf(place), place]));
  for (const place of next.places) {
    const { records = 0, operation_ids: ids = [] } = places.get(keyOf(place)) ?? {};
    const operation_ids = ids.length > 0 ? ids : place.operation_ids;
    places.set(keyOf(place), { ...place, records: records + place.records, operation_ids });
  }
  return {
    names: next.names,
    examined: next.examined,
    last: next.last,
    records: (found?.records ?? 0) + next.records,
    payloads: (found?.payloads ?? 0) + next.payloads,
    places: [...places.values()],
    besides: found?.besides ?? next.besides,
    more: (found?.more ?? false) || next.more_places,
    notExamined: found?.notExamined ?? next.besides_not_examined,
  };
}

/**
 * Where the ledger names people, looked through a stretch at a time while the component is shown.
 * @param names none: nothing is asked
 */
export function usePlaces(names: readonly string[]) {
  const { q, call } = useLedger();
  const client = useQueryClient();
  const queryKey = keyBelow(q('redactionPlaces'), names);
  const [soFar, setSoFar] = useState<PlacesFound | null>(null);
  const query = useQuery({
    queryKey,
    enabled: names.length > 0,
    queryFn: async ({ signal }) => {
      let found: PlacesFound | null = null;
      do {
        const after = found?.examined ?? 0;
        found = together(found, await call('redactionPlaces', { body: { names, after }, signal }));
        setSoFar(found);
      } while (found.examined < found.last);
      return found;
    },
  });
  const { data, error } = query;
  const stop = (): void => void client.cancelQueries({ queryKey });
  return { found: data ?? (query.isFetching ? soFar : null), isDone: data !== undefined, error, stop };
}
