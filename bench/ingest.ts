import { parseArgs } from 'node:util';
import type { Answered, LoadResult } from './support/http-load.ts';
import { runLoad } from './support/http-load.ts';
import { nativeRate } from './support/native-rate.ts';
import { ServiceProcess } from './support/service-process.ts';
import { batchRequests, makeWorkspace, singleRequests } from './support/workspace.ts';

/**
 * Durable receipts a second: one record a request over 64 keep-alive connections, and batches of 100 over 4, against a
 * service in a process of its own. Signing is done before the clock runs.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '40000' },
    connections: { type: 'string', default: '64' },
    'batch-size': { type: 'string', default: '100' },
    only: { type: 'string' },
  },
});
const records = Number(values.records);
const connections = Number(values.connections);
const batchSize = Number(values['batch-size']);

function accepted(answer: Answered): void {
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body.toString()}`);
}

function acceptedAll(answer: Answered): void {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body.toString()}`);
  const { results } = JSON.parse(answer.body.toString()) as { results: { status: number }[] };
  if (results.some(({ status }) => status !== 201)) throw new Error(`a record of a batch was refused`);
}

function figures(result: LoadResult, count: number, native: number): Record<string, number> {
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

/** Batches in flight at once. */
const BATCH_CONNECTIONS = 4;

type Cpu = ReturnType<ServiceProcess['cpu']>;

/** What a record costs the service in processor time, whatever else the machine does. */
function cpuFigures(before: Cpu, after: Cpu, count: number): Record<string, number> {
  const microseconds = (seconds: number): number => Math.round((seconds * 1e6) / count);
  return {
    cpuMicrosecondsPerRecord: microseconds(after.all - before.all),
    ofThemInTheHttpThread: microseconds(after.main - before.main),
  };
}

const output: Record<string, unknown> = { bench: 'ingest' };
const native = nativeRate();
output['nativeVerifyPerSecond'] = Math.round(native);

if (values.only !== 'batch') {
  const service = await ServiceProcess.start();
  const workspace = await makeWorkspace(service, connections);
  await runLoad(service.port, singleRequests(service, workspace, 30), accepted);
  const perAgent = Math.ceil(records / connections);
  const load = singleRequests(service, workspace, perAgent);
  const before = service.cpu();
  const result = await runLoad(service.port, load, accepted);
  output['single'] = {
    connections,
    ...figures(result, perAgent * connections, native),
    ...cpuFigures(before, service.cpu(), perAgent * connections),
    ...service.memory(),
  };
  await service.stop();
}
if (values.only !== 'single') {
  const service = await ServiceProcess.start();
  const workspace = await makeWorkspace(service, BATCH_CONNECTIONS);
  await runLoad(service.port, batchRequests(service, workspace, 2, batchSize), acceptedAll);
  const batches = Math.ceil(records / BATCH_CONNECTIONS / batchSize);
  const load = batchRequests(service, workspace, batches, batchSize);
  const before = service.cpu();
  const result = await runLoad(service.port, load, acceptedAll);
  output['batches'] = {
    connections: BATCH_CONNECTIONS,
    batchSize,
    ...figures(result, batches * batchSize * BATCH_CONNECTIONS, native),
    ...cpuFigures(before, service.cpu(), batches * batchSize * BATCH_CONNECTIONS),
    ...service.memory(),
  };
  await service.stop();
}
output['nativeVerifyPerSecondAfter'] = Math.round(nativeRate());
process.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
