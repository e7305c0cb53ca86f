import { join } from 'node:path';
import { z } from 'zod';
import { openReadOnly } from '../store/open-read-only.ts';
import type { AcceptedRun } from './follow.ts';
import { ACCEPTANCE, ARCHIVE_AGENT, READERS, REPLACEMENT } from './run-name.ts';

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
  erased_at_event: count.nullable(),
  withheld: z.string(),
  replaces: z.string().nullable(),
});

/** Payloads of a central node's records of some types, oldest first. @throws StartError where the ledger cannot be read */
function payloadsOf(dataDir: string, orgId: string, ...types: readonly string[]): string[] {
  const store = openReadOnly(join(dataDir, 'ledger.sqlite'));
  try {
    const rows = store.statement(
      `SELECT payload FROM operations WHERE org_id = ? AND agent_id = '${ARCHIVE_AGENT}' AND operation_type IN (SELECT value FROM json_each(?))
         AND payload IS NOT NULL ORDER BY seq_no`,
    );
    return rows.pluck().all(orgId, JSON.stringify(types)) as string[];
  } finally {
    store.close();
  }
}

/**
 * What a central node has accepted, by the records of its ledger, oldest first: there is no other memory of it. Of a run that another took the place
 * of, the other is there, in its place.
 * @throws StartError where the ledger cannot be read; ZodError for a record that no central node wrote
 */
export function acceptedRuns(dataDir: string, orgId: string): AcceptedRun[] {
  const accepted = new Map<string, AcceptedRun>();
  for (const payload of payloadsOf(dataDir, orgId, ACCEPTANCE, REPLACEMENT)) {
    const run = acceptedRun.parse(JSON.parse(payload));
    accepted.set(JSON.stringify([run.kid, run.org_id, run.first_epoch_no]), run);
  }
  return [...accepted.values()];
}

/** Who reads which ledgers, as the newest record of it says; null where none does. */
export function lastReaders(dataDir: string, orgId: string): string | null {
  return payloadsOf(dataDir, orgId, READERS).at(-1) ?? null;
}
