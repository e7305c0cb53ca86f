import { join } from 'node:path';
import type { AgentAnswer, AgentHead, ArchivedLedger, CaseSummary, Jwks } from '../../../api/index.ts';
import {
  type AdminEvent,
  type Agent,
  type AgentKey,
  type BundleAgent,
  type BundleOrg,
  formatDigest,
  type ServiceKey,
} from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { RunOfRecord } from '../case-log.ts';
import type { OpenCase } from './open-case.ts';

function agentOf({ keys: _, ...agent }: BundleAgent): Agent {
  return agent;
}

function keyOf({ service_kid: _, attestation: __, ...key }: BundleAgent['keys'][number]): AgentKey {
  return key;
}

/** More agents than an organization has; a hostile bundle may name any number, and the list has no pages. */
const MAX_AGENTS = 10_000;

/** The agents of a case in the order of the bundle, deleted ones too. */
export function listCaseAgents(open: OpenCase): (Agent & { active_keys: number })[] {
  const texts = open.statement('SELECT agent FROM agents ORDER BY n LIMIT ?').pluck().all(MAX_AGENTS) as string[];
  const agents = texts.map((text) => {
    const agent = JSON.parse(text) as BundleAgent;
    return { ...agentOf(agent), active_keys: agent.keys.filter(({ status }) => status === 'active').length };
  });
  if (!open.isArchive) return agents;
  // One name is one line, on however many hosts: its keys are those of all of them.
  const byId = new Map<string, Agent & { active_keys: number }>();
  for (const agent of agents) {
    const known = byId.get(agent.agent_id);
    if (known === undefined) byId.set(agent.agent_id, agent);
    else known.active_keys += agent.active_keys;
  }
  return [...byId.values()];
}

/** Of the ledger that a run is of; all of a case. */
function ofLedger(run: RunOfRecord | null): string {
  return run === null ? '' : `AND ledger_no = ${run.ledger_no}`;
}

/** An agent with its keys, as the bundle has it. @throws ServiceError NOT_FOUND */
export function caseBundleAgent(open: OpenCase, agentId: string, run: RunOfRecord | null = null): BundleAgent {
  const sql = `SELECT agent FROM agents WHERE agent_id = ? ${ofLedger(run)} ORDER BY n LIMIT 1`;
  const text = open.statement(sql).pluck().get(agentId) as string | undefined;
  if (text === undefined) throw new ServiceError('NOT_FOUND', 'there is no such agent in this case');
  return JSON.parse(text) as BundleAgent;
}

/** @throws ServiceError NOT_FOUND */
export function findCaseAgent(open: OpenCase, agentId: string, operationId?: string): AgentAnswer {
  const find = open.statement('SELECT n FROM records WHERE operation_id = ? ORDER BY n LIMIT 1').pluck();
  const n = operationId === undefined ? undefined : (find.get(operationId) as number | undefined);
  const run = n === undefined ? null : open.runOf(n);
  const agent = caseBundleAgent(open, agentId, run);
  if (run !== null) return { agent: agentOf(agent), keys: agent.keys.map(keyOf) };
  const all = open.statement('SELECT agent FROM agents WHERE agent_id = ? ORDER BY n').pluck().all(agentId) as string[];
  const { keys } = open.isArchive ? { keys: all.flatMap((text) => (JSON.parse(text) as BundleAgent).keys) } : agent;
  return { agent: agentOf(agent), keys: keys.map(keyOf) };
}

/** An agent that the directory lacks may still have records, in a bad bundle. @throws ServiceError NOT_FOUND */
export function requireAgent(open: OpenCase, agentId: string): void {
  const sql = 'SELECT 1 FROM records WHERE agent_id = ? LIMIT 1';
  if (open.statement(sql).get(agentId) === undefined) caseBundleAgent(open, agentId);
}

/** The newest record of an agent. @throws ServiceError NOT_FOUND */
export function caseAgentHead(open: OpenCase, agentId: string): AgentHead {
  requireAgent(open, agentId);
  const sql = 'SELECT seq_no, chain_hash FROM records WHERE agent_id = ? ORDER BY seq_no DESC, n DESC LIMIT 1';
  const row = open.statement(sql).get(agentId) as { seq_no: number; chain_hash: Uint8Array } | undefined;
  if (row === undefined) return { chain_hash: null, seq_no: null };
  return { chain_hash: formatDigest(row.chain_hash), seq_no: row.seq_no };
}

/** Service keys have a line of some hundred at most; a hostile bundle may name any number. */
const MAX_SERVICE_KEYS = 1000;

/** All service keys of the bundle, in its order. @throws ServiceError CONFLICT where there are too many for a proof */
export function caseServiceKeys(open: OpenCase, run: RunOfRecord | null): ServiceKey[] {
  const sql = `SELECT service_key FROM service_keys WHERE true ${ofLedger(run)} ORDER BY n LIMIT ?`;
  const texts = open
    .statement(sql)
    .pluck()
    .all(MAX_SERVICE_KEYS + 1) as string[];
  if (texts.length > MAX_SERVICE_KEYS)
    throw new ServiceError('CONFLICT', 'the bundle has too many service keys for a proof');
  return texts.map((text) => JSON.parse(text) as ServiceKey);
}

/** The organization of the bundle; null where it could not be read. */
export function caseOrg(open: OpenCase, run: RunOfRecord | null = null): BundleOrg | null {
  return (factOf(open, run === null ? 'org' : `org ${run.ledger_no}`) as BundleOrg | undefined) ?? null;
}

function factOf(open: OpenCase, name: string): unknown {
  const text = open.statement('SELECT value FROM facts WHERE name = ?').pluck().get(name) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}

/** The ledger of a case in figures. */
export function summarizeCase(open: OpenCase): CaseSummary {
  const org = caseOrg(open);
  const counts = open
    .statement(
      `SELECT count(*) FILTER (WHERE status = 'active') AS active, count(*) FILTER (WHERE status = 'frozen') AS frozen,
              count(*) FILTER (WHERE status = 'deleted') AS deleted FROM agents`,
    )
    .get() as CaseSummary['agents'];
  const { epochs, sealed } = open
    .statement('SELECT count(*) AS epochs, coalesce(max(last_seq_no), 0) AS sealed FROM epochs')
    .get() as { epochs: number; sealed: number };
  const unsealed = open
    .statement(`SELECT count(*) AS count, min(server_received_at) AS oldest_received_at FROM records WHERE seq_no > ?`)
    .get(sealed) as CaseSummary['unsealed'];
  return {
    org: { org_id: org?.org_id ?? '', name: org?.name ?? '' },
    records: factOf(open, 'records') as number,
    unsealed,
    epochs,
    agents: counts,
    unreadable: factOf(open, 'unreadable') as number,
    corrected_times: [...open.correctedTimes],
  };
}

/** The ledgers of an archive, in the order in which the first run of each was accepted; nothing of a case. */
export function archivedLedgers(open: OpenCase): ArchivedLedger[] {
  if (!open.isArchive) return [];
  const sql = `SELECT by_ledger.ledger_no, issuer, organization, runs, total AS records, last_epoch_no, server_received_at AS last_received_at
    FROM (SELECT ledger_no, kid AS issuer, org_id AS organization, count(*) AS runs, sum(last_n - first_n + 1) AS total,
            max(last_epoch_no) AS last_epoch_no, min(first_n) AS first, max(last_n) AS last
          FROM runs JOIN ledgers USING (ledger_no) GROUP BY ledger_no) AS by_ledger
    JOIN records ON n = last ORDER BY first`;
  const rows = open.statement(sql).all() as (Omit<ArchivedLedger, 'organization_name'> & { ledger_no: number })[];
  return rows.map(({ ledger_no, ...row }) => {
    const org = factOf(open, `org ${ledger_no}`) as BundleOrg | undefined;
    return { ...row, organization_name: org?.name ?? '' };
  });
}

/** The run that all of some records of an archive are in, and the sequence number of each. @throws ServiceError NOT_FOUND, CONFLICT */
export function runOfRecords(
  open: OpenCase,
  numbers: readonly number[],
): { readonly path: string; readonly seqNos: number[] } {
  const last = (open.statement('SELECT max(last_n) FROM runs').pluck().get() as number | null) ?? 0;
  if (numbers.some((n) => n < 1 || n > last))
    throw new ServiceError('NOT_FOUND', 'there is no such record in this archive');
  const runs = numbers.map((n) => open.runOf(n));
  const [first] = runs;
  if (first == null || runs.some((run) => run?.run_no !== first.run_no)) {
    throw new ServiceError(
      'CONFLICT',
      'these records are in several runs, and a report is about one: choose those of one host and time',
    );
  }
  const place = open.statement(
    "SELECT (SELECT value FROM facts WHERE name = 'from') AS root, path FROM runs WHERE run_no = ?",
  );
  const { root, path } = place.get(first.run_no) as { readonly root: string; readonly path: string };
  return { path: join(root, path), seqNos: numbers.map((n) => n - first.first_n + first.first_seq_no) };
}

/** The administrative log of a case, newest first: the bundle has it oldest first. */
export function listCaseAdminEvents(open: OpenCase, limit: number): AdminEvent[] {
  const texts = open.statement('SELECT event FROM admin_events ORDER BY n DESC LIMIT ?').pluck().all(limit) as string[];
  return texts.map((text) => JSON.parse(text) as AdminEvent);
}

/** The service keys that a bundle holds: whoever made the bundle wrote them. */
export function caseJwks(open: OpenCase): Jwks {
  const rows = open.statement('SELECT kid, public_key AS x FROM service_keys ORDER BY n LIMIT 1000').all() as {
    kid: string;
    x: string;
  }[];
  const form = { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' } as const;
  return { keys: rows.map((row) => ({ ...form, ...row })) };
}
