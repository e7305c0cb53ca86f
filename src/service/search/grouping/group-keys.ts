import { isFieldWith, isTimeStep, parseField, type TimeStep, timeStep } from '../../../actions/index.ts';
import type { Unit } from '../../../api/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Bits } from '../content-index/bits.ts';
import type { CategoryName } from '../content-index/columns.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { actionsByOutcome, actionsOf, begunOfActions } from '../content-index/indexed-actions.ts';
import { sayingRecords } from '../content-index/joined-values.ts';
import { ownFields } from '../content-index/record-content.ts';
import { memberTexts } from './member-values.ts';

/** What is grouped: records, or actions, each by its first record. */
export interface Grouped {
  readonly view: ContentView;
  readonly unit: Unit;
  /** All records that are counted, or whose actions are. */
  readonly records: Bits;
  /** The records of what is counted, in order. */
  readonly of: (lead: number) => Iterable<number>;
  /** The first of them that is meant; 0 where none is. */
  readonly firstOf: (isMeant: (n: number) => boolean) => (lead: number) => number;
}

/** What something is grouped by: a number for each value, 0 for none. */
export interface GroupKeys {
  readonly of: (lead: number) => number | readonly number[];
  readonly text: (key: number) => string | null;
  readonly complete: boolean;
}

/** Numbers for texts that are made while grouping. */
export class Keys {
  readonly #texts: (string | null)[] = [null];
  readonly #known = new Map<string, number>();

  id(text: string): number {
    let id = this.#known.get(text);
    if (id === undefined) {
      id = this.#texts.push(text) - 1;
      this.#known.set(text, id);
    }
    return id;
  }

  readonly text = (id: number): string | null => this.#texts[id] ?? null;
}

/** Offsets of zones change at whole quarters of an hour: what a step is called is worked out once for each. */
export const QUARTER_MS = 900_000;

/** When something began: of an action the earliest time that its records say, as far as they are counted. */
export function begunAt({ view, unit, of }: Grouped): (lead: number) => number {
  const issued = view.columns.number('issued');
  const isWhole = unit === 'actions' && of === actionsOf(view).records;
  const all = unit === 'records' ? issued : isWhole ? begunOfActions(view) : null;
  if (all !== null) return (lead) => all[lead] ?? 0;
  return (lead) => {
    let first = issued[lead] ?? 0;
    for (const n of of(lead)) first = Math.min(first, issued[n] ?? first);
    return first;
  };
}

function timeKeys(grouped: Grouped, step: TimeStep, zone: string): GroupKeys {
  const keys = new Keys();
  const begun = begunAt(grouped);
  const known = new Map<number, number>();
  return {
    of: (lead) => {
      const quarter = Math.floor(begun(lead) / QUARTER_MS);
      let id = known.get(quarter);
      if (id === undefined) {
        id = keys.id(timeStep(quarter * QUARTER_MS, step, zone));
        known.set(quarter, id);
      }
      return id;
    },
    text: keys.text,
    complete: true,
  };
}

/** In the place of a value: that there are several. */
const SEVERAL = -1;

/** What records say, or all records of each action, as a search and the counts of values next to it find them. */
function saidBy({ view, unit, records, of }: Grouped, says: GroupKeys['of']): GroupKeys['of'] {
  if (unit === 'records') return says;
  const { leadOf } = actionsOf(view);
  const ids = new Int32Array(records.size);
  records.each((n) => {
    const said = says(n);
    if (said === 0) return;
    const id = typeof said === 'number' ? said : SEVERAL;
    const lead = leadOf(n);
    if (ids[lead] === 0) ids[lead] = id;
    else if (ids[lead] !== id) ids[lead] = SEVERAL;
  });
  return (lead) => {
    const id = ids[lead] as number;
    if (id !== SEVERAL) return id;
    const all = new Set([...of(lead)].filter((n) => records.has(n)).flatMap(says));
    all.delete(0);
    return [...all];
  };
}

function categoryKeys(grouped: Grouped, name: CategoryName): GroupKeys {
  const { view } = grouped;
  const { ids } = view.category(name);
  return {
    of: saidBy(grouped, (n) => ids[n] as number),
    text: (id) => view.text(name, id),
    complete: true,
  };
}

function hostKeys({ view, of }: Grouped): GroupKeys {
  const { starts, ids, digests, firsts } = view.columns.list('host');
  const says = sayingRecords(view)('host');
  return {
    of: (lead) => {
      const found = new Set<number>();
      for (const n of of(lead)) {
        const from = says === null ? n : (says[n] ?? n);
        for (let at = starts[from] ?? 0; at < (starts[from + 1] ?? 0); at++) found.add(ids[at] ?? 0);
      }
      return [...found];
    },
    text: (id) => {
      if (id === 0) return null;
      const hosts = ownFields(view.record(firsts[id] ?? 0)).host;
      return hosts.find((host) => view.reader.names.digest(host) === digests[id]) ?? null;
    },
    complete: true,
  };
}

function fewKeys({ view, unit }: Grouped, name: 'outcome' | 'mark' | 'tag' | 'bookmarked'): GroupKeys {
  const keys = new Keys();
  const isOfActions = unit === 'actions' && name === 'outcome';
  const having = Array.from(isOfActions ? actionsByOutcome(view) : view.few(name), ([value, records]) => ({
    id: keys.id(value),
    records: unit === 'actions' ? actionsOf(view).of(records) : records,
  }));
  return {
    of: (lead) => having.filter(({ records }) => records.has(lead)).map(({ id }) => id),
    text: keys.text,
    complete: true,
  };
}

function memberKeys(grouped: Grouped, by: string): GroupKeys {
  const { view, records } = grouped;
  const field = parseField(by);
  if (field === undefined || field.of !== 'payload') {
    throw new ServiceError(
      'VALIDATION_ERROR',
      `by: "${by}" is no step of time, no field that has groups and no member`,
    );
  }
  const { of, text, complete } = memberTexts(view, records, field);
  return { of: saidBy(grouped, of), text, complete };
}

/** How what is grouped is told apart. @throws ServiceError VALIDATION_ERROR */
export function groupKeys(grouped: Grouped, by: string, zone: string): GroupKeys {
  if (isTimeStep(by)) return timeKeys(grouped, by, zone);
  if (isFieldWith(by, { few: true })) return fewKeys(grouped, by);
  if (isFieldWith(by, { column: 'category' })) return categoryKeys(grouped, by);
  if (isFieldWith(by, { column: 'list' })) return hostKeys(grouped);
  return memberKeys(grouped, by);
}
