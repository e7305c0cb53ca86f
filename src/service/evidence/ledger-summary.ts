import type { LedgerSummary } from '../../api/index.ts';
import { formatTime } from '../../protocol/index.ts';
import { correctedTimesOf } from '../ledger/admin-log/clock-corrections.ts';
import { resemblesHome } from '../people/organizations/home.ts';
import { sql } from '../store/drizzle.ts';
import type { Store } from '../store/open.ts';

/** An organization's ledger in figures: a few look-ups at the ends of indexes, however large it is. */
export function summarize(store: Store, orgId: string): LedgerSummary {
  const { db } = store;
  const { name } = db.get<{ name: string }>(sql`SELECT name FROM organizations WHERE org_id = ${orgId}`);
  const { records } = db.get<{ records: number }>(
    sql`SELECT coalesce(max(seq_no), 0) AS records FROM operations WHERE org_id = ${orgId}`,
  );
  const { epochs, sealed } = db.get<{ epochs: number; sealed: number }>(
    sql`SELECT coalesce(max(epoch_no), 0) AS epochs, coalesce(max(last_seq_no), 0) AS sealed
        FROM epochs WHERE org_id = ${orgId}`,
  );
  const oldest = db.get<{ receivedAt: number } | undefined>(
    sql`SELECT received_at AS receivedAt FROM operations WHERE org_id = ${orgId} AND seq_no = ${sealed + 1}`,
  );
  const agents = db.get<LedgerSummary['agents']>(
    sql`SELECT count(*) FILTER (WHERE deleted_at IS NULL AND status = 'active') AS active,
               count(*) FILTER (WHERE deleted_at IS NULL AND status = 'frozen') AS frozen,
               count(*) FILTER (WHERE deleted_at IS NOT NULL) AS deleted
        FROM agents WHERE org_id = ${orgId}`,
  );
  return {
    org: { org_id: orgId, name },
    records,
    unsealed: {
      count: Math.max(0, records - sealed),
      oldest_received_at: oldest === undefined ? null : formatTime(oldest.receivedAt),
    },
    epochs,
    agents,
    resembles_home: resemblesHome(store, orgId, name),
    corrected_times: correctedTimesOf(store, orgId),
  };
}
