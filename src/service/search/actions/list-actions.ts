import type { Query } from '../../../actions/index.ts';
import type { ActionRow, Coverage } from '../../../api/index.ts';
import type { ContentView } from '../content-index/content-view.ts';
import type { Page } from '../content-index/found.ts';
import { coverageOf, sortedPage } from '../content-index/queries/list-records.ts';
import { rowOfAction } from './action-row.ts';

export interface ListedActions {
  /** Up to one more than the limit. */
  readonly actions: readonly { readonly row: ActionRow; readonly n: number }[];
  readonly total: number | null;
  readonly coverage: Coverage;
}

/** Actions that a query means, behind a place in the order of their first records. */
export function listActions(
  view: ContentView,
  query: Query,
  { contents, ...page }: Page & { readonly contents: boolean },
): ListedActions {
  const rows = (ns: readonly number[]): ListedActions['actions'] =>
    ns.map((n) => ({ row: rowOfAction(view, n, contents), n }));
  if (view.isInOrder) {
    const { ns, total, complete } = view.actionsPage(query, page);
    return { actions: rows(ns), total, coverage: coverageOf(view, { complete }) };
  }
  const found = view.find(query, page.order, 'actions');
  const ns = sortedPage(view, found.records, page);
  return { actions: rows(ns), total: found.complete ? found.records.count() : null, coverage: coverageOf(view, found) };
}
