import type {
  AuditQueryRow,
  CaseAuditQuery,
  CaseHistogramQuery,
  Coverage,
  Histogram,
  ListAnswer,
} from '../../../api/index.ts';
import { listPage } from '../../http/cursor.ts';
import type { OperationIndex } from '../../ledger/operation-index/operation-index.ts';
import type { ContentQuestions, Reader } from '../content-index/queries/content-queries.ts';
import { counterOfQuery } from './content-counter.ts';
import { counterWithout } from './excluding.ts';
import { countOverTime } from './histogram.ts';
import { listOperations, readSeqCursor } from './search-queries.ts';

export interface SearchDeps {
  readonly index: OperationIndex;
  readonly content: ContentQuestions;
  readonly now: () => number;
}

/** How many records of the live ledger a filter means, over time. @throws ServiceError VALIDATION_ERROR */
export function countLive(
  { index, content, now }: SearchDeps,
  by: { readonly orgId: string; readonly signal: AbortSignal },
  { without = [], query, zone, ...filter }: Omit<CaseHistogramQuery, 'tag'>,
): Promise<Histogram> {
  const counter =
    query === undefined
      ? counterWithout(index, without)
      : counterOfQuery(content, { ...filter, without, query, zone }, now(), by.signal);
  return countOverTime(counter, by.orgId, filter);
}

/** A page of the records of the live ledger that a filter means. @throws ServiceError VALIDATION_ERROR */
export async function searchLive(
  { index, content, now }: SearchDeps,
  by: Reader,
  { cursor, limit, order, details = false, ...given }: Omit<CaseAuditQuery, 'tag'>,
): Promise<ListAnswer<AuditQueryRow> & { readonly coverage?: Coverage }> {
  const { query, zone: _, without, beforeSeq, ...filter } = given;
  // What the rows themselves can be asked has no need of their payloads' index, and sees the newest at once.
  if (query !== undefined || without !== undefined || order === 'oldest') {
    const asked = { order: order ?? 'newest', details, place: readSeqCursor(cursor), limit, now: now() };
    return content.ask(by, 'search', given, asked);
  }
  const rows = listOperations(index, by.orgId, filter, readSeqCursor(cursor) ?? beforeSeq ?? null, limit + 1);
  const page = listPage(rows, limit, ({ seq_no }) => seq_no);
  if (!details) return page;
  const seqNos = page.data.map(({ seq_no }) => seq_no);
  const read = await content.askNow(by, 'details', seqNos);
  const data = page.data.map((row, place) => {
    const ofRow = read.details[place];
    return ofRow === undefined ? row : { ...row, ...ofRow };
  });
  return { ...page, data, coverage: read.coverage };
}
