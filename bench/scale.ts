import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Signer } from '../test/support/signer.ts';
import { AGENTS, auditRecord } from './support/audit-records.ts';
import { type Answered, runLoad } from './support/http-load.ts';
import { makeLedger, OWNER } from './support/make-ledger.ts';
import { nativeRate } from './support/native-rate.ts';
import { ServiceProcess } from './support/service-process.ts';
import { batchRequests, singleRequests, type Workspace } from './support/workspace.ts';

/**
 * Whether a ledger stays as quick as it grows: receipts a second, and processor time for each record, with a small ledger
 * stored and with a large one, in one run.
 */
const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '100000' },
    records: { type: 'string', default: '1000000' },
    submit: { type: 'string', default: '20000' },
    connections: { type: 'string', default: '64' },
    'batch-size': { type: 'string', default: '100' },
  },
});
const submit = Number(values.submit);
const connections = Number(values.connections);
const batchSize = Number(values['batch-size']);

interface Figures {
  readonly recordsPerSecond: number;
  readonly cpuMicrosecondsPerRecord: number;
  readonly p99Ms: number;
}

function succeeded({ status, body }: Answered): void {
  if (status !== 200 && status !== 201) throw new Error(`${status} ${body.toString()}`);
}

async function measure(service: ServiceProcess, queues: Buffer[][], count: number): Promise<Figures> {
  const before = service.cpu();
  const { seconds, p99Ms } = await runLoad(service.port, queues, succeeded);
  return {
    recordsPerSecond: Math.round(count / seconds),
    cpuMicrosecondsPerRecord: Math.round(((service.cpu().all - before.all) * 1e6) / count),
    p99Ms: Number(p99Ms.toFixed(1)),
  };
}

/** Registers further agents with the account that the made ledger has. */
async function workspaceOf(service: ServiceProcess, orgId: string): Promise<Workspace> {
  const signedIn = (await service.call('POST', '/api/auth/sign-in/email', null, OWNER)) as { token: string };
  const { token } = (await service.call('POST', '/v1/auth/token', signedIn.token, {})) as { token: string };
  const agents = Array.from({ length: connections }, (_, number) => new Signer(orgId, `submitting-${number}`));
  for (const { registration } of agents) await service.call('POST', '/v1/agents/register', token, registration);
  return { token, agents };
}

function roundedMemory(service: ServiceProcess): { residentMb: number; peakMb: number } {
  const { residentMb, peakMb } = service.memory();
  return { residentMb: Math.round(residentMb), peakMb: Math.round(peakMb) };
}

async function withStored(
  records: number,
): Promise<{ single: Figures; batches: Figures; residentMb: number; peakMb: number }> {
  const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'countersign-bench-'));
  let service: ServiceProcess | null = null;
  try {
    const plan = { records, agents: AGENTS, epochSize: 65_536, spacingMs: 10, shape: auditRecord };
    const { orgId } = await makeLedger(folder, plan);
    service = await ServiceProcess.start(folder);
    const workspace = await workspaceOf(service, orgId);
    const some = { ...workspace, agents: workspace.agents.slice(0, 8) };
    await runLoad(service.port, singleRequests(service, workspace, 20), succeeded);
    const perAgent = Math.ceil(submit / connections);
    const singles = singleRequests(service, workspace, perAgent);
    const single = await measure(service, singles, perAgent * connections);
    const batches = Math.ceil(submit / 8 / batchSize);
    const load = batchRequests(service, some, batches, batchSize);
    return {
      single,
      batches: await measure(service, load, batches * batchSize * 8),
      ...roundedMemory(service),
    };
  } finally {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function ratio(large: Figures, small: Figures): Record<string, number> {
  const two = (value: number): number => Number(value.toFixed(2));
  return {
    recordsPerSecond: two(large.recordsPerSecond / small.recordsPerSecond),
    cpuPerRecord: two(large.cpuMicrosecondsPerRecord / small.cpuMicrosecondsPerRecord),
  };
}

const native = Math.round(await nativeRate());
const small = await withStored(Number(values.small));
const large = await withStored(Number(values.records));
const output = {
  bench: 'scale',
  nativeVerifyPerSecond: native,
  nativeVerifyPerSecondAfter: Math.round(await nativeRate()),
  [`stored ${values.small}`]: small,
  [`stored ${values.records}`]: large,
  ratio: { single: ratio(large.single, small.single), batches: ratio(large.batches, small.batches) },
};
process.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
