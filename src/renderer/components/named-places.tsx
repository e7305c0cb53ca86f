import { fill } from '../lib/fill.ts';
import { Seen } from '../ui/seen.tsx';
import { count } from '../ui/time.tsx';
import { FormError } from './form.tsx';
import { NAMED_PLACES } from './texts.ts';
import { type PlacesFound, usePlaces } from './use-places.ts';

/** What of the places besides the records an export shows. */
const SHOWN_BESIDES: readonly string[] = ['organization', 'agent_id', 'agent_name', 'admin_event'];

/** Every place where the ledger names some people, by what an export does about it. */
export function NamedPlaces({ names }: { readonly names: readonly string[] }) {
  const { found, isDone, error } = usePlaces(names);
  if (names.length === 0) return null;
  return (
    <section className="given-away" aria-label={NAMED_PLACES.title}>
      <h3>{NAMED_PLACES.title}</h3>
      <FormError error={error} />
      <p role="status">
        {found !== null && (isDone ? summaryOf(found) : NAMED_PLACES.looking(count(found.examined), count(found.last)))}
      </p>
      {found !== null && isDone && <Groups found={found} />}
    </section>
  );
}

function summaryOf({ records, payloads, besides }: PlacesFound): string {
  if (records === 0 && besides.length === 0) return NAMED_PLACES.none;
  return NAMED_PLACES.found(NAMED_PLACES.records(records), NAMED_PLACES.payloads(payloads));
}

function Groups({ found }: { readonly found: PlacesFound }) {
  const { places, besides, names } = found;
  const withheld = places.filter((place) => place.withheld !== null);
  const signed = places.filter((place) => place.withheld === null);
  const shown = besides.filter(({ place }) => SHOWN_BESIDES.includes(place));
  const elsewhere = besides.filter(({ place }) => !SHOWN_BESIDES.includes(place));
  return (
    <>
      <p className="muted">
        <Seen text={NAMED_PLACES.compared(names.map(({ folded }) => `“${folded}”`).join(', '))} />
      </p>
      <Group title={NAMED_PLACES.withheld} records={withheld} />
      {withheld.some((place) => place.withheld === 'payload') && <p className="muted">{NAMED_PLACES.guessable}</p>}
      <Group title={NAMED_PLACES.stays} hint={NAMED_PLACES.staysHint} records={signed} besides={shown} />
      <Group title={NAMED_PLACES.elsewhere} hint={NAMED_PLACES.elsewhereHint} besides={elsewhere} />
      {found.more && <p className="muted">{NAMED_PLACES.more}</p>}
      {found.notExamined && <p className="muted">{NAMED_PLACES.notExamined}</p>}
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly hint?: string;
  readonly records?: PlacesFound['places'];
  readonly besides?: PlacesFound['besides'];
}

function Group({ title, hint, records = [], besides = [] }: GroupProps) {
  if (records.length + besides.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul className="plain-list">
        {records.map(({ place, pointer, withheld, records: number }) => (
          <li key={`${place} ${pointer} ${withheld}`}>
            {fill(NAMED_PLACES[place], {
              pointer: (
                <span className="code">
                  <Seen text={pointer ?? ''} />
                </span>
              ),
            })}{' '}
            <span className="muted">
              {NAMED_PLACES.records(number)}
              {withheld !== null && `, ${NAMED_PLACES[withheld]}`}
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
