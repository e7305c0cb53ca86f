import { createHash } from 'node:crypto';
import {
  comparable,
  type FieldsWith,
  type FieldValues,
  foldedWords,
  foldText,
  isFieldWith,
  ownerOf,
  RECORD_FIELD_NAMES,
  RECORD_FIELDS,
  type RecordFieldName,
  readDecimal,
  readingsOf,
  recordValues,
  textAt,
  textOfValue,
  WORDED_FIELDS,
} from '../../../actions/index.ts';
import { pointerStep } from '../../../protocol/light.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { actionsOf } from '../content-index/indexed-actions.ts';
import { ownFields } from '../content-index/record-content.ts';

/** The fields that a row has: all but those that later records or people change. */
export type StoredField = Exclude<RecordFieldName, FieldsWith<{ few: true }>>;
export const STORED_FIELDS = RECORD_FIELD_NAMES.filter(
  (name): name is StoredField => !isFieldWith(name, { few: true }),
);

export function isStored(name: RecordFieldName): name is StoredField {
  return !isFieldWith(name, { few: true });
}

export function isMany(name: RecordFieldName): boolean {
  return isFieldWith(name, { many: true });
}

/** Whether a record may say nothing of a field that has one value. */
export function isOptional(name: RecordFieldName): boolean {
  return !isMany(name) && !isFieldWith(name, { from: 'record' }) && !isFieldWith(name, { always: true });
}

function typeOf(name: StoredField): string {
  if (isMany(name)) return 'Array(String)';
  const { form } = RECORD_FIELDS[name];
  const type = form === 'text' ? 'String' : form === 'time' ? 'Int64' : 'Float64';
  return isOptional(name) ? `Nullable(${type})` : type;
}

export function columnOf(name: StoredField): string {
  return `field_${name}`;
}

/** What a row has besides fields: where it is, and its payload taken apart as the query language asks about it. */
const OTHERS = {
  /** Whose archive, and which filling of the table the row is of. */
  reading: 'String',
  load: 'UInt64',
  n: 'UInt64',
  /** The first record of its action. */
  lead: 'UInt64',
  /** What the record itself says of an outcome. */
  outcome: 'Nullable(String)',
  leaf_paths: 'Array(String)',
  /** Values as JSON, and their texts as words between blanks and folded: of each reading one line. */
  leaf_forms: 'Array(String)',
  leaf_said: 'Array(String)',
  leaf_folded: 'Array(String)',
  /** The same of names of members and of what the agent says of the record. */
  other_said: 'String',
  other_folded: 'String',
  number_paths: 'Array(String)',
  numbers: 'Array(Float64)',
  time_paths: 'Array(String)',
  times: 'Array(Float64)',
  /** Exact decimal numbers; the duration is among them, at a path that no member has. */
  amount_paths: 'Array(String)',
  amount_digits: 'Array(Int256)',
  amount_scales: 'Array(UInt32)',
  amount_currencies: 'Array(String)',
  /** Whether a number is left out that is too long for a column. */
  amount_cut: 'UInt8',
} as const;

const COLUMNS: readonly (readonly [name: string, type: string])[] = [
  ...Object.entries(OTHERS),
  ...STORED_FIELDS.map((name) => [columnOf(name), typeOf(name)] as const),
];
const DEFINITION = COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ');
const VERSION = createHash('sha256').update(DEFINITION).digest('hex').slice(0, 8);

/** Tables of other columns have other names: a new version of the product fills a new one. */
export const RECORDS = `countersign_records_${VERSION}`;
export const LOADS = `countersign_loads_${VERSION}`;

export const TABLES = [
  `CREATE TABLE IF NOT EXISTS ${RECORDS} (${DEFINITION}) ENGINE = MergeTree ORDER BY (reading, n)`,
  `CREATE TABLE IF NOT EXISTS ${LOADS} (reading String, run UInt64, load UInt64, records UInt64, runs UInt64, basis String)
    ENGINE = MergeTree ORDER BY (reading, run)`,
];

type Row = Readonly<Record<keyof Omit<typeof OTHERS, 'reading' | 'load'>, unknown>> & Readonly<Record<string, unknown>>;

export const DURATION_PATH = 'duration';
/** Of 76 that a column has: a sum of many has more digits than each. */
const MOST_DIGITS = 10n ** 60n;

/** A path as the conditions of queries look for it. */
export function pathText(path: readonly string[]): string {
  return path.map(pointerStep).join('');
}

function lines(texts: readonly string[], of: (reading: string) => string): string {
  return texts.flatMap((text) => readingsOf(text).map(of)).join('\n');
}

const said = (reading: string): string => ` ${foldedWords(reading).join(' ')} `;

/** A record as a row: what the own index knows of it, so that both find the same. */
export function rowOf(view: ContentView, n: number): Row {
  const record = view.record(n);
  const own: FieldValues<StoredField> = ownFields(record);
  const { leaves, tree } = record.read;
  const paths = leaves.map(({ path }) => pathText(path));
  const texts = leaves.map(({ value }) => textOfValue(value));
  const others = [
    ...new Set(leaves.flatMap(({ path }) => path)),
    ...WORDED_FIELDS.flatMap((name) => recordValues(own, name).map(String)),
  ];
  const compared = leaves.map(({ value }) => comparable(value));
  const at = <T>(values: readonly (T | null)[]): [string[], T[]] => {
    const found = values.flatMap((value, place) => (value === null ? [] : [[paths[place] ?? '', value] as const]));
    return [found.map(([path]) => path), found.map(([, value]) => value)];
  };
  const [numberPaths, numbers] = at(compared.map(({ number }) => number));
  const [timePaths, times] = at(compared.map(({ time }) => time));
  const amounts = leaves.flatMap(({ value, pointer }, place) => {
    const number = compared[place]?.number == null ? null : readDecimal(String(value));
    const currency = number === null ? null : textAt(ownerOf(tree, pointer) ?? undefined, 'currency');
    return number === null ? [] : [{ path: paths[place] ?? '', number, currency }];
  });
  const took = own.duration === null ? null : readDecimal(String(own.duration));
  if (took !== null) amounts.push({ path: DURATION_PATH, number: took, currency: null });
  const kept = amounts.filter(({ number: { digits } }) => digits < MOST_DIGITS && digits > -MOST_DIGITS);
  return {
    n,
    lead: actionsOf(view).leadOf(n),
    outcome: view.calls.ownOutcome(n),
    leaf_paths: paths,
    leaf_forms: leaves.map(({ value }) => JSON.stringify(value)),
    leaf_said: texts.map((text) => lines([text], said)),
    leaf_folded: texts.map((text) => lines([text], foldText)),
    other_said: lines(others, said),
    other_folded: lines(others, foldText),
    number_paths: numberPaths,
    numbers,
    time_paths: timePaths,
    times,
    amount_paths: kept.map(({ path }) => path),
    amount_digits: kept.map(({ number }) => String(number.digits)),
    amount_scales: kept.map(({ number }) => number.scale),
    amount_currencies: kept.map(({ currency }) => currency ?? ''),
    amount_cut: Number(kept.length < amounts.length),
    ...Object.fromEntries(
      STORED_FIELDS.map((name) => [columnOf(name), isMany(name) ? recordValues(own, name) : own[name]]),
    ),
  };
}
