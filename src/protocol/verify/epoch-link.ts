import type { Epoch } from '../statements/epoch.ts';
import { parseTime } from '../time.ts';
import type { FindingLog } from './finding-log.ts';
import type { FindingPlace } from './report.ts';

/** An epoch that another follows. */
interface PreviousEpoch {
  readonly epoch: Epoch;
  readonly hash: string;
  /** end_time in milliseconds. */
  readonly endsAt: number;
}

/** Where an epoch is. */
export function place(epoch: Epoch): FindingPlace {
  return { epoch_id: epoch.epoch_id, epoch_no: epoch.epoch_no };
}

/** An epoch by itself, and how it follows the one before it. */
export function checkEpochLink(epoch: Epoch, previous: PreviousEpoch | undefined, log: FindingLog): void {
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
  if (previous !== undefined && parseTime(epoch.start_time) < previous.endsAt) {
    log.add('TIME_ORDER', { where, message: 'The epoch begins before the end of the one before it.' });
  }
  const expectedHash = previous?.hash ?? (epoch.epoch_no === 1 ? null : undefined);
  const expectedNumber = previous === undefined ? epoch.epoch_no : previous.epoch.epoch_no + 1;
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
  const expectedFirst = previous === undefined ? undefined : previous.epoch.last_seq_no + 1;
  if (expectedFirst !== undefined && epoch.first_seq_no !== expectedFirst) {
    log.add('EPOCH_GAP', {
      where,
      expected: String(expectedFirst),
      actual: String(epoch.first_seq_no),
      message: 'The epoch does not begin where the one before it ended.',
    });
  }
}
