import type { Epoch } from '../statements/epoch.ts';
import { parseTime } from '../time.ts';
import type { FindingLog } from './finding-log.ts';
import { LedgerOrder } from './ledger-order.ts';
import type { FindingPlace } from './report.ts';

/** An epoch that another follows. */
interface PreviousEpoch {
  readonly epoch: Epoch;
  readonly hash: string;
}

/** Where an epoch is. */
export function place(epoch: Epoch): FindingPlace {
  return { epoch_id: epoch.epoch_id, epoch_no: epoch.epoch_no };
}

/**
 * An epoch by itself, and how it follows the one before it.
 * @param options.picked whether others may lie between the two, as in a proof of records
 */
export function checkEpochLink(
  epoch: Epoch,
  previous: PreviousEpoch | undefined,
  log: FindingLog,
  { picked = false, order = new LedgerOrder() }: { readonly picked?: boolean; readonly order?: LedgerOrder } = {},
): void {
  const where = place(epoch);
  if (epoch.last_seq_no - epoch.first_seq_no + 1 !== epoch.leaf_count) {
    log.add('EPOCH_GAP', {
      where,
      expected: String(epoch.last_seq_no - epoch.first_seq_no + 1),
      actual: String(epoch.leaf_count),
      message: "The epoch's leaf count is not the length of its run of sequence numbers.",
    });
  }
  if (parseTime(epoch.end_time) < parseTime(epoch.start_time)) {
    log.add('TIME_ORDER', { where, message: 'The epoch ends before it begins.' });
  }
  const follows = (one: Epoch): boolean =>
    order.at('epoch_no', epoch.epoch_no, parseTime(epoch.start_time)) >=
    order.at('epoch_no', one.epoch_no, parseTime(one.end_time));
  if (previous !== undefined && !follows(previous.epoch)) {
    log.add('TIME_ORDER', { where, message: 'The epoch begins before the end of the one before it.' });
  }
  const isApart = picked && previous !== undefined && epoch.epoch_no > previous.epoch.epoch_no + 1;
  const linked = isApart ? undefined : previous;
  const expectedHash = linked?.hash ?? (epoch.epoch_no === 1 ? null : undefined);
  const expectedNumber = linked === undefined ? epoch.epoch_no : linked.epoch.epoch_no + 1;
  if (epoch.epoch_no !== expectedNumber || (expectedHash !== undefined && epoch.prev_epoch_hash !== expectedHash)) {
    log.add('EPOCH_CHAIN_BROKEN', {
      where,
      expected: `epoch ${expectedNumber} after ${expectedHash ?? 'no epoch'}`,
      actual: `epoch ${epoch.epoch_no} after ${epoch.prev_epoch_hash ?? 'no epoch'}`,
      message: 'The epoch does not refer to the epoch that stands before it.',
    });
  } else if (expectedHash === undefined && epoch.prev_epoch_hash === null) {
    log.add('EPOCH_CHAIN_BROKEN', { where, message: 'Only the first epoch may have none before it.' });
  }
  if (epoch.first_seq_no < epoch.epoch_no || (epoch.epoch_no === 1) !== (epoch.first_seq_no === 1)) {
    log.add('EPOCH_GAP', {
      where,
      expected: epoch.epoch_no === 1 ? '1' : `at least ${epoch.epoch_no}`,
      actual: String(epoch.first_seq_no),
      message: 'Each epoch before this one sealed at least one receipt, and the first of all sealed the first.',
    });
  }
  if (previous !== undefined) checkRun(epoch, previous.epoch, log, picked);
}

/** Whether an epoch's run has room for what lies between it and the one before it. */
function checkRun(epoch: Epoch, previous: Epoch, log: FindingLog, picked: boolean): void {
  const apart = picked ? epoch.epoch_no - previous.epoch_no : 1;
  // Where the numbers do not ascend, nothing tells how the runs should.
  if (apart < 1) return;
  const expected = previous.last_seq_no + apart;
  if (epoch.first_seq_no === expected || (apart > 1 && epoch.first_seq_no > expected)) return;
  log.add('EPOCH_GAP', {
    where: place(epoch),
    expected: `${apart > 1 ? 'at least ' : ''}${expected}`,
    actual: String(epoch.first_seq_no),
    message:
      apart > 1
        ? 'The epoch begins before the epochs between it and the one before it can have ended.'
        : 'The epoch does not begin where the one before it ended.',
  });
}
