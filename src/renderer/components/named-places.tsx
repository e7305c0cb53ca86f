import { fill } from '../lib/fill.ts';
import { Seen } from '../ui/seen.tsx';
import { count } from '../ui/time.tsx';
import { FormError } from './form.tsx';
import { NAMED_PLACES } from './texts.ts';
import { type PlacesFound, usePlaces } from './use-places.ts';

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
        <Seen text={NAMED_PLACES.compared(names.map(({ folded }) => `“${folded}”`).join(', '))} />
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
