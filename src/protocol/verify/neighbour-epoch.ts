import type { Neighbour } from '../bundle/edges.ts';
import type { Epoch } from '../statements/epoch.ts';
import { parseTime } from '../time.ts';
import type { LedgerOrder } from './ledger-order.ts';

export interface HashedEpoch {
  readonly epoch: Epoch;
  readonly hash: string;
}

/** Why no ledger could have a neighbour's epoch with this receipt in it; null where one could. */
export function epochProblem({ ear, epoch }: Neighbour): string | null {
  const isFirst = epoch.epoch_no === 1;
  if (isFirst !== (epoch.prev_epoch_hash === null) || isFirst !== (epoch.first_seq_no === 1)) {
    return 'the first epoch, and no other, has none before it and begins at number 1: its epoch does not';
  }
  if (epoch.first_seq_no < epoch.epoch_no) return 'its epoch begins at a lower number than that many epochs allow';
  if (epoch.last_seq_no - epoch.first_seq_no + 1 !== epoch.leaf_count) return 'its epoch has another leaf count';
  const received = parseTime(ear.server_received_at);
  if (received < parseTime(epoch.start_time) || received > parseTime(epoch.end_time)) {
    return 'it was not received while its epoch was open';
  }
  return ear.seq_no === epoch.first_seq_no && epoch.start_time !== ear.server_received_at
    ? 'its epoch does not begin with it, though it is the first receipt of it'
    : null;
}

/** Why two epochs cannot be of one ledger; null where they can, as far as they tell. */
export function misfit(one: HashedEpoch, other: HashedEpoch, order: LedgerOrder): string | null {
  const distance = Math.abs(one.epoch.epoch_no - other.epoch.epoch_no);
  if (distance === 0) return one.hash === other.hash ? null : 'its epoch is another one than that of the bundle';
  const [before, after] = one.epoch.epoch_no < other.epoch.epoch_no ? [one, other] : [other, one];
  if (before.epoch.epoch_id === after.epoch.epoch_id) return 'its epoch has the epoch_id of another';
  // Each epoch between the two seals a receipt at least.
  const earliest = before.epoch.last_seq_no + distance;
  const follows =
    distance === 1
      ? after.epoch.prev_epoch_hash === before.hash && after.epoch.first_seq_no === earliest
      : after.epoch.first_seq_no >= earliest;
  if (!follows) return 'its epoch is not linked with those of the bundle';
  return order.at('epoch_no', after.epoch.epoch_no, parseTime(after.epoch.start_time)) <
    order.at('epoch_no', before.epoch.epoch_no, parseTime(before.epoch.end_time))
    ? 'its epoch and one of the bundle overlap in time'
    : null;
}

/** The epochs of a bundle with those of its neighbours in their places, each number once. */
export function shownEpochs(
  epochs: readonly { readonly epoch: Epoch }[],
  { before, after }: { readonly before: Neighbour | null; readonly after: Neighbour | null },
): { readonly epoch: Epoch }[] {
  const numbers = new Set(epochs.map(({ epoch }) => epoch.epoch_no));
  const added = (side: Neighbour | null): { readonly epoch: Epoch }[] =>
    side === null || numbers.has(side.epoch.epoch_no) ? [] : [{ epoch: side.epoch }];
  const isOne = before?.epoch.epoch_no === after?.epoch.epoch_no;
  return [...added(before), ...epochs, ...(isOne ? [] : added(after))];
}
