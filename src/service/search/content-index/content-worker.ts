import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { serveRequests } from '../../../node/index.ts';
import { Catalog } from './catalog.ts';
import { LedgerSource } from './ledger-source.ts';
import { OpenJudges } from './shelf-judge.ts';
import { ShelfWriter, type Step } from './shelf-writer.ts';

/** What the thread is started with. */
export interface ContentWorkerData {
  readonly ledgerPath: string;
  /** The folder of the index's files. */
  readonly folder: string;
}

export type ContentJob =
  /** Organizations with records that are not indexed yet. */
  | { readonly kind: 'behind' }
  /** One step for an organization: erasures, then the next records. */
  | { readonly kind: 'step'; readonly orgId: string }
  /** Makes an organization's index again that turned out to be damaged. */
  | { readonly kind: 'clear'; readonly orgId: string };

export type ContentReply = { readonly behind: readonly string[] } | Step;

/** The thread beside the ledger's own that writes the content index. It never writes a row of the ledger. */
const { ledgerPath, folder } = workerData as ContentWorkerData;
const ledger = new Database(ledgerPath, { readonly: true, fileMustExist: true });
ledger.pragma('trusted_schema = OFF');
let catalog: Catalog | null = null;
const judges = new OpenJudges();

function behind(catalog: Catalog): string[] {
  const orgs = ledger.prepare('SELECT org_id FROM organizations').pluck().all() as string[];
  return orgs.filter((orgId) => {
    const source = new LedgerSource(ledger, orgId);
    const shelf = catalog.shelf(orgId);
    const { indexed_to = 0, judged_to = 0 } = shelf ?? {};
    return (
      source.last() > indexed_to || indexed_to > judged_to || source.erasedAfter(shelf?.erased_to ?? 0).ns.length > 0
    );
  });
}

serveRequests<ContentJob, ContentReply>(
  (job) => {
    catalog ??= Catalog.open(folder);
    if (job.kind === 'behind') return { behind: behind(catalog) };
    const writer = new ShelfWriter(catalog, folder, new LedgerSource(ledger, job.orgId), judges);
    if (job.kind === 'clear') writer.clear();
    return writer.step();
  },
  {
    onEnd: () => {
      judges.save();
      catalog?.close();
      ledger.close();
    },
  },
);
