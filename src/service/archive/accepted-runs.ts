import { join } from 'node:path';
import { z } from 'zod';
import { openReadOnly } from '../store/open-read-only.ts';
import type { AcceptedRun } from './follow.ts';
import { ACCEPTANCE, ARCHIVE_AGENT } from './run-name.ts';

const count = z.int().min(1);

const acceptedRun: z.ZodType<AcceptedRun> = z.strictObject({
  kid: z.string(),
  org_id: z.string(),
  first_epoch_no: count,
  last_epoch_no: count,
  sha256: z.string(),
  records: count,
  last_seq_no: count,
  epoch_hash: z.string(),
  log_root: z.string(),
  admin_head_hash: z.string().nullable(),
  service_keys: z.array(z.string()),
});

/**
 * What a central node has accepted, by the records of its ledger, oldest first: there is no other memory of it.
 * @throws StartError where the ledger cannot be read; ZodError for a record that no central node wrote
 */
export function acceptedRuns(dataDir: string, orgId: string): AcceptedRun[] {
  const store = openReadOnly(join(dataDir, 'ledger.sqlite'));
  try {
    const rows = store.statement(
      `SELECT payload FROM operations WHERE org_id = ? AND agent_id = '${ARCHIVE_AGENT}' AND operation_type = '${ACCEPTANCE}'
         AND payload IS NOT NULL ORDER BY seq_no`,
    );
    return (rows.pluck().all(orgId) as string[]).map((payload) => acceptedRun.parse(JSON.parse(payload)));
  } finally {
    store.close();
  }
}
