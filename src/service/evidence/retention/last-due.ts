import { placeInRanges } from '../../ledger/admin-log/clock-corrections.ts';
import type { Store } from '../../store/open.ts';
import type { PlannedRule } from './rules.ts';

/**
 * The last record that any rule may have a sweep erase: the newest one received before the latest of their times. Times by which records lie
 * in ranges never decrease along the sequence numbers (protocol F103), so it is looked up in a few steps; one of the stretch of a wrong clock, whose
 * own time is later, is left to the sweep itself. @returns 0 where there is none
 */
export function lastDue(store: Store, orgId: string, plan: readonly PlannedRule[]): number {
  const { statement } = store;
  const placed = placeInRanges(store, orgId);
  const before = plan.reduce((latest, rule) => Math.max(latest, rule.before ?? 0), 0);
  const receivedAt = statement('SELECT received_at FROM operations WHERE org_id = ? AND seq_no = ?').pluck();
  let from = 0;
  let to = (statement('SELECT max(seq_no) FROM operations WHERE org_id = ?').pluck().get(orgId) as number | null) ?? 0;
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (placed(middle, receivedAt.get(orgId, middle) as number) < before) from = middle;
    else to = middle - 1;
  }
  return from;
}
