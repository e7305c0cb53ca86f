import type { Disclosures } from '../../../protocol/index.ts';
import type { WritableStore } from '../../store/open.ts';
import type { OperationRow } from '../../store/schema.ts';
import { giveRoomBack } from '../record-room.ts';
import { overwriteDisclosures } from './disclosures-table.ts';

/**
 * Erases what is stored of a record's payload, and gives the room it took back to its agent and its organization. What is left in the
 * row is what its hash, its chain and its proofs need. To be called in the transaction of the event that tells of it.
 * @param left the disclosures that stay; null erases the payload itself, as for one that is not salted
 */
export function eraseStored(
  store: WritableStore,
  row: Pick<OperationRow, 'orgId' | 'seqNo' | 'agentId' | 'disclosuresNo'>,
  left: Disclosures | null,
): void {
  const { orgId, seqNo, disclosuresNo } = row;
  if (left !== null && disclosuresNo !== null) {
    giveRoomBack(store, row, overwriteDisclosures(store, disclosuresNo, left));
    return;
  }
  const size = store.statement('SELECT octet_length(payload) FROM operations WHERE org_id = ? AND seq_no = ?').pluck();
  const bytes = size.get(orgId, seqNo);
  if (typeof bytes !== 'number') throw new Error(`record ${seqNo} has no payload to erase`);
  store.statement('UPDATE operations SET payload = NULL WHERE org_id = ? AND seq_no = ?').run(orgId, seqNo);
  giveRoomBack(store, row, bytes);
}
