import type { Store } from '../../store/open.ts';

/** The operations of an organization of which the administrative log says that their payload was erased. */
export class ErasedPayloads {
  readonly #store: Store;
  readonly #orgId: string;
  readonly #operationIds = new Set<string>();
  #readTo = 0;

  constructor(store: Store, orgId: string) {
    this.#store = store;
    this.#orgId = orgId;
  }

  /** Asked of the log as it is now: a payload may be erased while the ledger is verified. */
  has(operationId: string): boolean {
    if (!this.#operationIds.has(operationId)) this.#readOn();
    return this.#operationIds.has(operationId);
  }

  #readOn(): void {
    const newer = this.#store.statement(
      `SELECT event_no, target_id FROM admin_events
       WHERE org_id = ? AND event_no > ? AND action = 'operation.erase' ORDER BY event_no`,
    );
    for (const row of newer.iterate(this.#orgId, this.#readTo) as Iterable<{ event_no: number; target_id: string }>) {
      this.#readTo = row.event_no;
      this.#operationIds.add(row.target_id);
    }
  }
}
