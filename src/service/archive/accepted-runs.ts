import { join } from 'node:path';
import { z } from 'zod';
import { openReadOnly } from '../store/open-read-only.ts';
import { type LedgerDecision, parseDecision, parseRecall } from './decisions.ts';
import type { AcceptedRun } from './follow.ts';
import { ACCEPTANCE, ARCHIVE_AGENT, DECISION, KEEPERS, READERS, RECALL, REPLACEMENT, SWEPT } from './run-name.ts';

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
  decision_no: count.nullable().default(null),
  withheld: z.string(),
  replaces: z.string().nullable(),
  recalled: z.array(count).exactOptional(),
});

interface NodeRecord {
  readonly operationId: string;
  readonly payload: string;
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: number;
}

/** A central node's records of some types, oldest first. @throws StartError where the ledger cannot be read */
function recordsOf(dataDir: string, orgId: string, ...types: readonly string[]): NodeRecord[] {
  const store = openReadOnly(join(dataDir, 'ledger.sqlite'));
  try {
    const rows = store.statement(
      `SELECT operation_id AS operationId, payload, received_at AS receivedAt FROM operations WHERE org_id = ? AND agent_id = '${ARCHIVE_AGENT}' AND operation_type IN (SELECT value FROM json_each(?))
         AND payload IS NOT NULL ORDER BY seq_no`,
    );
    return rows.all(orgId, JSON.stringify(types)) as NodeRecord[];
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
  for (const { payload } of recordsOf(dataDir, orgId, ACCEPTANCE, REPLACEMENT)) {
    const run = acceptedRun.parse(JSON.parse(payload));
    accepted.set(JSON.stringify([run.kid, run.org_id, run.first_epoch_no]), run);
  }
  return [...accepted.values()];
}

/** Who reads which ledgers, as the newest record of it says; null where none does. */
export function lastReaders(dataDir: string, orgId: string): string | null {
  return recordsOf(dataDir, orgId, READERS).at(-1)?.payload ?? null;
}

/** Whose rules decide how long payloads stay, as the newest record of it says, and since when; null where none does. */
export function lastKeepers(dataDir: string, orgId: string): Pick<NodeRecord, 'payload' | 'receivedAt'> | null {
  return recordsOf(dataDir, orgId, KEEPERS).at(-1) ?? null;
}

const swept = z.looseObject({ sweep_id: z.string() });

/** What was decided about payloads of the archive, oldest first, and the sweeps that came to their end there. */
export function decisionsIn(
  dataDir: string,
  orgId: string,
): { readonly decisions: LedgerDecision[]; readonly swept: ReadonlySet<string> } {
  const recalled = new Set(recordsOf(dataDir, orgId, RECALL).map(({ payload }) => parseRecall(payload).decision_no));
  const decisions = recordsOf(dataDir, orgId, DECISION).map(({ payload, operationId }) => {
    const decision = parseDecision(payload);
    return { ...decision, operation_id: operationId, isRecalled: recalled.has(decision.decision_no) };
  });
  const ended = recordsOf(dataDir, orgId, SWEPT).map(({ payload }) => swept.parse(JSON.parse(payload)).sweep_id);
  return { decisions, swept: new Set(ended) };
}
