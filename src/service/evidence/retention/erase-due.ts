import { RunBuilder, runsText } from '../../../protocol/index.ts';
import { recordAdminEvent } from '../../admin-log/admin-events.ts';
import { overwriteDisclosures } from '../../ledger/operations/disclosures-table.ts';
import type { ErasedOperation } from '../../ledger/operations/erase-payload.ts';
import { eq } from '../../store/drizzle.ts';
import type { WritableStore } from '../../store/open.ts';
import { retentionSweeps } from '../../store/schema.ts';
import { type DueRecord, examine } from './examine.ts';
import type { Holds } from './holds.ts';
import { rulesDigest, rulesOf } from './stored-rules.ts';
import { planOf, type SweepRow, tallyOf } from './sweep-row.ts';

/** What one transaction of a sweep did. */
export interface SweepStep {
  readonly erased: readonly ErasedOperation[];
  /** Whether the sweep has nothing more to erase: it came to its end, was stopped, or its rules are no longer in force. */
  readonly isOver: boolean;
}

/** Erases payload, or salts and members, of one record. What is left in the row is what its hash, its chain and its proofs need. */
function erase(store: WritableStore, { record: { head }, isSalted }: DueRecord): void {
  if (isSalted && head.disclosuresNo !== null) overwriteDisclosures(store, head.disclosuresNo, {});
  else
    store.statement('UPDATE operations SET payload = NULL WHERE org_id = ? AND seq_no = ?').run(head.orgId, head.seqNo);
}

/**
 * One transaction of a sweep, of bounded size. It reads the holds itself: one that was placed since the transaction before it
 * counts. Erased payloads go with the event that names them and with the position from which the next transaction continues: a
 * crash before the commit leaves the records as they were, one after it a sweep that continues behind them.
 */
export function eraseDue(store: WritableStore, holds: Holds, row: SweepRow, now: number): SweepStep {
  const { sweepId, orgId, begunBy } = row;
  if (row.stoppedBecause !== null) return { erased: [], isOver: true };
  if (rulesDigest(rulesOf(store, orgId)) !== row.rulesDigest) {
    store.db
      .update(retentionSweeps)
      .set({ stoppedBecause: 'rules_changed' })
      .where(eq(retentionSweeps.sweepId, sweepId))
      .run();
    return { erased: [], isOver: true };
  }
  const erased: ErasedOperation[] = [];
  const runs = new RunBuilder();
  const step = { ...row, plan: planOf(row), holds: holds.active(store, orgId), tally: tallyOf(row) };
  const { position, tally } = examine(store, step, (due) => {
    erase(store, due);
    const { seqNo, agentId, receivedAt } = due.record.head;
    erased.push({ orgId, seqNo, agentId, receivedAt });
    runs.add(seqNo);
  });
  if (erased.length > 0) {
    const details = { seq_no: runsText(runs.runs), records: erased.length };
    const target = { targetType: 'retention_sweep', targetId: sweepId, details };
    recordAdminEvent(store, { orgId, actor: begunBy, action: 'retention.erase', ...target }, now);
  }
  store.db
    .update(retentionSweeps)
    .set({ position, tally: JSON.stringify(tally) })
    .where(eq(retentionSweeps.sweepId, sweepId))
    .run();
  return { erased, isOver: position >= row.toSeqNo };
}
