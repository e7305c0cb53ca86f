import { RunBuilder, runsText } from '../../../protocol/index.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import type { ErasedOperation } from '../../ledger/operations/erase-payload.ts';
import { eraseStored } from '../../ledger/operations/erase-stored.ts';
import { eq } from '../../store/drizzle.ts';
import type { WritableStore } from '../../store/open.ts';
import { retentionSweeps } from '../../store/schema.ts';
import { examine } from './examine.ts';
import type { Holds } from './holds.ts';
import { rulesDigest, rulesOf } from './stored-rules.ts';
import { planOf, type SweepRow, tallyOf } from './sweep-row.ts';

/** What one transaction of a sweep did. */
export interface SweepStep {
  readonly erased: readonly ErasedOperation[];
  /** Whether the sweep has nothing more to erase: it came to its end, was stopped, or its rules are no longer in force. */
  readonly isOver: boolean;
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
  const { position, tally } = examine(store, step, ({ record: { head }, isSalted }) => {
    eraseStored(store, head, isSalted ? {} : null);
    const { seqNo, agentId, receivedAt } = head;
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
