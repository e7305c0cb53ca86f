import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Agent, ServiceClient } from '../../agent/index.ts';
import { startService } from '../../service/index.ts';
import type { DemoAction } from './action.ts';

/** What the demonstration's service produced, after it was stopped. */
export interface DemoLedger {
  readonly bundle: Uint8Array;
  /** The kid that the service showed at its start: what a reader would have been told beforehand. */
  readonly kid: string;
  /** The receipts of all agents, one a line. */
  readonly receiptsFile: string;
  readonly agents: number;
  /** Who signs in as its owner. */
  readonly account: { readonly email: string; readonly password: string };
  readonly orgId: string;
}

export interface DemoProgress {
  /** The service listens. */
  started(url: string, kid: string): void;
  submitted(done: number, total: number): void;
  exported(bytes: number): void;
}

/** Small enough that the demonstration seals several epochs. */
const EPOCH_MAX_LEAVES = 256;

const signUpAnswer = z.looseObject({ token: z.string(), user: z.looseObject({ orgId: z.string() }) });
const tokenAnswer = z.looseObject({ token: z.string() });
const exportAnswer = z.looseObject({ exportId: z.string(), status: z.string() });

/** Polls the export until it is made. Its file is small: this takes moments. */
async function waitForExport(client: ServiceClient, exportId: string): Promise<void> {
  for (;;) {
    const { status } = exportAnswer.parse(await client.get(`/v1/exports/${exportId}`));
    if (status === 'completed') return;
    if (status !== 'processing') throw new Error(`the export is ${status}`);
    await sleep(20);
  }
}

/** Everything that an organization's ledger holds, as a bundle. */
export async function exportAll(client: ServiceClient): Promise<Uint8Array> {
  const range = { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };
  const { exportId } = exportAnswer.parse(await client.post('/v1/exports', range));
  await waitForExport(client, exportId);
  return client.download(`/v1/exports/${exportId}/download`);
}

/**
 * Runs the whole life of a ledger in a folder: service, organization, agents with keys of their own, every action as a
 * signed operation over HTTP, export.
 */
export async function runLedger(
  folder: string,
  actions: readonly DemoAction[],
  progress: DemoProgress,
  orgName = 'Demonstration',
): Promise<DemoLedger> {
  const service = await startService({
    dataDir: join(folder, 'data'),
    port: 0,
    rateLimit: null,
    epochMaxLeaves: EPOCH_MAX_LEAVES,
  });
  try {
    progress.started(service.url, service.kid);
    const serviceUrl = service.url;
    const account = { email: 'demo@example.org', password: randomBytes(18).toString('base64url') };
    const names = { name: 'Demo', org_name: orgName };
    const { token: session, user } = signUpAnswer.parse(
      await new ServiceClient({ serviceUrl }).post('/api/auth/sign-up/email', {
        ...account,
        ...names,
        setup_code: service.setUpCode(),
      }),
    );
    const { token } = tokenAnswer.parse(
      await new ServiceClient({ serviceUrl, token: session }).post('/v1/auth/token', {}),
    );
    const client = new ServiceClient({ serviceUrl, token });

    const receiptsFile = join(folder, 'receipts.jsonl');
    const agents = new Map<string, Agent>();
    const agentIds = [...new Set(actions.map(({ agentId }) => agentId))];
    for (const agentId of agentIds) {
      const { privateKey } = generateKeyPairSync('ed25519');
      const jwk = privateKey.export({ format: 'jwk' });
      const keys = [{ kid: 'key-1', public_key: jwk.x, algorithm: 'ed25519' }];
      await client.post('/v1/agents/register', { agent_id: agentId, keys });
      const options = { serviceUrl, token, orgId: user.orgId, agentId, kid: 'key-1', privateKey: jwk.d ?? '' };
      agents.set(agentId, new Agent({ ...options, receiptsFile, serviceKid: service.kid }));
    }

    let done = 0;
    // Agents work side by side; each submits its own actions in order.
    await Promise.all(
      agentIds.map(async (agentId) => {
        const agent = agents.get(agentId);
        for (const action of actions.filter((candidate) => candidate.agentId === agentId)) {
          await agent?.submit(action);
          progress.submitted(++done, actions.length);
        }
        await agent?.close();
      }),
    );

    const bundle = await exportAll(client);
    progress.exported(bundle.length);
    return { bundle, kid: service.kid, receiptsFile, agents: agentIds.length, account, orgId: user.orgId };
  } finally {
    await service.close();
  }
}
