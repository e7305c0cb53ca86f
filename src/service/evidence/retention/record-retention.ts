import type { RecordRetention } from '../../../api/index.ts';
import { DAY_MS, formatTime } from '../../../protocol/index.ts';
import { findOperation, type OperationSource } from '../../ledger/operations/operation-queries.ts';
import type { Holds } from './holds.ts';
import { RecordTexts } from './record-texts.ts';
import { decidingRule } from './rules.ts';
import { rulesOf } from './stored-rules.ts';

/** The latest time that is shown: days beyond it are for good. */
const LATEST = Date.UTC(9999, 11, 31);

function timeAfter(receivedAt: number, days: number): string | null {
  const time = receivedAt + days * DAY_MS;
  return time > LATEST ? null : formatTime(time);
}

/**
 * How long the payload of one record is kept: by which rule, until when, and what holds it.
 * @throws ServiceError NOT_FOUND
 */
export function describeRetention(
  source: OperationSource,
  holds: Holds,
  { orgId, operationId, now }: { readonly orgId: string; readonly operationId: string; readonly now: number },
): RecordRetention {
  const { store } = source;
  const head = findOperation(source, orgId, operationId);
  const record = new RecordTexts(store, head);
  const rules = rulesOf(store, orgId);
  const rule = rules[decidingRule(rules, record)];
  const over = holds.over(store, record);
  const isErased = record.state === 'erased';
  const ceiling = rule?.ceiling_days ?? null;
  const isDue = ceiling !== null && head.receivedAt + Math.max(ceiling, rule?.floor_days ?? 0) * DAY_MS < now;
  return {
    operation_id: head.operationId,
    seq_no: head.seqNo,
    state: isErased ? 'erased' : over.length > 0 ? 'held' : isDue ? 'due' : 'kept',
    rule: rule?.name ?? null,
    not_before: rule === undefined ? null : timeAfter(head.receivedAt, rule.floor_days),
    due_at: ceiling === null ? null : timeAfter(head.receivedAt, ceiling),
    holds: over.map(({ holdId, kind, placedAt }) => ({ hold_id: holdId, kind, placed_at: formatTime(placedAt) })),
  };
}
