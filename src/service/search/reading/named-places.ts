import {
  foldedWords,
  isErasable,
  type NamingRecord,
  type Occurrence,
  peopleInText,
  readPayload,
  soughtPerson,
  withheldWith,
} from '../../../actions/index.ts';
import { LIMITS, type PlacesAnswer, type RecordPlace } from '../../../api/index.ts';
import { canonicalize, isSalted, pointerStep } from '../../../protocol/index.ts';
import type { ContentView } from '../content-index/content-view.ts';
import type { SourceRecord } from '../content-index/record-source.ts';

/** One answer looks for so long, in milliseconds, so that other questions are not kept waiting. */
export const STEP_MS = 250;
/** Records that are read at once, and records with a name that end an answer. */
export const PAGE = 200;
const MOST_NAMED = 1000;

type InRecords = Omit<PlacesAnswer, 'besides' | 'besides_not_examined'>;

function kindOf(place: Occurrence): Pick<RecordPlace, 'place' | 'pointer'> {
  if (place.in !== 'payload') return { place: place.in, pointer: null };
  return { place: place.of, pointer: place.path.map(pointerStep).join('') };
}

/** Counts the kinds of places in which records name people. */
class Places {
  readonly #found = new Map<string, RecordPlace>();
  readonly operationIds: string[] = [];
  payloads = 0;
  more = false;

  add(operationId: string, places: readonly Occurrence[], salted: boolean): void {
    if (places.length === 0) return;
    this.operationIds.push(operationId);
    const kinds = places.map((place) => ({
      ...kindOf(place),
      withheld: withheldWith(place, salted),
      erased: isErasable(place, salted),
    }));
    if (kinds.some(({ withheld }) => withheld !== null)) this.payloads++;
    for (const [key, kind] of new Map(kinds.map((one) => [JSON.stringify(one), one]))) {
      const known = this.#found.get(key);
      if (known === undefined && this.#found.size >= LIMITS.places) this.more = true;
      else {
        const ids = [...(known?.operation_ids ?? []), operationId].slice(0, LIMITS.recordsOfPlace);
        this.#found.set(key, { ...kind, records: (known?.records ?? 0) + 1, operation_ids: ids });
      }
    }
  }

  get list(): RecordPlace[] {
    return [...this.#found.values()];
  }
}

/** What is looked through of a record for names of people. */
export function namingRecordOf({
  operationType: type,
  payload,
  disclosures,
  subject,
  action,
}: SourceRecord): NamingRecord {
  const texts = payload === null ? [] : [canonicalize(payload), JSON.stringify(disclosures)];
  return { subject, action, type, texts, read: payload && readPayload(payload, disclosures) };
}

/** Where the next records name some people. No index is asked: it finds words, and a name can be written in more ways than that. */
export function namedPlaces(view: ContentView, names: readonly string[], after: number): InRecords {
  const ends = performance.now() + STEP_MS;
  const people = names.map(soughtPerson);
  const last = view.source.last();
  const places = new Places();
  let examined = after;
  // At least one is looked at: each answer comes further than the one before.
  const hasTime = (): boolean => examined === after || (view.mayRead() && performance.now() < ends);
  while (examined < last && places.operationIds.length < MOST_NAMED && hasTime()) {
    const page = view.source.after(examined, PAGE);
    for (const record of page) {
      if (!hasTime()) break;
      const naming = namingRecordOf(record);
      const found = people.flatMap(({ placesIn }) => placesIn(naming));
      places.add(record.operationId, found, isSalted(record.payload));
      examined = record.n;
    }
    if (page.length === 0) examined = last;
  }
  return {
    names: names.map((name) => ({ name, folded: foldedWords(name.replaceAll('_', ' ')).join(' ') })),
    examined,
    last,
    records: places.operationIds.length,
    payloads: places.payloads,
    operation_ids: places.operationIds,
    places: places.list,
    more_places: places.more,
  };
}

/** Which of some groups of texts name people, as far as there was time: what is not in records may be as long as they are. */
export function namedTexts(
  view: ContentView,
  names: readonly string[],
  groups: readonly (readonly string[])[],
): { readonly named: readonly number[]; readonly examined: number } {
  const isNamed = peopleInText(names);
  const named: number[] = [];
  for (const [at, texts] of groups.entries()) {
    for (const text of texts) {
      if (!view.mayRead()) return { named, examined: at };
      if (!isNamed(text)) continue;
      named.push(at);
      break;
    }
  }
  return { named, examined: groups.length };
}
