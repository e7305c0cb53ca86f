import { peopleInText, readPayload, soughtPerson, textsIn, withheldWith } from '../../../actions/index.ts';
import {
  type BundleSource,
  type Disclosures,
  isSalted,
  type Json,
  type JsonObject,
  parseJson,
  readBundle,
} from '../../../protocol/index.ts';
import type { ExportRow } from './export-record-text.ts';

/** What of a record names one of some people. */
export interface NamedIn {
  /** Whether what stands outside the payload does, which is always shown. */
  readonly outside: boolean;
  /** Whether the payload does. */
  readonly inside: boolean;
  /** Of a salted payload: the members that do; null where it has to be withheld as a whole. */
  readonly members: ReadonlySet<string> | null;
}

const NOT_NAMED: NamedIn = { outside: false, inside: false, members: new Set() };

/** What is asked of a record. @param value its payload, parsed; null where it cannot be */
type Find = (
  row: Pick<ExportRow, 'subject' | 'action' | 'operationType' | 'payload' | 'disclosures'>,
  value: JsonObject | null,
  disclosures: Disclosures,
) => NamedIn;

/** Tells what of a record names one of these people, by the rule of legal holds. */
export function peopleFinder(names: readonly string[]): Find {
  if (names.length === 0) return () => NOT_NAMED;
  const people = names.map(soughtPerson);
  return (row, value, disclosures) => {
    const read = value === null ? null : readPayload(value, disclosures);
    const { subject, action, operationType: type, payload } = row;
    const texts = payload === null ? [] : [payload, row.disclosures].filter((text) => text !== null);
    const naming = { subject, action, type, texts, read };
    const places = people.flatMap(({ placesIn }) => placesIn(naming));
    const by = places.map((place) => withheldWith(place, isSalted(value)));
    const members = places.flatMap((place, at) =>
      place.in === 'payload' && by[at] === 'member' ? place.path.slice(0, 1) : [],
    );
    return {
      outside: by.includes(null),
      inside: by.some((way) => way !== null),
      members: isSalted(value) && by.includes('payload') ? null : new Set(members),
    };
  };
}

/** Whether some text in a value, a member's name among them, names one of these people. */
export function peopleInValue(names: readonly string[]): (value: Json) => boolean {
  const isNamed = peopleInText(names);
  return (value) => names.length > 0 && [...textsIn(value)].some(([text]) => isNamed(text));
}

/** Kinds of places that are listed; those beyond, such as a member of another name in each record, are listed as one. */
const MOST_PLACES = 200;
const OTHER_PLACES = '/records/*';

/**
 * Where a bundle names some people, whatever was withheld of it: looked for in the file as it is, every text of it by itself and each payload as
 * a whole.
 * @param onRecord called after each record; it may throw to stop
 */
export async function placesInBundle(
  source: BundleSource,
  names: readonly string[],
  onRecord: () => void,
): Promise<{ readonly place: string; readonly count: number }[]> {
  const isNamed = peopleInText(names);
  const find = peopleFinder(names);
  const found = new Map<string, number>();
  for await (const events of readBundle(source)) {
    for (const event of events) {
      if (event.kind === 'array') continue;
      const { member, element, bytes } = event;
      const value = parseJson(Buffer.from(bytes).toString('utf8'));
      const texts = [...textsIn(value, `/${member}${element ? '/*' : ''}`)];
      const places = new Set(texts.flatMap(([text, place]) => (isNamed(text) ? [place] : [])));
      if (member === 'records') {
        const { eor, disclosures = {} } = value as unknown as BundledRecord;
        const { payload = null, operation_type: operationType } = eor;
        const stored = { payload: payload && JSON.stringify(payload), disclosures: JSON.stringify(disclosures) };
        // A name that several values have between them, or a number.
        const isSeen = [...places].some((place) => /^\/records\/\*\/(?:eor\/payload|disclosures)\//.test(place));
        if (!isSeen && find({ ...eor, operationType, ...stored }, payload, disclosures).inside) {
          places.add('/records/*/eor/payload');
        }
        onRecord();
      }
      for (const place of places) {
        const key = found.has(place) || found.size < MOST_PLACES ? place : OTHER_PLACES;
        found.set(key, (found.get(key) ?? 0) + 1);
      }
    }
  }
  return [...found].map(([place, count]) => ({ place, count }));
}

/** What is looked at of a record in a bundle that this service has just written. */
interface BundledRecord {
  readonly eor: {
    readonly subject: string;
    readonly action: string;
    readonly operation_type: string;
    readonly payload?: JsonObject;
  };
  readonly disclosures?: Disclosures;
}
