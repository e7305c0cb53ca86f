import { isInRuns, mergeRuns, type NumberRun, parseRuns } from '../../../protocol/index.ts';
import type { Store } from '../../store/open.ts';

interface ErasureRow {
  readonly event_no: number;
  readonly action: 'operation.erase' | 'retention.erase';
  readonly target_id: string;
  readonly details: string;
}

/** The operations of an organization of which the administrative log says that their payload was erased. */
export class ErasedPayloads {
  readonly #store: Store;
  readonly #orgId: string;
  /** Erased one at a time. */
  readonly #operationIds = new Set<string>();
  /** Erased by sweeps: sequence numbers. */
  #swept: readonly NumberRun[] = [];
  #readTo = 0;

  constructor(store: Store, orgId: string) {
    this.#store = store;
    this.#orgId = orgId;
  }

  /** Asked of the log as it is now: a payload may be erased while the ledger is verified. */
  has(operationId: string, seqNo: number): boolean {
    const isErased = (): boolean => this.#operationIds.has(operationId) || isInRuns(this.#swept, seqNo);
    if (!isErased()) this.#readOn();
    return isErased();
  }

  #readOn(): void {
    const newer = this.#store.statement(
      `SELECT event_no, action, target_id, details FROM admin_events
       WHERE org_id = ? AND event_no > ? AND action IN ('operation.erase', 'retention.erase') ORDER BY event_no`,
    );
    const swept: NumberRun[] = [];
    for (const row of newer.iterate(this.#orgId, this.#readTo) as Iterable<ErasureRow>) {
      this.#readTo = row.event_no;
      if (row.action === 'operation.erase') this.#operationIds.add(row.target_id);
      else swept.push(...runsOf(row));
    }
    if (swept.length > 0) this.#swept = mergeRuns([...this.#swept, ...swept]);
  }
}

/** What an event says was erased; nothing where somebody wrote something else into the file, which its hash then tells. */
function runsOf({ details }: ErasureRow): NumberRun[] {
  try {
    return parseRuns(String((JSON.parse(details) as { readonly seq_no?: unknown }).seq_no));
  } catch {
    return [];
  }
}
