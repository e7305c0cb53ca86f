import { randomUUID } from 'node:crypto';
import { Signer } from '../../test/support/signer.ts';
import { payloadOf } from './content-engines/records.ts';
import { quantile } from './figures.ts';
import { type Answered, type LoadResult, runLoad } from './http-load.ts';
import { ServiceProcess } from './service-process.ts';
import {
  batchRequests,
  type MembersOf,
  makeWorkspace,
  operationMembers,
  singleRequests,
  type Workspace,
} from './workspace.ts';

/** How much is submitted, and the native rate that the outcome is compared with. */
export interface IngestPlan {
  readonly records: number;
  readonly connections: number;
  /** Ed25519 signatures a second that one core verifies natively. */
  readonly native: number;
}

/** Rates, milliseconds, microseconds of processor time and megabytes. */
export type IngestFigures = Record<string, number> & { readonly recordsPerSecond: number };

const WARM_UP_RECORDS = 100;
const WARM_UP_BATCHES = 10;

function accepted(answer: Answered): void {
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body.toString()}`);
}

function acceptedAll(answer: Answered): void {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body.toString()}`);
  const { results } = JSON.parse(answer.body.toString()) as { results: { status: number }[] };
  if (results.some(({ status }) => status !== 201)) throw new Error(`a record of a batch was refused`);
}

type Cpu = ReturnType<ServiceProcess['cpu']>;

function figures(result: LoadResult, count: number, native: number) {
  const rate = count / result.seconds;
  return {
    records: count,
    recordsPerSecond: Math.round(rate),
    ratioToNativeVerify: Number((rate / native).toFixed(3)),
    p50Ms: Number(result.p50Ms.toFixed(1)),
    p99Ms: Number(result.p99Ms.toFixed(1)),
    maxMs: Number(result.maxMs.toFixed(1)),
    senderCpuMicrosecondsPerRecord: Math.round((result.senderCpu * 1e6) / count),
  };
}

/** What a record costs the service in processor time, whatever else the machine does. */
function cpuFigures(before: Cpu, after: Cpu, count: number): Record<string, number> {
  const microseconds = (seconds: number): number => Math.round((seconds * 1e6) / count);
  return {
    cpuMicrosecondsPerRecord: microseconds(after.all - before.all),
    ofThemInTheHttpThread: microseconds(after.main - before.main),
  };
}

/** One record a request to a service that runs; signing is done before the clock runs. */
export async function singlesTo(
  service: ServiceProcess,
  workspace: Workspace,
  plan: IngestPlan,
): Promise<IngestFigures> {
  const { records, connections, native } = plan;
  await runLoad(service.port, singleRequests(service, workspace, WARM_UP_RECORDS), accepted);
  const perAgent = Math.ceil(records / connections);
  const load = singleRequests(service, workspace, perAgent);
  const count = perAgent * connections;
  const before = service.cpu();
  const result = await runLoad(service.port, load, accepted);
  return {
    connections,
    ...figures(result, count, native),
    ...cpuFigures(before, service.cpu(), count),
    ...service.memory(),
  };
}

/** One record a request, to a new service. */
export async function singlesRun(plan: IngestPlan): Promise<IngestFigures> {
  const service = await ServiceProcess.start();
  try {
    return await singlesTo(service, await makeWorkspace(service, plan.connections), plan);
  } finally {
    await service.stop();
  }
}

/** The same requests to the bare service, which does the least that can be done for them with the same libraries. */
export async function bareRun(plan: IngestPlan): Promise<IngestFigures> {
  const service = await ServiceProcess.startBare();
  try {
    const orgId = randomUUID();
    const agents = Array.from({ length: plan.connections }, (_, number) => new Signer(orgId, `agent-${number}`));
    return await singlesTo(service, { token: 'x'.repeat(43), agents }, plan);
  } finally {
    await service.stop();
  }
}

/** This many records a request, to a new service; signing is done before the clock runs. */
export async function batchesRun(
  plan: IngestPlan & { readonly batchSize: number },
  start = () => ServiceProcess.start(),
  members: MembersOf = operationMembers,
): Promise<IngestFigures> {
  const service = await start();
  try {
    return await batchesTo(service, await makeWorkspace(service, plan.connections), plan, members);
  } finally {
    await service.stop();
  }
}

/** The same to a service that runs. */
export async function batchesTo(
  service: ServiceProcess,
  workspace: Workspace,
  { records, connections, native, batchSize }: IngestPlan & { readonly batchSize: number },
  members: MembersOf = operationMembers,
): Promise<IngestFigures> {
  await runLoad(service.port, batchRequests(service, workspace, WARM_UP_BATCHES, batchSize, members), acceptedAll);
  const batches = Math.ceil(records / connections / batchSize);
  const load = batchRequests(service, workspace, batches, batchSize, members);
  const count = batches * batchSize * connections;
  const before = service.cpu();
  const result = await runLoad(service.port, load, acceptedAll);
  return {
    connections,
    batchSize,
    ...figures(result, count, native),
    ...cpuFigures(before, service.cpu(), count),
    ...service.memory(),
  };
}

/** The same turn by turn to services with and without a content index, with payloads of 2 KiB: what the index costs those who submit. */
export async function contentIndexRuns(plan: IngestPlan & { readonly batchSize: number }, rounds: number) {
  const members: MembersOf = (number) => ({ ...operationMembers(number), payload: payloadOf(number, 2048) });
  const runs = { with: [] as IngestFigures[], without: [] as IngestFigures[] };
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const);
    for (const kind of order) {
      const start = kind === 'with' ? ServiceProcess.start : ServiceProcess.startWithoutContentIndex;
      runs[kind].push(await batchesRun(plan, () => start(), members));
    }
  }
  const rate = (kind: 'with' | 'without'): number =>
    quantile(
      runs[kind].map(({ recordsPerSecond }) => recordsPerSecond).sort((a, b) => a - b),
      0.5,
    );
  return { ratio: Number((rate('with') / rate('without')).toFixed(3)), ...runs };
}
