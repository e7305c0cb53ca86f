import type { Store } from '../../store/open.ts';
import type { PlannedRule } from './rules.ts';

/**
 * The last record that any rule may have a sweep erase: the newest one received before the latest of their times. Times of receipt
 * never decrease along the sequence numbers (protocol §5), so it is looked up in a few steps. @returns 0 where there is none
 */
export function lastDue({ statement }: Store, orgId: string, plan: readonly PlannedRule[]): number {
  const before = plan.reduce((latest, rule) => Math.max(latest, rule.before ?? 0), 0);
  const receivedAt = statement('SELECT received_at FROM operations WHERE org_id = ? AND seq_no = ?').pluck();
  let from = 0;
  let to = (statement('SELECT max(seq_no) FROM operations WHERE org_id = ?').pluck().get(orgId) as number | null) ?? 0;
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if ((receivedAt.get(orgId, middle) as number) < before) from = middle;
    else to = middle - 1;
  }
  return from;
}
