import { randomUUID } from 'node:crypto';
import { formatTime } from '../../../protocol/index.ts';
import type { CurrentKey } from '../../ledger/keys/current-key.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ExportRow } from './export-rows.ts';
import { type ExportMeans, ExportThread } from './export-thread.ts';
import type { ExportTask } from './export-worker.ts';
import { NO_REDACTION, readWithholding } from './redaction.ts';
import type { WrittenBundle } from './write-bundle.ts';

export interface ExportMakerContext {
  readonly ledger: Ledger;
  readonly key: CurrentKey;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** The ledger's database. */
  readonly ledgerPath: string;
}

/** Makes the files of exports. Every record of a bundle is sealed (protocol §6), so each begins with the open epoch's seal. */
export class ExportMaker {
  readonly #context: ExportMakerContext;
  readonly #thread: ExportThread;

  constructor(context: ExportMakerContext) {
    this.#context = context;
    this.#thread = new ExportThread(context.ledgerPath, context.key);
  }

  /**
   * Makes what a job asks for.
   * @param path of the bundle; its name appears once all of it is on disk
   * @param reportPath of the report that takes its place; null for none
   * @throws what ExportThread.make throws
   */
  make(row: ExportRow, path: string, reportPath: string | null, means: ExportMeans): Promise<WrittenBundle> {
    const filter = { start_time: row.startTime, end_time: row.endTime, agent_id: row.agentId };
    const task = { orgId: row.orgId, path, reportPath, filter, ...readWithholding(row.redaction) };
    return this.#make(task, row.exportId, row.createdAt, means);
  }

  /** Makes a bundle of all that an organization's ledger holds. @throws what ExportThread.make throws */
  async makeWhole(orgId: string, path: string, signal: AbortSignal): Promise<void> {
    const filter = { start_time: '1970-01-01T00:00:00.000Z', end_time: '9999-12-31T23:59:59.999Z', agent_id: null };
    const task = { orgId, path, reportPath: null, filter, redaction: NO_REDACTION, adminEvents: 'all' } as const;
    await this.#make(task, randomUUID(), this.#context.now(), { signal });
  }

  async #make(
    task: Omit<ExportTask, 'logHead' | 'identity'>,
    exportId: string,
    askedAt: number,
    means: ExportMeans,
  ): Promise<WrittenBundle> {
    const head = await this.#context.ledger.sealNow(task.orgId);
    // Not before the newest record, even where the clock stepped back.
    const createdAt = formatTime(Math.max(askedAt, head.notBefore));
    const logHead = { seq_no: head.seqNo, epoch_no: head.epochNo };
    return this.#thread.make({ ...task, logHead, identity: { exportId, createdAt } }, means);
  }

  /** Once nothing is being made any more. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
