/** Sweeps of tests: waiting for them, and holding their certificates against the difference of two exports. */
import { createHash } from 'node:crypto';
import type { Sweep } from '../../src/api/index.ts';
import {
  canonicalBytes,
  formatDigest,
  fromBase64Url,
  isSalted,
  type JsonObject,
  parseRetentionCertificate,
  type RetentionCertificate,
  verifyEd25519,
} from '../../src/protocol/index.ts';
import type { Account } from './service.ts';
import { until } from './until.ts';
import type { Bundle } from './vectors.ts';

/** A rule under which everything is due at once. */
export const AT_ONCE = { floor_days: 0, ceiling_days: 0 } as const;

/** Waits for the end of a sweep. */
export function ended({ client }: Pick<Account, 'client'>, { sweep_id }: Pick<Sweep, 'sweep_id'>): Promise<Sweep> {
  return until(
    'the end of a sweep',
    async () => {
      const { sweep } = await client.ok('getSweep', { params: { sweep_id } });
      return sweep.status === 'running' ? undefined : (sweep as Sweep);
    },
    600_000,
  );
}

/** Runs a sweep to its end. */
export async function sweep(
  account: Pick<Account, 'client'>,
  body: { readonly dry_run?: boolean } = {},
): Promise<Sweep> {
  const begun = await account.client.ok('beginSweep', { body });
  return ended(account, begun.sweep);
}

/** The certificate of a sweep, after its signature and the digest in the administrative log were checked. */
export async function certificateOf(
  account: Account,
  { sweep_id }: Pick<Sweep, 'sweep_id'>,
): Promise<RetentionCertificate> {
  const answer = await account.client.call('retentionCertificate', { params: { sweep_id } });
  const certificate = parseRetentionCertificate(answer.bytes);
  const { service_signature, ...statement } = certificate;
  const { keys } = await account.client.ok('jwks');
  const jwk = keys.find(({ kid }) => kid === certificate.service_kid);
  const publicKey = fromBase64Url(jwk?.x ?? '', 32);
  const signature = fromBase64Url(service_signature, 64);
  if (!verifyEd25519({ publicKey, message: canonicalBytes(statement), signature })) throw new Error('not signed');
  const digest = formatDigest(createHash('sha256').update(answer.bytes).digest());
  const { events } = await account.client.ok('listAdminEvents', { query: { limit: '100' } });
  const event = events.find(({ action, target_id }) => action === 'retention.certificate' && target_id === sweep_id);
  if (event?.details['certificate_digest'] !== digest) throw new Error('not in the administrative log');
  return certificate;
}

type BundleRecord = Bundle['records'][number];

/** Whether a reader of a bundle sees anything of a payload. */
export function isShown({ eor, disclosures }: BundleRecord): boolean {
  const { payload } = eor as { readonly payload?: JsonObject };
  return payload !== undefined && (!isSalted(payload) || Object.keys(disclosures ?? {}).length > 0);
}

/** What a certificate must say where two exports of a whole ledger were made, one before the sweep and one after. */
export function differenceOf(before: Bundle, after: Bundle) {
  const shownAfter = new Map(after.records.map((record) => [record.ear.seq_no, isShown(record)]));
  const agents = new Map<string, { records: number; runs: [number, number][]; joins: boolean }>();
  const ids = createHash('sha256');
  let records = 0;
  for (const record of before.records) {
    const { agent_id: agentId, seq_no: seqNo, operation_id: operationId } = record.ear;
    const agent = agents.get(agentId) ?? { records: 0, runs: [], joins: false };
    agents.set(agentId, agent);
    const isGone = isShown(record) && shownAfter.get(seqNo) === false;
    if (isGone) {
      const last = agent.runs.at(-1);
      if (agent.joins && last !== undefined) last[1] = seqNo;
      else agent.runs.push([seqNo, seqNo]);
      agent.records++;
      records++;
      ids.update(`${operationId}\n`);
    }
    agent.joins = isGone;
  }
  return {
    records,
    operations_digest: formatDigest(ids.digest()),
    agents: [...agents]
      .filter(([, agent]) => agent.records > 0)
      .map(([agent_id, agent]) => ({
        agent_id,
        records: agent.records,
        runs: agent.runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(','),
      }))
      .toSorted((a, b) => (a.agent_id < b.agent_id ? -1 : 1)),
  };
}
