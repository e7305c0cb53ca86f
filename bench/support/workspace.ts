import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/protocol/index.ts';
import { Signer } from '../../test/support/signer.ts';
import { requestBytes } from './http-load.ts';
import type { ServiceProcess } from './service-process.ts';

/** An organization with agents that submit to it. */
export interface Workspace {
  readonly token: string;
  readonly agents: readonly Signer[];
}

/** What makes a sign-up that of the home organization, where there is none yet. */
function setUpCode({ dataDir }: ServiceProcess): { readonly setup_code?: string } {
  const path = join(dataDir, 'set-up-code.json');
  if (!existsSync(path)) return {};
  const { code } = JSON.parse(readFileSync(path, 'utf8')) as { readonly code: string };
  return { setup_code: code };
}

/** Signs a new owner up and registers agents. @param first number of the first agent, so that more can follow later */
export async function makeWorkspace(service: ServiceProcess, agentCount: number): Promise<Workspace> {
  const account = { email: 'bench@example.org', password: 'bench bench bench', name: 'Bench', org_name: 'Bench' };
  const claim = setUpCode(service);
  const { token: session, user } = (await service.call('POST', '/api/auth/sign-up/email', null, {
    ...account,
    ...claim,
  })) as {
    token: string;
    user: { orgId: string };
  };
  const { token } = (await service.call('POST', '/v1/auth/token', session, {})) as { token: string };
  const agents: Signer[] = [];
  for (let number = 1; number <= agentCount; number++) {
    const agent = new Signer(user.orgId, `agent-${String(number).padStart(3, '0')}`);
    await service.call('POST', '/v1/agents/register', token, agent.registration);
    agents.push(agent);
  }
  return { token, agents };
}

const OPERATION_TYPES = ['file.read', 'file.write', 'http.request', 'shell.run', 'db.query', 'mail.send', 'model.call'];

/** What an operation says, of the size that agents' actions typically have: a payload of some 400 bytes. */
export function operationMembers(number: number) {
  const subject = `repository/service-${number % 500}/src/module-${number % 37}.ts`;
  return {
    operation_type: OPERATION_TYPES[number % OPERATION_TYPES.length] ?? 'file.read',
    subject,
    action: `step ${number % 90}`,
    payload: {
      tool: 'editor',
      arguments: { path: subject, from: number % 400, to: (number % 400) + 24, dry_run: false },
      reason: 'The failing assertion compares the rounded total with the stored one; both must use the same scale.',
      result: { ok: true, changed_lines: number % 13, warnings: [], bytes: number * 17, note: 'no conflicts found' },
      tags: ['refactoring', 'billing', `ticket-${number % 1000}`],
    },
  };
}

export type MembersOf = (
  number: number,
) => Omit<ReturnType<typeof operationMembers>, 'payload'> & { payload: JsonObject };

/** The next record of an agent. */
export function nextRecord(agent: Signer, number: number, members: MembersOf = operationMembers): string {
  return JSON.stringify(agent.next({ ...members(number), ttl_ms: 86_400_000 }));
}

/** For each agent the requests of its next records, one record each. */
export function singleRequests(service: ServiceProcess, { token, agents }: Workspace, perAgent: number): Buffer[][] {
  return agents.map((agent, index) =>
    Array.from({ length: perAgent }, (_, number) =>
      requestBytes('POST', '/v1/operations', service.port, token, nextRecord(agent, number * agents.length + index)),
    ),
  );
}

/** For each agent its next records in batches, as requests. */
export function batchRequests(
  service: ServiceProcess,
  { token, agents }: Workspace,
  batches: number,
  batchSize: number,
  members: MembersOf = operationMembers,
): Buffer[][] {
  return agents.map((agent, index) =>
    Array.from({ length: batches }, (_, batch) => {
      const records = Array.from({ length: batchSize }, (_, number) =>
        nextRecord(agent, (batch * batchSize + number) * agents.length + index, members),
      );
      return requestBytes('POST', '/v1/operations/batch', service.port, token, `{"records":[${records.join(',')}]}`);
    }),
  );
}
