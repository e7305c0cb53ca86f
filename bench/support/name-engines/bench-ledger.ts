import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Checkpointer } from '../../../src/service/store/checkpointer.ts';
import { type OpenStore, openStore } from '../../../src/service/store/open.ts';
import { type OperationRow, organizations } from '../../../src/service/store/schema.ts';
import { Writer } from '../../../src/service/store/writer.ts';
import { insertRows } from '../../../test/support/operation-rows.ts';
import { ORG } from './name-engine.ts';

/** A ledger as the service keeps it, file, writer and checkpoints, whose records are made up. */
export class BenchLedger {
  readonly path: string;
  readonly store: OpenStore;
  readonly #writer: Writer;
  #checkpointer: Checkpointer | null = null;
  #thread: Worker | null = null;

  constructor(folder: string) {
    this.path = join(folder, 'ledger.sqlite');
    this.store = openStore(this.path);
    // The rows' agents and keys are not there.
    this.store.sqlite.pragma('foreign_keys = OFF');
    this.store.db.insert(organizations).values({ orgId: ORG, name: 'Org', createdAt: 0 }).onConflictDoNothing().run();
    this.#writer = new Writer(this.store);
  }

  /** Checkpoints the ledger every 64 commits. @param inBackground does most of a checkpoint on another thread */
  checkpointBy(inBackground: () => Promise<void>): void {
    const onError = (error: unknown): void => {
      throw error;
    };
    this.#checkpointer = new Checkpointer({ writer: this.#writer, inBackground, onError });
  }

  /** Checkpoints databases on a thread that does nothing else. */
  checkpointOnThread(...paths: readonly string[]): void {
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: [this.path, ...paths],
    });
    this.#thread = worker;
    this.checkpointBy(
      () =>
        new Promise((resolve) => {
          worker.once('message', () => resolve());
          worker.postMessage('checkpoint');
        }),
    );
  }

  /** @param also runs in the same transaction */
  async commit(rows: readonly OperationRow[], also?: () => void): Promise<void> {
    await this.#writer.append(() =>
      this.#writer.commit(() => {
        insertRows(this, rows);
        also?.();
      }),
    );
    this.#checkpointer?.committed();
  }

  /** The records after a sequence number. */
  after(seqNo: number): OperationRow[] {
    return this.store.db.query.operations
      .findMany({ where: (row, { gt }) => gt(row.seqNo, seqNo), orderBy: (row) => row.seqNo })
      .sync();
  }

  async close(): Promise<void> {
    await this.#checkpointer?.close();
    if (this.#thread !== null) {
      const ended = new Promise((resolve) => this.#thread?.once('exit', resolve));
      this.#thread.postMessage('close');
      await ended;
    }
    this.store.close();
  }
}
