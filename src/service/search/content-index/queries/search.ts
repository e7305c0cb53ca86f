import type { AuditQueryRow, Coverage, FacetsAnswer, ListAnswer } from '../../../../api/index.ts';
import { listPage } from '../../../http/cursor.ts';
import { auditRow } from '../audit-row.ts';
import type { ContentView } from '../content-view.ts';
import type { Direction } from '../record-source.ts';
import { type ContentFilter, queryOf } from '../search-filter.ts';
import { facetsOf } from './facets.ts';
import { detailsOf, listRecords } from './list-records.ts';

export interface PageAsked {
  readonly order: Direction;
  readonly details: boolean;
  readonly place: number | null;
  readonly limit: number;
  /** When it was asked, in milliseconds since 1970. */
  readonly now: number;
}

/** A row of a list of operations. */
export function auditRowOf(view: ContentView, n: number, details: boolean): AuditQueryRow {
  const record = details ? view.record(n).record : view.source.record(n);
  if (record === null) throw new Error(`the content index names record ${n}, which is not there`);
  return { ...auditRow(record), ...(details && { details: detailsOf(view, n), ...view.given(record) }) };
}

/** A page of the operations that a filter means. @throws ServiceError VALIDATION_ERROR */
export function searchRecords(
  view: ContentView,
  filter: ContentFilter,
  { order, details, place, limit, now }: PageAsked,
): ListAnswer<AuditQueryRow> & { readonly coverage: Coverage } {
  const { ns, resume, coverage } = listRecords(view, queryOf(filter, now), { order, place, limit, unit: filter.unit });
  const rowOf = (n: number): AuditQueryRow => auditRowOf(view, n, details);
  return { ...listPage(ns, limit, (n) => n, rowOf, resume), coverage };
}

export function facetsOfFilter(
  view: ContentView,
  filter: ContentFilter,
  fields: readonly string[],
  values: number,
  now: number,
): FacetsAnswer {
  return facetsOf(view, queryOf(filter, now), { fields, values, unit: filter.unit });
}
