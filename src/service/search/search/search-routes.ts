import { listPage } from '../../http/cursor.ts';
import { type Handlers, readerOf } from '../../http/handler.ts';
import type { OperationIndex } from '../../ledger/operation-index/operation-index.ts';
import type { ContentQuestions } from '../content-index/queries/content-queries.ts';
import { counterOfQuery } from './content-counter.ts';
import { counterWithout } from './excluding.ts';
import { countOverTime } from './histogram.ts';
import { listOperations, readSeqCursor } from './search-queries.ts';

interface SearchDeps {
  readonly index: OperationIndex;
  readonly content: ContentQuestions;
  readonly now: () => number;
}

export function auditRoutes({
  index,
  content,
  now,
}: SearchDeps): Pick<Handlers, 'auditQuery' | 'auditHistogram' | 'facets' | 'names'> {
  return {
    auditHistogram: async ({ query: { without = [], query, zone, ...filter }, caller, signal }) => ({
      body:
        query === undefined
          ? await countOverTime(counterWithout(index, without), caller.orgId, filter)
          : await countOverTime(
              counterOfQuery(content, { ...filter, without, query, zone }, now(), signal()),
              caller.orgId,
              filter,
            ),
    }),
    facets: async ({ body: { fields, values, ...filter }, ...call }) => ({
      body: await content.ask(readerOf(call), 'facets', filter, fields, values, now()),
    }),
    names: async (call) => ({ body: await content.ask(readerOf(call), 'names', call.body) }),
    auditQuery: async ({ body: { cursor, limit, order, details = false, ...given }, ...call }) => {
      const by = readerOf(call);
      const { query, zone: _, without, beforeSeq, ...filter } = given;
      // What the rows themselves can be asked has no need of their payloads' index, and sees the newest at once.
      if (query !== undefined || without !== undefined || order === 'oldest') {
        const asked = { order: order ?? 'newest', details, place: readSeqCursor(cursor), limit, now: now() };
        return { body: await content.ask(by, 'search', given, asked) };
      }
      const rows = listOperations(index, by.orgId, filter, readSeqCursor(cursor) ?? beforeSeq ?? null, limit + 1);
      const page = listPage(rows, limit, ({ seq_no }) => seq_no);
      if (!details) return { body: page };
      const seqNos = page.data.map(({ seq_no }) => seq_no);
      const read = await content.askNow(by, 'details', seqNos);
      const data = page.data.map((row, place) => {
        const ofRow = read.details[place];
        return ofRow === undefined ? row : { ...row, ...ofRow };
      });
      return { body: { ...page, data, coverage: read.coverage } };
    },
  };
}
