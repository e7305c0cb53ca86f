import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { nodeCrypto } from '../../../node/index.ts';
import {
  canonicalize,
  formatDigest,
  formatTime,
  isInRuns,
  type Json,
  type NumberRun,
  parseRuns,
  RETENTION_CERTIFICATE,
  type RetentionCertificate,
  RunBuilder,
  retentionDigest,
  retentionSignedBytes,
  runsText,
  toBase64Url,
} from '../../../protocol/index.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import { eq } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { retentionSweeps } from '../../store/schema.ts';
import { holdSummary } from './holds.ts';
import { planOf, type SweepRow, tallyOf } from './sweep-row.ts';

/** Rows that are read between two turns of others. */
const PAGE = 2000;

/** What a sweep erased, as the ledger itself tells. */
interface Erased {
  readonly records: number;
  readonly operationsDigest: string;
  readonly agents: RetentionCertificate['agents'];
}

/** The numbers that the transactions of a sweep named in the administrative log. */
function erasedRuns({ statement }: Store, orgId: string, sweepId: string): NumberRun[] {
  const details = statement(
    `SELECT details FROM admin_events
     WHERE org_id = ? AND action = 'retention.erase' AND target_id = ? ORDER BY event_no`,
  )
    .pluck()
    .all(orgId, sweepId) as string[];
  return details.flatMap((text) => parseRuns((JSON.parse(text) as { readonly seq_no: string }).seq_no));
}

/** The runs of one agent: they end at each of its records that the sweep did not erase. */
class AgentRuns {
  readonly #builder = new RunBuilder();
  #joins = false;
  records = 0;

  erased(seqNo: number): void {
    this.#builder.add(seqNo, this.#joins);
    this.#joins = true;
    this.records++;
  }

  kept(): void {
    this.#joins = false;
  }

  get text(): string {
    return runsText(this.#builder.runs);
  }
}

/** Gathers what a sweep erased, a page of rows at a time. */
export async function gatherErased(store: Store, { orgId, sweepId, position }: SweepRow): Promise<Erased> {
  const runs = erasedRuns(store, orgId, sweepId);
  const agents = new Map<string, AgentRuns>();
  const ids = createHash('sha256');
  const page = store.statement(
    `SELECT seq_no AS seqNo, agent_id AS agentId, operation_id AS operationId FROM operations
     WHERE org_id = ? AND seq_no > ? AND seq_no <= ? ORDER BY seq_no LIMIT ${PAGE}`,
  );
  let records = 0;
  for (let after = 0; after < position; ) {
    const rows = page.all(orgId, after, position) as { seqNo: number; agentId: string; operationId: string }[];
    for (const { seqNo, agentId, operationId } of rows) {
      const known = agents.get(agentId);
      if (!isInRuns(runs, seqNo)) {
        known?.kept();
        continue;
      }
      const agent = known ?? new AgentRuns();
      if (known === undefined) agents.set(agentId, agent);
      agent.erased(seqNo);
      ids.update(`${operationId}\n`);
      records++;
    }
    after = rows.at(-1)?.seqNo ?? position;
    await turn();
  }
  return {
    records,
    operationsDigest: formatDigest(ids.digest()),
    agents: [...agents]
      .map(([agentId, agent]) => ({ agent_id: agentId, records: agent.records, runs: agent.text }))
      .toSorted((a, b) => (a.agent_id < b.agent_id ? -1 : 1)),
  };
}

/**
 * Ends a sweep: signs its certificate, keeps it, and writes its digest into the administrative log. All of that is one
 * transaction: a crash before it leaves a sweep that the next start ends, one after it a sweep with its one certificate.
 */
export function certify(store: WritableStore, key: KeyHolder, row: SweepRow, erased: Erased, now: number): void {
  const { orgId, sweepId, begunBy } = row;
  const endedAt = store.clock.stamp(now);
  const tally = tallyOf(row);
  const statement: Omit<RetentionCertificate, 'service_signature'> = {
    type: RETENTION_CERTIFICATE,
    org_id: orgId,
    sweep_id: sweepId,
    actor: begunBy,
    begun_at: formatTime(row.begunAt),
    ended_at: formatTime(endedAt),
    stopped_because: row.stoppedBecause,
    rules_digest: row.rulesDigest,
    rules: planOf(row).map(({ rule, before }, at) => ({
      rule,
      before: before === null ? null : formatTime(before),
      erased: tally.erased[at] ?? 0,
    })),
    holds: Object.keys(tally.holds).map((holdId) => holdSummary(store, orgId, holdId)),
    agents: erased.agents,
    records: erased.records,
    operations_digest: erased.operationsDigest,
    service_kid: key.kid,
    service_public_key: toBase64Url(key.publicKey),
  };
  const certificate: RetentionCertificate = {
    ...statement,
    service_signature: toBase64Url(key.sign(retentionSignedBytes(statement))),
  };
  const text = canonicalize(certificate as unknown as Json);
  const digest = retentionDigest(certificate, nodeCrypto.sha256);
  const status = row.stoppedBecause === null ? 'completed' : 'stopped';
  store.db
    .update(retentionSweeps)
    .set({ status, endedAt, certificate: text, certificateDigest: digest, failure: null })
    .where(eq(retentionSweeps.sweepId, sweepId))
    .run();
  const { records, operations_digest, rules_digest } = statement;
  const details = { certificate_digest: digest, records, operations_digest, rules_digest };
  const target = { targetType: 'retention_sweep', targetId: sweepId, details };
  recordAdminEvent(store, { orgId, actor: begunBy, action: 'retention.certificate', ...target }, endedAt);
}
