import { randomUUID } from 'node:crypto';
import { formatTime, parseTime } from '../../../protocol/index.ts';
import { carriedInBundle } from '../../ledger/epochs/carried.ts';
import type { CurrentKey } from '../../ledger/keys/current-key.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { stampManifest } from '../../store/ledger-clock.ts';
import type { Store } from '../../store/open.ts';
import type { Writer } from '../../store/writer.ts';
import type { ExportRow } from './export-rows.ts';
import { type ExportMeans, ExportThread } from './export-thread.ts';
import type { ExportTask } from './export-worker.ts';
import { NO_REDACTION } from './redaction.ts';
import { runReceivedWithin } from './sequence-run.ts';
import { readWithholding } from './stored-withholding.ts';
import type { WrittenBundle } from './write-bundle.ts';

export interface ExportMakerContext {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly writer: Writer;
  readonly key: CurrentKey;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** The ledger's database. */
  readonly ledgerPath: string;
  /** Whether an organization is the home organization, whose exports wait for none of a guest. */
  readonly isHome: (orgId: string) => boolean;
}

/** Makes the files of exports. Every record of a bundle is sealed (protocol F135), so each begins with the open epoch's seal. */
export class ExportMaker {
  readonly #context: ExportMakerContext;
  readonly #threads: { readonly home: ExportThread; readonly guests: ExportThread };

  constructor(context: ExportMakerContext) {
    this.#context = context;
    const thread = () => new ExportThread(context.ledgerPath);
    this.#threads = { home: thread(), guests: thread() };
  }

  /**
   * Makes what a job asks for.
   * @param path of the bundle; its name appears once all of it is on disk
   * @param reportPath of the report that takes its place; null for none
   * @throws what ExportThread.begin throws, and what `written` fails with
   */
  make(row: ExportRow, path: string, reportPath: string | null, means: ExportMeans): Promise<WrittenBundle> {
    const filter = { start_time: row.startTime, end_time: row.endTime, agent_id: row.agentId };
    const details = row.details ?? undefined;
    const task = { orgId: row.orgId, path, reportPath, details, filter, ...readWithholding(row.redaction) };
    return this.#make(task, row.exportId, means);
  }

  /** Makes a bundle of all that an organization's ledger holds. @throws what ExportThread.begin throws, and what `written` fails with */
  async makeWhole(orgId: string, path: string, signal: AbortSignal): Promise<void> {
    const filter = { start_time: '1970-01-01T00:00:00.000Z', end_time: '9999-12-31T23:59:59.999Z', agent_id: null };
    const task = { orgId, path, reportPath: null, filter, redaction: NO_REDACTION, adminEvents: 'all' } as const;
    await this.#make(task, randomUUID(), { signal });
  }

  /**
   * Writes a bundle of one moment: in one task of the writer the ledger is sealed, the moment stamped, the key taken that
   * signs, and the thread holds the ledger as it is. So nothing in the bundle is later than `created_at`, and nothing that
   * is committed afterwards is earlier (protocol F135).
   */
  async #make(
    task: Omit<ExportTask, 'logHead' | 'identity' | 'carried'>,
    exportId: string,
    means: ExportMeans,
  ): Promise<WrittenBundle> {
    const { ledger, writer, key, now, store, isHome } = this.#context;
    const thread = this.#threads[isHome(task.orgId) ? 'home' : 'guests'];
    await thread.ready();
    const { written } = await ledger.sealThen(task.orgId, async (head) => {
      const createdAt = formatTime(await writer.commit((store) => stampManifest(store, task.orgId, now())));
      const logHead = { seq_no: head.seqNo, epoch_no: head.epochNo };
      const signer = key.ofThisMoment;
      const { start_time: start, end_time: end } = task.filter;
      const shown = runReceivedWithin(store, task.orgId, parseTime(start), parseTime(end), head.seqNo);
      const carried = await carriedInBundle(store, signer, task.orgId, head.seqNo, shown);
      return thread.begin({ ...task, logHead, carried, identity: { exportId, createdAt } }, signer, means);
    });
    return written;
  }

  /** Once nothing is being made any more. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#threads).map((thread) => thread.close()));
  }
}
