import type { Query } from '../../../actions/index.ts';
import type { ActionsAnswer } from '../../../api/index.ts';
import { listPage } from '../../http/cursor.ts';
import type { ContentView } from '../content-index/content-view.ts';
import type { Page } from '../content-index/found.ts';
import { coverageOf, sortedPage } from '../content-index/queries/list-records.ts';
import { rowOfAction } from './action-row.ts';

/** Actions that a query means, behind a place in the order of their first records. */
export function listActions(
  view: ContentView,
  query: Query,
  { contents, ...page }: Page & { readonly contents: boolean },
): ActionsAnswer {
  const pageOf = (ns: readonly number[]) =>
    listPage(
      ns,
      page.limit,
      (n) => n,
      (n) => rowOfAction(view, n, contents),
    );
  if (view.isInOrder) {
    const { ns, total, complete } = view.actionsPage(query, page);
    return { ...pageOf(ns), total, coverage: coverageOf(view, { complete }) };
  }
  const found = view.find(query, page.order, 'actions');
  const total = found.complete ? found.records.count() : null;
  return { ...pageOf(sortedPage(view, found.records, page)), total, coverage: coverageOf(view, found) };
}
