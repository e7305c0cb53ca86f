import type { LedgerHeads, OrgHeads } from './ledger-heads.ts';

/** A recorded head that the ledger does not have. */
export interface HeadDifference {
  readonly orgId: string;
  /** What and where, such as "record 17". */
  readonly place: string;
  /** The hash that was recorded. */
  readonly expected: string;
  /** The hash that stands there, or where the chain ends before it. */
  readonly found: string;
}

interface Place {
  readonly number: number;
  readonly hash: string;
}

function difference(orgId: string, name: string, recorded: Place | null, there: Place | null): HeadDifference[] {
  if (recorded === null) return [];
  if (there?.number === recorded.number && there.hash === recorded.hash) return [];
  const found =
    there === null
      ? 'nothing'
      : there.number === recorded.number
        ? there.hash
        : `nothing: the newest is ${name} ${there.number}`;
  return [{ orgId, place: `${name} ${recorded.number}`, expected: recorded.hash, found }];
}

/**
 * Looks for recorded heads in a ledger. That the ledger went on beyond them is as it should be.
 * @returns what is not there as recorded, nothing where the ledger was only added to
 */
export function compareHeads(ledger: LedgerHeads, recorded: readonly OrgHeads[]): HeadDifference[] {
  return recorded.flatMap(({ org_id: orgId, record, epoch, admin_event: event }) => {
    const there = ledger.upTo(orgId, record?.seq_no, epoch?.epoch_no, event?.event_no);
    const place = {
      record: (head: OrgHeads['record']) => head && { number: head.seq_no, hash: head.leaf_hash },
      epoch: (head: OrgHeads['epoch']) => head && { number: head.epoch_no, hash: head.epoch_hash },
      event: (head: OrgHeads['admin_event']) => head && { number: head.event_no, hash: head.event_hash },
    };
    return [
      ...difference(orgId, 'record', place.record(record), place.record(there.record)),
      ...difference(orgId, 'epoch', place.epoch(epoch), place.epoch(there.epoch)),
      ...difference(orgId, 'admin event', place.event(event), place.event(there.admin_event)),
    ];
  });
}
