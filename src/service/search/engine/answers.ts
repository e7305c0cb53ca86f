import { isFieldWith, isTimeStep, parseField, timeStep } from '../../../actions/index.ts';
import type { Coverage, FacetsAnswer, GroupsAnswer, GroupsBody, Histogram, Unit } from '../../../api/index.ts';
import { namesOfPointer } from '../../../protocol/index.ts';
import { type HistogramAsked, histogramWith, NOTHING, stretchesOf } from '../content-index/queries/histogram.ts';
import { amountOf, MOST_CURRENCIES } from '../grouping/amounts.ts';
import { Keys, QUARTER_MS } from '../grouping/group-keys.ts';
import { Group, type Measuring, MOST_GROUPS, shownGroups } from '../grouping/groups.ts';
import type { Parameters } from './clickhouse.ts';
import {
  columnOf,
  DURATION_PATH,
  isMany,
  isOptional,
  isStored,
  pathText,
  RECORDS,
  type StoredField,
} from './columns.ts';

type Row = readonly unknown[];

/** What a query found, for whoever counts in it. */
export interface Found {
  readonly unit: Unit;
  /** The condition of its rows. */
  readonly rows: string;
  readonly parameters: Parameters;
  readonly total: number;
  readonly coverage: Coverage;
  readonly ask: (text: string) => Promise<readonly Row[]>;
}

type Facet = FacetsAnswer['facets'][number];

/** Counts what is counted, of rows that are found: of an action there are several. */
export const counting = ({ unit }: Pick<Found, 'unit'>): string => (unit === 'records' ? 'count()' : 'uniqExact(lead)');

const isNumbered = (name: StoredField): boolean =>
  isFieldWith(name, { form: 'time' }) || isFieldWith(name, { form: 'number' });

/** A member's value as text, of its value as JSON. */
const textOfForm = (form: string): string => `if(startsWith(${form}, '"'), JSONExtractString(${form}), ${form})`;

/** The values of a field as an array, and whether that has one at most; undefined for one that rows do not tell. */
function valuesOfField(name: string): { readonly text: string; readonly isOne: boolean } | undefined {
  if (!isFieldWith(name, { column: 'category' }) && !isFieldWith(name, { column: 'list' })) return undefined;
  if (!isStored(name) || isNumbered(name)) return undefined;
  const column = columnOf(name);
  if (isMany(name)) return { text: `arrayDistinct(${column})`, isOne: false };
  const text = isOptional(name) ? `if(isNull(${column}), [], [assumeNotNull(${column})])` : `[${column}]`;
  return { text, isOne: true };
}

/** @returns null where rows do not tell one of the fields */
export async function facetsIn(found: Found, fields: readonly string[], values: number): Promise<readonly Facet[]> {
  const facets = fields.map(async (field): Promise<Facet> => {
    const own = valuesOfField(field);
    const path = found.parameters.text(pathText(namesOfPointer(field)));
    const all = own?.text ?? `arrayDistinct(arrayFilter((form, p) -> p = ${path}, leaf_forms, leaf_paths))`;
    const text = own === undefined ? textOfForm('value') : 'value';
    const counted = `SELECT value, ${counting(found)} AS counted, min(n) AS first FROM ${RECORDS} ARRAY JOIN ${all} AS value WHERE ${found.rows} GROUP BY value`;
    // Where each that is counted has one value at most, those that have one are the sum of the counts: nothing is looked through twice.
    const isSum = found.unit === 'records' && own?.isOne === true;
    const rows = await found.ask(
      `SELECT ${text}, counted, count() OVER (), sum(counted) OVER () FROM (${counted}) ORDER BY counted DESC, first LIMIT ${values}`,
    );
    const [[having] = [rows[0]?.[3] ?? 0]] = isSum
      ? []
      : await found.ask(`SELECT ${counting(found)} FROM ${RECORDS} WHERE ${found.rows} AND notEmpty(${all})`);
    const shown = rows.map(([value, count]) => ({ value: String(value), count: Number(count) }));
    shown.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
    const more = Number(rows[0]?.[2] ?? 0) - shown.length;
    return { field, values: shown, more, none: found.total - Number(having) };
  });
  return Promise.all(facets);
}

/** Whether the values of a field can be counted by its rows. */
export function isCounted(field: string): boolean {
  return field.startsWith('/') || valuesOfField(field) !== undefined;
}

/** What is counted, with the time at which it was issued, or began. */
function timesOf({ unit, rows }: Found): string {
  return unit === 'records'
    ? `SELECT field_issued AS t, field_agent AS agent, n AS id FROM ${RECORDS} WHERE ${rows}`
    : `SELECT min(field_issued) AS t, argMin(field_agent, n) AS agent, lead AS id FROM ${RECORDS} WHERE ${rows} GROUP BY lead`;
}

export async function histogramIn(found: Found, asked: HistogramAsked): Promise<Histogram> {
  const { coverage, parameters } = found;
  if (found.total === 0) return { ...NOTHING, coverage };
  const times = timesOf(found);
  const [[first, last] = []] = await found.ask(`SELECT min(t), max(t) FROM (${times})`);
  const stretches = stretchesOf(Number(first), Number(last), asked);
  const { start, width, count, earliest } = stretches;
  const begun = Number.isFinite(earliest) ? `greatest(t, ${parameters.whole(earliest)})` : 't';
  const at = `toInt64(floor((${begun} - ${parameters.whole(start)}) / ${parameters.whole(width)}))`;
  const within = `at >= 0 AND at < ${parameters.whole(count)}`;
  const counts = new Array<number>(count).fill(0);
  const counted = `SELECT at, count() FROM (SELECT ${at} AS at FROM (${times})) WHERE ${within} GROUP BY at`;
  for (const [place, many] of await found.ask(counted)) counts[Number(place)] = Number(many);
  if (asked.agents === undefined) return histogramWith(stretches, counts, undefined, coverage);
  const most = await found.ask(
    `SELECT agent, count() OVER () FROM (SELECT agent, count() AS many, min(id) AS first FROM (${times}) GROUP BY agent)
     ORDER BY many DESC, first LIMIT ${asked.agents}`,
  );
  const data = most.map(([agent]) => ({ agent_id: String(agent), counts: new Array<number>(count).fill(0) }));
  const names = parameters.texts(data.map(({ agent_id }) => agent_id));
  const byAgent = await found.ask(
    `SELECT agent, at, count() FROM (SELECT agent, ${at} AS at FROM (${times})) WHERE ${within} AND has(${names}, agent) GROUP BY agent, at`,
  );
  for (const [agent, place, many] of byAgent) {
    const own = data.find(({ agent_id }) => agent_id === agent);
    if (own !== undefined) own.counts[Number(place)] = Number(many);
  }
  const agents = Number(most[0]?.[1] ?? 0);
  return histogramWith(stretches, counts, { data, others: agents - data.length }, coverage);
}

/** What is grouped by, as an array of texts, of a row or of the rows of an action; undefined where rows do not tell it. */
function keysOf({ unit, parameters }: Found, by: string): string | undefined {
  if (isTimeStep(by)) {
    const issued = unit === 'records' ? 'field_issued' : 'min(field_issued)';
    return `[toString(intDiv(${issued}, ${QUARTER_MS}))]`;
  }
  const field = parseField(by);
  const own = field?.of === 'payload' ? undefined : valuesOfField(by)?.text;
  if (own === undefined && field?.of !== 'payload') return undefined;
  const values =
    own ??
    `arrayDistinct(arrayMap(form -> ${textOfForm('form')}, arrayFilter((form, p) -> ${reached(by, parameters)}, leaf_forms, leaf_paths)))`;
  return unit === 'records' ? values : `groupUniqArrayArray(${values})`;
}

/** Whether the path `p` is one at which a member is. */
function reached(name: string, parameters: Parameters): string {
  const field = parseField(name);
  if (field?.of !== 'payload') return `p = '${DURATION_PATH}'`;
  const path = parameters.text(pathText(field.path));
  return field.fromRoot ? `p = ${path}` : `endsWith(p, ${path})`;
}

/** A sum of numbers of one scale, or the least and the greatest, each with the record that has it first. */
type Part = readonly [
  currency: string,
  scale: number,
  sum: string,
  least: string,
  leastN: number,
  greatest: string,
  greatestN: number,
];

/**
 * Groups what is found, and adds it up. Numbers are added by currency and scale as whole digits, and the few that this comes to by the own arithmetic.
 * @returns null where rows do not tell it: medians, numbers of actions, fields that change with later records, too many groups
 */
export async function groupsIn(found: Found, asked: Omit<GroupsBody, 'query'>): Promise<GroupsAnswer | null> {
  const { by, measures, zone } = asked;
  const keys = by.map((name) => keysOf(found, name));
  const numbers = [...new Set(measures.flatMap((measure) => (measure.op === 'count' ? [] : [measure.of])))];
  if (keys.includes(undefined) || measures.some(({ op }) => op === 'median')) return null;
  if (found.unit === 'actions' && numbers.length > 0) return null;
  const amounts = numbers.map((name) => {
    const first = `amount_paths[arrayFirstIndex(p -> ${reached(name, found.parameters)}, amount_paths)]`;
    const all = 'arrayZip(amount_digits, amount_scales, amount_currencies)';
    return `arrayFilter((a, p) -> p != '' AND p = ${first}, ${all}, amount_paths)`;
  });
  const columns = [
    ...keys.map((key, at) => `${key} AS k${at}`),
    ...amounts.map((amount, at) => `${amount} AS m${at}`),
    ...(found.unit === 'records' ? ['amount_cut AS cut', 'n AS id'] : ['max(amount_cut) AS cut', 'lead AS id']),
  ];
  const grouped = found.unit === 'records' ? '' : 'GROUP BY lead';
  const things = `SELECT ${columns.join(', ')} FROM ${RECORDS} WHERE ${found.rows} ${grouped}`;
  const names = keys.map((_, at) => `g${at}`);
  const each = keys.map(
    (_, at) => `arrayJoin(if(empty(k${at}), [NULL], arrayMap(x -> toNullable(x), k${at}))) AS g${at}`,
  );
  const from = (isAll: boolean): string =>
    isAll || each.length === 0 ? `(${things})` : `(SELECT *, ${each.join(', ')} FROM (${things}))`;
  const groupedBy = (isAll: boolean, more: readonly string[] = []): string => {
    const all = [...(isAll ? [] : names), ...more];
    return all.length === 0 ? '' : `GROUP BY ${all.join(', ')}`;
  };
  const keyTexts = by.map(() => new Keys());
  const measuring: Measuring[] = measures.map((measure) => {
    return { measure, of: measure.op === 'count' ? null : () => [], complete: true };
  });
  const idOf = (key: unknown, at: number): number => {
    const name = by[at] ?? '';
    if (key === null) return 0;
    const text = isTimeStep(name) ? timeStep(Number(key) * QUARTER_MS, name, zone ?? 'UTC') : String(key);
    return keyTexts[at]?.id(text) ?? 0;
  };

  const gather = async (isAll: boolean): Promise<ReadonlyMap<string, Group> | null> => {
    const groups = new Map<string, Group>();
    const width = isAll ? 0 : names.length;
    const groupOf = (row: Row): Group => {
      const ids = row.slice(0, width).map(idOf);
      const key = ids.join(' ');
      const group = groups.get(key) ?? new Group(ids, measuring);
      groups.set(key, group);
      return group;
    };
    const shown = isAll ? [] : names;
    const lacking = amounts.map((_, at) => `countIf(empty(m${at}))`);
    const counts = await found.ask(
      `SELECT ${[...shown, 'count()', 'max(cut)', ...lacking].join(', ')} FROM ${from(isAll)} ${groupedBy(isAll)} LIMIT ${MOST_GROUPS + 1}`,
    );
    if (counts.length > MOST_GROUPS || (amounts.length > 0 && counts.some((row) => Number(row[width + 1]) > 0)))
      return null;
    for (const row of counts) {
      const group = groupOf(row);
      group.count += Number(row[width]);
      for (const [at, measure] of measures.entries()) {
        if (measure.op !== 'count') group.amounts[at]?.lack(Number(row[width + 2 + numbers.indexOf(measure.of)]));
      }
    }
    for (const [place, name] of numbers.entries()) {
      const digits = 'tupleElement(a, 1)';
      const parts = await found.ask(
        `SELECT ${[...shown, 'tupleElement(a, 3) AS currency', 'tupleElement(a, 2) AS scale'].join(', ')},
           toString(sum(${digits})), toString(min(${digits})), argMin(id, (${digits}, id)), toString(max(${digits})), argMax(id, (${digits}, -toInt64(id)))
         FROM ${from(isAll)} ARRAY JOIN m${place} AS a ${groupedBy(isAll, ['currency', 'scale'])} LIMIT ${MOST_GROUPS * 2}`,
      );
      if (parts.length >= MOST_GROUPS * 2) return null;
      const byGroup = Map.groupBy(parts, groupOf);
      for (const [group, rows] of byGroup) {
        const all = rows.map((row) => row.slice(width) as unknown as Part);
        if (new Set(all.map(([currency]) => currency)).size > MOST_CURRENCIES) return null;
        for (const [at, measure] of measures.entries()) {
          if (measure.op === 'count' || measure.of !== name) continue;
          const ordered = all.toSorted((a, b) => (measure.op === 'max' ? a[6] - b[6] : a[4] - b[4]));
          for (const [currency, scale, sum, least, , greatest] of ordered) {
            const text = measure.op === 'sum' ? sum : measure.op === 'min' ? least : greatest;
            const number = { digits: BigInt(text), scale: Number(scale) };
            group.amounts[at]?.add([amountOf(number, currency === '' ? null : currency)]);
          }
        }
      }
    }
    return groups;
  };
  const [groups, all] = await Promise.all([by.length === 0 ? new Map<string, Group>() : gather(false), gather(true)]);
  if (groups === null || all === null) return null;
  return {
    data: shownGroups([...groups.values()], keyTexts, asked).map(({ row }) => row),
    total: found.total,
    groups: groups.size,
    all: (all.get('') ?? new Group([], measuring)).measured,
    coverage: found.coverage,
  };
}
