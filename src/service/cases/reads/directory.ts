import type { AgentAnswer, AgentHead, CaseSummary, Jwks } from '../../../api/index.ts';
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
  return texts.map((text) => {
    const agent = JSON.parse(text) as BundleAgent;
    return { ...agentOf(agent), active_keys: agent.keys.filter(({ status }) => status === 'active').length };
  });
}

/** An agent with its keys, as the bundle has it. @throws ServiceError NOT_FOUND */
export function caseBundleAgent(open: OpenCase, agentId: string): BundleAgent {
  const sql = 'SELECT agent FROM agents WHERE agent_id = ? ORDER BY n LIMIT 1';
  const text = open.statement(sql).pluck().get(agentId) as string | undefined;
  if (text === undefined) throw new ServiceError('NOT_FOUND', 'there is no such agent in this case');
  return JSON.parse(text) as BundleAgent;
}

/** @throws ServiceError NOT_FOUND */
export function findCaseAgent(open: OpenCase, agentId: string): AgentAnswer {
  const agent = caseBundleAgent(open, agentId);
  return { agent: agentOf(agent), keys: agent.keys.map(keyOf) };
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
export function caseServiceKeys(open: OpenCase): ServiceKey[] {
  const sql = 'SELECT service_key FROM service_keys ORDER BY n LIMIT ?';
  const texts = open
    .statement(sql)
    .pluck()
    .all(MAX_SERVICE_KEYS + 1) as string[];
  if (texts.length > MAX_SERVICE_KEYS)
    throw new ServiceError('CONFLICT', 'the bundle has too many service keys for a proof');
  return texts.map((text) => JSON.parse(text) as ServiceKey);
}

/** The organization of the bundle; null where it could not be read. */
export function caseOrg(open: OpenCase): BundleOrg | null {
  return (factOf(open, 'org') as BundleOrg | undefined) ?? null;
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
