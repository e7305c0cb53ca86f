/** The thread that reads what is in the ledger's records: a question about a million of them takes a while, and the service keeps serving. */
import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { type RequestMeans, serveRequests } from '../../../node/index.ts';
import type { RowsOf } from '../../ledger/admin-log/read-admin-log.ts';
import { type Refusal, refusalOf } from '../../store/base/service-error.ts';
import { listActions } from '../actions/list-actions.ts';
import { contentPaths } from '../content-index/catalog.ts';
import { ContentView } from '../content-index/content-view.ts';
import { ledgerMarks } from '../content-index/ledger-marks.ts';
import { LedgerSource } from '../content-index/ledger-source.ts';
import { ShelfReader } from '../content-index/shelf-reader.ts';
import { whileFilesChange } from '../content-index/while-files-change.ts';
import { LEDGER_QUERIES, type LedgerQueryName } from './ledger-queries.ts';
import { ROW_QUERIES, type RowQuery } from './row-queries.ts';

export interface LedgerReadData {
  readonly ledgerPath: string;
  /** The folder of the content index. */
  readonly folder: string;
}

export type LedgerReadRequest =
  | {
      readonly kind: 'ask';
      readonly orgId: string;
      readonly query: LedgerQueryName;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'rows'; readonly orgId: string; readonly query: RowQuery; readonly args: readonly unknown[] }
  /** Reads what a first page is made of, where nothing of the organization was asked yet. */
  | { readonly kind: 'prepare'; readonly orgId: string }
  /** Lets go of files that are gone, of an organization of which something was erased. */
  | { readonly kind: 'refresh'; readonly orgId: string };

/** Organizations whose columns stay in memory. */
const MAX_OPEN = 8;

const { ledgerPath, folder } = workerData as LedgerReadData;
const ledger = new Database(ledgerPath, { readonly: true, fileMustExist: true });
ledger.pragma('trusted_schema = OFF');
const catalog = new Database(contentPaths(folder).catalog, { readonly: true, fileMustExist: true });
catalog.pragma('trusted_schema = OFF');
const views = new Map<string, ContentView>();

function viewOf(orgId: string): ContentView {
  const known = views.get(orgId);
  if (known !== undefined) return known;
  const [oldest] = views.keys();
  if (oldest !== undefined && views.size >= MAX_OPEN) {
    views.get(oldest)?.close();
    views.delete(oldest);
  }
  const reader = new ShelfReader(catalog, folder, orgId);
  const view = new ContentView(reader, new LedgerSource(ledger, orgId), ledgerMarks(ledger, orgId));
  views.set(orgId, view);
  return view;
}

function answer(request: LedgerReadRequest, { signal }: RequestMeans<never>): unknown {
  if (request.kind === 'refresh') {
    const view = views.get(request.orgId);
    if (view !== undefined) whileFilesChange(() => view.refresh());
    return undefined;
  }
  if (request.kind === 'prepare') {
    if (views.has(request.orgId)) return undefined;
    const view = viewOf(request.orgId);
    whileFilesChange(() => view.refresh(signal));
    listActions(view, { kind: 'all' }, { order: 'newest', place: null, limit: 1, contents: false });
    return undefined;
  }
  const { orgId, args } = request;
  if (request.kind === 'rows') {
    const read = ROW_QUERIES[request.query] as (of: RowsOf, ...rest: readonly unknown[]) => unknown;
    return read({ sqlite: ledger, orgId, signal }, ...args);
  }
  const { query } = request;
  const view = viewOf(orgId);
  const run = LEDGER_QUERIES[query] as (view: ContentView, ...rest: readonly unknown[]) => unknown;
  whileFilesChange(() => view.refresh(signal));
  return run(view, ...args);
}

serveRequests<LedgerReadRequest, unknown, never, Refusal>(answer, {
  refusalOf,
  onEnd: () => {
    for (const view of views.values()) view.close();
    catalog.close();
    ledger.close();
  },
});
