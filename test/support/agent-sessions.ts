/** Agents that record sessions at a real service, and what became of it: their payloads, the verdict, the coherence. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type CoherenceReport, checkPayload, claimsProfile, coherenceOf } from '../../src/actions/profile/index.ts';
import { Agent, type AgentOptions } from '../../src/agent/index.ts';
import { nodeCrypto } from '../../src/node/index.ts';
import { type JsonObject, readContents, shownPayload } from '../../src/protocol/index.ts';
import { type Account, ALWAYS, bundleOf, registerAgent, type TestService, verifyWith } from './service.ts';

/** A new agent of an account, and the library's object for it. */
export async function newAgentOf(
  account: Account,
  options: Partial<AgentOptions> = {},
): Promise<{ readonly agent: Agent; readonly agentId: string }> {
  const signer = await registerAgent(account, `agent-${randomUUID()}`);
  const agent = new Agent({
    serviceUrl: account.client.url,
    token: account.client.token ?? '',
    orgId: signer.orgId,
    agentId: signer.agentId,
    kid: signer.kid,
    privateKey: signer.seed,
    retryForMs: 10_000,
    ...options,
  });
  return { agent, agentId: signer.agentId };
}

/** A record of a bundle as its reader sees it. */
export interface ToldRecord {
  readonly operationId: string;
  readonly agentId: string;
  readonly operationType: string;
  readonly subject: string;
  readonly payload: JsonObject;
}

export interface Told {
  readonly records: readonly ToldRecord[];
  readonly coherence: CoherenceReport;
  /** Phases in order, a failure with its status. */
  readonly phases: readonly string[];
}

/** A line for each record: phase, status where it is no success, tool, as a test compares them. */
function phaseOf({ payload }: ToldRecord): string {
  const { phase, outcome } = payload as { phase?: string; outcome?: { status: string } };
  return outcome === undefined || outcome.status === 'ok' ? String(phase) : `${phase} ${outcome.status}`;
}

/**
 * Exports what an organization's agents recorded. Fails where it does not verify, or a payload is not of the profile.
 * @param agentIds whose records are looked at; the bundle is of all
 */
export async function whatIsTold(service: TestService, account: Account, ...agentIds: string[]): Promise<Told> {
  const bundle = await bundleOf(account, ALWAYS);
  const report = await verifyWith(service.kid, bundle);
  expect(report.verdict).toBe('verified');
  const records: ToldRecord[] = [];
  for await (const contents of readContents(() => [bundle])) {
    for (const content of contents) {
      if (content.kind !== 'record' || !agentIds.includes(content.value.eor.agent_id)) continue;
      const { eor, disclosures } = content.value;
      const payload = shownPayload(eor.payload ?? {}, disclosures);
      if (!claimsProfile(payload)) continue;
      expect(checkPayload(payload, true)).toMatchObject({ ok: true });
      const { operation_id: operationId, agent_id: agentId, operation_type: operationType, subject } = eor;
      records.push({ operationId, agentId, operationType, subject, payload });
    }
  }
  const means = { sha256: nodeCrypto.sha256, signal: new AbortController().signal };
  const coherence = await coherenceOf(() => [bundle], report, means);
  return { records, coherence, phases: records.map(phaseOf) };
}
