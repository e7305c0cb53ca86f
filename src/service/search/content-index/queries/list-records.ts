import { detailsOfFields, type Query } from '../../../../actions/index.ts';
import type { Coverage, RowDetails, Unit } from '../../../../api/index.ts';
import type { Bits } from '../bits.ts';
import type { ContentView } from '../content-view.ts';
import type { Page } from '../found.ts';
import { isWithheld, ledgerOf } from '../record-content.ts';

/** How far an answer reaches. @param to the records up to this number were looked at */
export function coverageOf(
  view: ContentView,
  { complete, to = view.indexedTo }: { readonly complete: boolean; readonly to?: number } = { complete: true },
): Coverage {
  return { indexed_to: to, pending: Math.max(0, view.last - to), complete };
}

/** What a record's payload was read as; of one that the index does not have yet, what its payload alone says. */
export function detailsOf(view: ContentView, n: number): RowDetails {
  const read = view.record(n);
  const { facts } = read;
  const outcome = n <= view.indexedTo ? view.outcome(n) : facts.outcome;
  const marks = view.marks(n);
  return {
    ...detailsOfFields({ ...facts, ...ledgerOf(read.record), mark: marks }),
    summary: facts.summary,
    read_from: [...facts.sources],
    outcome,
    marks,
    withheld: isWithheld(read),
  };
}

export interface ListedRecords {
  /** Numbers of records, up to one more than the limit. */
  readonly ns: readonly number[];
  /** The record behind which the next page begins, where there was no time for a whole one. */
  readonly resume: number | null;
  readonly coverage: Coverage;
}

/** A page where the numbers of records say nothing of their order: only a bad bundle has its records so. */
export function sortedPage(view: ContentView, records: Bits, { order, place, limit }: Page): number[] {
  const seqNo = view.seqNos;
  const sign = order === 'newest' ? -1 : 1;
  const compare = (a: number, b: number): number => sign * (seqNo(a) - seqNo(b) || a - b);
  const ns: number[] = [];
  records.each((n) => {
    if (place === null || compare(place, n) < 0) ns.push(n);
  });
  return ns.sort(compare).slice(0, limit + 1);
}

/** Records that a query means, or all of the actions that it means, behind a place in the order. */
export function listRecords(
  view: ContentView,
  query: Query,
  { unit = 'records', ...page }: Page & { readonly unit?: Unit | undefined },
): ListedRecords {
  if (view.isInOrder && unit === 'records') {
    const { ns, resume, ...reached } = view.page(query, page);
    return { ns, resume, coverage: coverageOf(view, reached) };
  }
  const found = view.findRecords(query, unit, page.order);
  return { ns: sortedPage(view, found.records, page), resume: null, coverage: coverageOf(view, found) };
}
