import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import type { AnswerOf } from '../../api/index.ts';
import { useLedger } from '../api/ledger/ledger.ts';
import { keyBelow } from '../api/query.ts';
import { fill } from '../lib/fill.ts';
import { Seen } from '../ui/seen.tsx';
import { count } from '../ui/time.tsx';
import { FormError } from './form.tsx';
import { NAMED_PLACES } from './texts.ts';

type Places = AnswerOf<'redactionPlaces'>;
type Place = Places['places'][number];

/** Where people are named, and how far the ledger was looked through for that; all of it once `examined` is `last`. */
type PlacesFound = Pick<Places, 'names' | 'examined' | 'last' | 'records' | 'payloads' | 'besides'> & {
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
function usePlaces(names: readonly string[]) {
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

/** What of the places besides the records an export shows. */
const SHOWN_BESIDES: readonly string[] = ['organization', 'agent_id', 'agent_name', 'admin_event'];

/** What somebody is about to do: leave people out of an export, erase a payload, or hold what is about a person. */
type Purpose = keyof typeof NAMED_PLACES.of;

interface NamedPlacesProps {
  readonly names: readonly string[];
  readonly purpose: Purpose;
}

/** Every place where the ledger names some people, by what is reached of it. The places are the same whatever the purpose. */
export function NamedPlaces({ names, purpose }: NamedPlacesProps) {
  const { found, isDone, error, stop } = usePlaces(names);
  if (names.length === 0) return null;
  return (
    <section className="given-away" aria-label={NAMED_PLACES.title}>
      <h3>{NAMED_PLACES.title}</h3>
      <FormError error={error} />
      <p role="status">
        {found !== null && (isDone ? summaryOf(found) : NAMED_PLACES.looking(count(found.examined), count(found.last)))}
      </p>
      {found !== null && !isDone && (
        <div className="cluster">
          <progress aria-label={NAMED_PLACES.title} max={Math.max(1, found.last)} value={found.examined} />
          <button type="button" className="button-small" onClick={stop}>
            {NAMED_PLACES.stop}
          </button>
        </div>
      )}
      {found !== null && isDone && <Groups found={found} purpose={purpose} />}
    </section>
  );
}

function summaryOf({ records, payloads, besides }: PlacesFound): string {
  if (records === 0 && besides.length === 0) return NAMED_PLACES.none;
  return NAMED_PLACES.found(records, payloads);
}

/** Whether what is to be done reaches a place in a record. */
const REACHES: Readonly<Record<Purpose, (place: PlacesFound['places'][number]) => boolean>> = {
  export: ({ withheld }) => withheld !== null,
  erasure: ({ erased }) => erased,
  hold: () => true,
};

function Groups({ found, purpose }: { readonly found: PlacesFound; readonly purpose: Purpose }) {
  const { places, besides, names } = found;
  const words = NAMED_PLACES.of[purpose];
  const reached = places.filter(REACHES[purpose]);
  const left = places.filter((place) => !REACHES[purpose](place));
  const isExport = purpose === 'export';
  const shown = besides.filter(({ place }) => !isExport || SHOWN_BESIDES.includes(place));
  const elsewhere = besides.filter(({ place }) => isExport && !SHOWN_BESIDES.includes(place));
  return (
    <>
      <p className="muted">
        {NAMED_PLACES.compared}{' '}
        {names.map(({ folded }, at) => (
          <Fragment key={folded}>
            {at > 0 && ', '}“<Seen text={folded} />”
          </Fragment>
        ))}
      </p>
      <Group title={words.reached} purpose={purpose} records={reached} />
      {isExport && reached.some((place) => place.withheld === 'payload') && (
        <p className="muted">{NAMED_PLACES.guessable}</p>
      )}
      <Group title={words.left} hint={words.leftHint} purpose={purpose} records={left} besides={shown} />
      <Group title={NAMED_PLACES.elsewhere} hint={NAMED_PLACES.elsewhereHint} purpose={purpose} besides={elsewhere} />
      {found.more && <p className="muted">{NAMED_PLACES.more}</p>}
      {found.notExamined && <p className="muted">{NAMED_PLACES.notExamined}</p>}
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly hint?: string;
  readonly purpose: Purpose;
  readonly records?: PlacesFound['places'];
  readonly besides?: PlacesFound['besides'];
}

function Group({ title, hint, purpose, records = [], besides = [] }: GroupProps) {
  if (records.length + besides.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul className="plain-list">
        {records.map(({ place, pointer, withheld, erased, records: number }) => (
          <li key={`${place} ${pointer} ${withheld} ${erased}`}>
            {fill(NAMED_PLACES[place], {
              pointer: (
                <span className="code">
                  <Seen text={pointer ?? ''} />
                </span>
              ),
            })}{' '}
            <span className="muted">
              {NAMED_PLACES.records(number)}
              {purpose === 'export' && withheld !== null && `, ${NAMED_PLACES[withheld]}`}
            </span>
          </li>
        ))}
        {besides.map(({ place, count: number, examples }) => (
          <li key={place}>
            {NAMED_PLACES[place]} <span className="muted">{count(number)}: </span>
            <Seen text={examples.join(', ')} />
          </li>
        ))}
      </ul>
      {hint !== undefined && <p className="muted">{hint}</p>}
    </>
  );
}
