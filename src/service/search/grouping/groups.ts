import { isTimeStep, parseField, readDecimal } from '../../../actions/index.ts';
import type { GroupsAnswer, GroupsBody, ReportSumsBody } from '../../../api/index.ts';
import { MAX_SUMMED_GROUPS, type ReportSums, type Summed } from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { Bits } from '../content-index/bits.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { actionsOf, durationsOfActions, timesOfAction } from '../content-index/indexed-actions.ts';
import { coverageOf } from '../content-index/queries/list-records.ts';
import { queryOf } from '../content-index/search-filter.ts';
import { type Amount, Amounts, amountOf, byAmount, MOST_CURRENCIES } from './amounts.ts';
import { type Grouped, type GroupKeys, groupKeys } from './group-keys.ts';
import { memberAmounts } from './member-values.ts';

type Measure = GroupsBody['measures'][number];

/** The numbers of what is counted; null where it is counted alone. */
interface Numbers {
  readonly of: ((lead: number) => readonly Amount[]) | null;
  readonly complete: boolean;
}

/** How what is counted is measured. */
export interface Measuring extends Numbers {
  readonly measure: Measure;
}

const NOTHING: readonly Amount[] = [];

/** How long something took: of an action as far as its records are counted. */
function durations({ view, unit, of }: Grouped): (lead: number) => readonly Amount[] {
  const isWhole = of === actionsOf(view).records;
  const all = unit === 'records' ? view.columns.number('duration') : isWhole ? durationsOfActions(view) : null;
  const took = (lead: number): number =>
    (all === null ? timesOfAction(view, [...of(lead)]).took : all[lead]) ?? Number.NaN;
  const known = new Map<number, readonly Amount[]>();
  return (lead) => {
    const ms = took(lead);
    if (Number.isNaN(ms)) return [];
    let amounts = known.get(ms);
    if (amounts === undefined) {
      const number = readDecimal(String(ms));
      amounts = number === null ? [] : [amountOf(number, null)];
      known.set(ms, amounts);
    }
    return amounts;
  };
}

/** @param name "duration", or a member of payloads as a query names it @throws ServiceError VALIDATION_ERROR */
function numbersOf(grouped: Grouped, name: string): Numbers {
  if (name === 'duration') return { of: durations(grouped), complete: true };
  const field = parseField(name);
  if (field === undefined || field.of !== 'payload') {
    throw new ServiceError('VALIDATION_ERROR', `measures: "${name}" is neither "duration" nor a member of payloads`);
  }
  const values = memberAmounts(grouped.view, grouped.records, field);
  const says = grouped.firstOf(values.has);
  const of = (lead: number): readonly Amount[] => {
    const n = says(lead);
    return n === 0 ? NOTHING : values.of(n);
  };
  return { of, complete: values.complete };
}

/** Measures of one member share its numbers. @throws ServiceError VALIDATION_ERROR */
function measuring(grouped: Grouped, measures: readonly Measure[]): Measuring[] {
  const known = new Map<string | null, Numbers>([[null, { of: null, complete: true }]]);
  return measures.map((measure) => {
    const name = measure.op === 'count' ? null : measure.of;
    const { of, complete } = known.get(name) ?? numbersOf(grouped, name ?? '');
    known.set(name, { of, complete });
    return { measure, of, complete };
  });
}

/** Groups that one answer is made of: a single record may have thousands of values by which it is grouped. */
export const MOST_GROUPS = 100_000;

export class Group {
  count = 0;
  /** By their first record, where that is asked: what is in it. */
  readonly leads: number[] = [];
  readonly keys: readonly number[];
  readonly amounts: readonly (Amounts | null)[];

  constructor(keys: readonly number[], measures: readonly Measuring[]) {
    this.keys = keys;
    this.amounts = measures.map(({ measure, of }) => (of === null ? null : new Amounts(measure.op)));
  }

  add(measured: readonly (readonly Amount[])[]): void {
    this.count++;
    for (let i = 0; i < this.amounts.length; i++) this.amounts[i]?.add(measured[i] ?? []);
  }

  /** Takes what is in another group too. @returns false where it has to be added one by one: see Amounts */
  merge(other: Group): boolean {
    this.count += other.count;
    return this.amounts.every((amounts, at) => {
      const others = other.amounts[at];
      return amounts === null || others == null || amounts.merge(others);
    });
  }

  get measured(): GroupsAnswer['all'] {
    const counted = { amounts: [{ value: String(this.count), currency: null }], without: 0, more: 0 };
    return this.amounts.map((amounts) => amounts?.measured ?? counted);
  }
}

const asList = (keys: number | readonly number[]): readonly number[] =>
  typeof keys === 'number' ? [keys] : keys.length === 0 ? [0] : keys;

/** Groups by the numbers of one value or two. */
class GroupsOf {
  readonly all: Group[] = [];
  readonly #measures: readonly Measuring[];
  readonly #found: (Map<number, Group> | undefined)[] = [];

  constructor(measures: readonly Measuring[]) {
    this.#measures = measures;
  }

  at(one: number, other: number | null): Group {
    let row = this.#found[one];
    if (row === undefined) {
      row = new Map();
      this.#found[one] = row;
    }
    let group = row.get(other ?? 0);
    if (group === undefined) {
      if (this.all.length >= MOST_GROUPS) {
        const most = MOST_GROUPS.toLocaleString('en-US');
        throw new ServiceError(
          'VALIDATION_ERROR',
          `by: there are more than ${most} groups; search for less, or group by something else`,
        );
      }
      group = new Group(other === null ? [one] : [one, other], this.#measures);
      row.set(other ?? 0, group);
      this.all.push(group);
    }
    return group;
  }
}

function groupedOf(view: ContentView, { unit, records, of }: Pick<Grouped, 'unit' | 'records' | 'of'>): Grouped {
  const firstOf: Grouped['firstOf'] = (isMeant) => {
    if (unit === 'records') return (n) => (isMeant(n) ? n : 0);
    const firsts = actionsOf(view).firstOf((n) => records.has(n) && isMeant(n));
    return (lead) => firsts[lead] as number;
  };
  return { view, unit, records, of, firstOf };
}

interface Gathered {
  readonly all: Group;
  readonly groups: readonly Group[];
  readonly keys: readonly GroupKeys[];
  readonly complete: boolean;
}

/**
 * Puts what is counted into the group of each of its values, and measures all of them.
 * @param leads what is counted, each by its first record
 * @param keepsLeads whether groups keep what is in them
 * @throws ServiceError VALIDATION_ERROR
 */
function gather(
  grouped: Grouped,
  leads: Bits,
  { by, measures, zone = 'UTC' }: Pick<GroupsBody, 'by' | 'measures' | 'zone'>,
  keepsLeads = false,
): Gathered {
  const keys = by.map((each) => groupKeys(grouped, each, zone));
  const measured = measuring(grouped, measures);
  const groups = new GroupsOf(measured);
  const [first, second] = keys;
  // One list for all: there may be a million of what is counted.
  const values: (readonly Amount[])[] = measured.map(() => []);
  const valuesOf = (lead: number): readonly (readonly Amount[])[] => {
    for (let at = 0; at < measured.length; at++) values[at] = measured[at]?.of?.(lead) ?? NOTHING;
    return values;
  };
  const put = (group: Group, lead: number): void => {
    group.add(values);
    if (keepsLeads) group.leads.push(lead);
  };
  /** Whether each is in one group and no other. */
  let isOneEach = first !== undefined;
  leads.each((lead) => {
    if (first === undefined) return;
    valuesOf(lead);
    const one = first.of(lead);
    const other = second?.of(lead) ?? null;
    if (typeof one === 'number' && (other === null || typeof other === 'number')) {
      put(groups.at(one, other), lead);
      return;
    }
    isOneEach = false;
    // A record may have thousands of values of both: whoever asked may be gone meanwhile.
    for (const each of asList(one)) {
      grouped.view.mayRead();
      if (other === null) put(groups.at(each, null), lead);
      else for (const beside of asList(other)) put(groups.at(each, beside), lead);
    }
  });
  let all = new Group([], measured);
  if (!(isOneEach && groups.all.every((group) => all.merge(group)))) {
    all = new Group([], measured);
    leads.each((lead) => all.add(valuesOf(lead)));
  }
  return { all, groups: groups.all, keys, complete: [...keys, ...measured].every((each) => each.complete) };
}

/**
 * Groups what a search finds, and measures each group: counts, exact sums and the like of numbers in payloads. What has several values
 * is in the group of each.
 * @throws ServiceError VALIDATION_ERROR
 */
export function groupsOf(
  view: ContentView,
  { by, measures, order, limit, ...filter }: GroupsBody,
  { now }: { readonly now: number },
): GroupsAnswer {
  const { unit, zone } = filter;
  const found = view.find(queryOf(filter, now), 'newest', unit);
  const actions = actionsOf(view);
  const records = unit === 'actions' ? actions.all(found.records) : found.records;
  const grouped = groupedOf(view, { unit, records, of: unit === 'actions' ? actions.records : (n) => [n] });
  const { all, groups, keys, complete } = gather(grouped, found.records, { by, measures, zone });
  return {
    data: shownGroups(groups, keys, { order, limit }).map(({ row }) => row),
    total: found.records.count(),
    groups: groups.length,
    all: all.measured,
    coverage: coverageOf(view, { complete: complete && found.complete }),
  };
}

/**
 * What some records come to, with those of each group (protocol R46): of actions, as far as their records are among them.
 * @throws ServiceError VALIDATION_ERROR; CONFLICT where a record is not indexed, there is no time to read all of them, or more groups
 *   than a report has
 */
export function sumsOfRecords(
  view: ContentView,
  numbers: readonly number[],
  { unit, by, measure, zone }: ReportSumsBody,
): ReportSums {
  const records = new Bits(view.columns.size);
  for (const seqNo of numbers) {
    const n = view.withSeqNo(seqNo);
    if (n === null) throw new ServiceError('CONFLICT', `record ${seqNo} is not searchable yet: ask again in a moment`);
    records.add(n);
  }
  const actions = actionsOf(view);
  const inActions = (lead: number): number[] => [...actions.records(lead)].filter((n) => records.has(n));
  const grouped = groupedOf(view, { unit, records, of: unit === 'actions' ? inActions : (n) => [n] });
  const leads = unit === 'actions' ? actions.of(records) : records;
  const { all, groups, keys, complete } = gather(grouped, leads, { by, measures: [measure], zone }, true);
  if (!complete) throw new ServiceError('CONFLICT', 'the records are too large to be added up in the time there is');
  const shown =
    by.length === 0
      ? [{ group: withAll(all, leads), row: { keys: [] } }]
      : shownGroups(groups, keys, { order: orderOf(by), limit: MAX_SUMMED_GROUPS + 1 });
  if (shown.length > MAX_SUMMED_GROUPS) {
    throw new ServiceError('CONFLICT', `a report has at most ${MAX_SUMMED_GROUPS} groups: choose fewer records`);
  }
  return {
    unit,
    measure: measure.op,
    of: measure.op === 'count' ? null : measure.of,
    by,
    zone,
    groups: shown.map(({ group, row }) => ({
      keys: row.keys,
      ...summed(group),
      records: group.leads
        .flatMap((lead) => [...grouped.of(lead)])
        .map((n) => view.seqNo(n))
        .toSorted((a, b) => a - b),
    })),
    all: summed(all),
  };
}

function withAll(all: Group, leads: Bits): Group {
  leads.each((lead) => all.leads.push(lead));
  return all;
}

function summed({ measured: [measured] }: Group): Summed {
  if ((measured?.more ?? 0) > 0) {
    throw new ServiceError(
      'CONFLICT',
      `a report has at most ${MOST_CURRENCIES} currencies in a group: choose fewer records`,
    );
  }
  return { amounts: measured?.amounts ?? [], without: measured?.without ?? 0 };
}

/** Steps of time stand in their order, all else by what it comes to. */
function orderOf([first = '']: readonly string[]): GroupsBody['order'] {
  return isTimeStep(first) ? 'key' : 'value';
}

function compareTexts(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  for (let i = 0; i < a.length; i++) {
    const [x = null, y = null] = [a[i], b[i]];
    if (x === y) continue;
    if (x === null || y === null) return x === null ? 1 : -1;
    return x < y ? -1 : 1;
  }
  return 0;
}

interface ShownGroup {
  readonly group: Group;
  readonly row: GroupsAnswer['data'][number];
}

export function shownGroups(
  groups: readonly Group[],
  keys: readonly Pick<GroupKeys, 'text'>[],
  { order, limit }: Pick<GroupsBody, 'order' | 'limit'>,
): ShownGroup[] {
  const textsOf = (group: Group): (string | null)[] => group.keys.map((key, at) => keys[at]?.text(key) ?? null);
  const rowOf = (group: Group, texts: (string | null)[]): ShownGroup => ({
    group,
    row: { keys: texts, count: group.count, measures: group.measured },
  });
  if (order === 'key') {
    const named = groups.map((group) => ({ group, texts: textsOf(group) }));
    named.sort((a, b) => compareTexts(a.texts, b.texts));
    return named.slice(0, limit).map(({ group, texts }) => rowOf(group, texts));
  }
  const valued = groups.map((group) => ({ group, value: group.amounts[0]?.order ?? null }));
  const isCount = groups[0]?.amounts[0] === null;
  const byValue = (a: (typeof valued)[number], b: (typeof valued)[number]): number =>
    (isCount ? 0 : byAmount(a.value, b.value)) || b.group.count - a.group.count;
  valued.sort(byValue);
  // Of equal ones the order is that of their texts, which are read for those alone that may be shown.
  const last = valued[limit - 1];
  const shown = last === undefined ? valued : valued.filter((each) => byValue(each, last) <= 0);
  const named = shown.map((each) => ({ ...each, texts: textsOf(each.group) }));
  named.sort((a, b) => byValue(a, b) || compareTexts(a.texts, b.texts));
  return named.slice(0, limit).map(({ group, texts }) => rowOf(group, texts));
}
