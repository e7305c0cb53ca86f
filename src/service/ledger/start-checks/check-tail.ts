import { nodeCrypto } from '../../../node/index.ts';
import { StrictVerifier } from '../../../protocol/index.ts';
import { desc, eq, sql } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { operations, organizations } from '../../store/schema.ts';
import { isCorrupt, sqliteErrorOf } from '../../store/sqlite-errors.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import { keyLineage } from '../keys/key-lineage.ts';
import type { Damage } from './damage.ts';
import { examineAdminTail } from './tail-admin-events.ts';
import { examineAgentHeads } from './tail-agents.ts';
import { examineEpochTail } from './tail-epochs.ts';
import { readRecordTail, type TailReader } from './tail-records.ts';

/** Records looked at in all, whatever the ledger's size and however many organizations there are. */
const RECORDS = 2000;

/** The fewest and the most of one organization. */
const MIN_DEPTH = 20;
const MAX_DEPTH = 1000;

/** The organizations with the newest records, as many as the start has time for. */
function newestOrganizations({ db }: Store): string[] {
  const newest = db
    .select({ receivedAt: operations.receivedAt })
    .from(operations)
    .where(eq(operations.orgId, organizations.orgId))
    .orderBy(desc(operations.seqNo))
    .limit(1);
  return db
    .select({ orgId: organizations.orgId })
    .from(organizations)
    .orderBy(sql`(${newest}) DESC NULLS LAST`, organizations.orgId)
    .limit(RECORDS / MIN_DEPTH)
    .all()
    .map(({ orgId }) => orgId);
}

/**
 * Checks the newest part of the ledger, where a damaged disk, a restored file or a meddling hand is met first and where the
 * service continues: records, agents' heads, epochs, the open epoch, administrative log. It takes a bounded time whatever the
 * ledger's size; the whole of it is the work of `countersign verify`.
 * @returns what is damaged, nothing where the tail is sound
 */
export async function checkLedgerTail(store: Store, key: KeyHolder): Promise<Damage[]> {
  const reader: TailReader = { store, keys: keyLineage(store, key), verifier: new StrictVerifier(nodeCrypto) };
  const orgIds = newestOrganizations(store);
  const depth = Math.min(MAX_DEPTH, Math.floor(RECORDS / Math.max(1, orgIds.length)));
  const damages: Damage[] = [];
  for (const orgId of orgIds) {
    try {
      const tail = await readRecordTail(reader, orgId, depth);
      damages.push(
        ...tail.damages,
        ...(await examineEpochTail(reader, orgId, tail.lastSeqNo)),
        ...examineAgentHeads(store, orgId, tail, depth),
        ...examineAdminTail(store, orgId),
      );
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      const message = `is damaged (${sqliteErrorOf(error)?.message})`;
      damages.push({ orgId, place: 'the database file', message });
    }
  }
  return damages;
}
