import type { CaseAuditRow, Coverage, ListAnswer } from '../../../api/index.ts';
import { hasCode } from '../../../protocol/light.ts';
import { listPage } from '../../http/cursor.ts';
import type { ContentView } from '../../search/content-index/content-view.ts';
import { listRecords } from '../../search/content-index/queries/list-records.ts';
import { auditRowOf, type PageAsked } from '../../search/content-index/queries/search.ts';
import { type ContentFilter, queryOf } from '../../search/content-index/search-filter.ts';
import { DAMAGED_CODE } from '../../search/content-index/segment-format.ts';
import type { OpenCase } from './open-case.ts';

/** Asks about what is in the records; an index that turns out to be damaged is made again first. */
export function askContents<T>(open: OpenCase, question: (view: ContentView) => T): T {
  try {
    return question(open.contents());
  } catch (error) {
    if (!hasCode(error, DAMAGED_CODE)) throw error;
    open.forgetContents();
    return question(open.contents());
  }
}

/** Where a page of a search ended: in a bad bundle a seq_no may stand twice. */
type SearchPlace = readonly [seqNo: number, n: number];

/** A page of the records of a case that a filter means. @throws ServiceError VALIDATION_ERROR */
export function searchContents(
  open: OpenCase,
  filter: ContentFilter,
  { place, ...asked }: Omit<PageAsked, 'place'> & { readonly place: SearchPlace | null },
): ListAnswer<CaseAuditRow> & { readonly coverage: Coverage } {
  return askContents(open, (view) => {
    const query = queryOf(filter, asked.now);
    const { ns, coverage } = listRecords(view, query, { ...asked, place: place?.[1] ?? null, unit: filter.unit });
    const page = listPage(ns, asked.limit, (n) => [view.seqNo(n), n]);
    const data = page.data.map((n) => {
      const row = auditRowOf(view, n, asked.details);
      return { ...row, ...open.given(row.operation_id), findings: open.findingsAt(row.seq_no) };
    });
    return { ...page, data, coverage };
  });
}
