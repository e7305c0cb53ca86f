import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Signer } from '../test/support/signer.ts';
import { AGENTS, auditRecord } from './support/audit-records.ts';
import { durations } from './support/figures.ts';
import { type Answered, runLoad } from './support/http-load.ts';
import { makeLedger, OWNER } from './support/make-ledger.ts';
import { nativeRate } from './support/native-rate.ts';
import { ServiceProcess } from './support/service-process.ts';
import { singleRequests } from './support/workspace.ts';

/**
 * How long a start takes, with the index of operations and without it, when it is rebuilt, and what memory; and how long
 * submissions wait while an epoch of the largest usual size is sealed.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    leaves: { type: 'string', default: '65536' },
  },
});
const records = Number(values.records);
const leaves = Number(values.leaves);
const CONNECTIONS = 16;

function accepted({ status, body }: Answered): void {
  if (status !== 201) throw new Error(`${status} ${body.toString()}`);
}

const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'countersign-bench-'));
let service: ServiceProcess | null = null;

/** Starts the service on the folder. @returns seconds until it listens, and its memory then */
async function start(): Promise<{ seconds: number; residentMb: number; peakMb: number }> {
  const began = performance.now();
  service = await ServiceProcess.start(folder, ['--epoch-max-leaves', '1048576', '--epoch-interval', '86400']);
  const seconds = Number(((performance.now() - began) / 1000).toFixed(2));
  const { residentMb, peakMb } = service.memory();
  return { seconds, residentMb: Math.round(residentMb), peakMb: Math.round(peakMb) };
}

function running(): ServiceProcess {
  if (service === null) throw new Error('the service does not run');
  return service;
}

async function stop(): Promise<void> {
  await service?.stop();
  service = null;
}

try {
  const empty = await ServiceProcess.start();
  const emptyMb = Math.round(empty.memory().residentMb);
  await empty.stop();
  // The last epoch is left open, with as many leaves as are to be sealed.
  const plan = { agents: AGENTS, epochSize: leaves + 1, spacingMs: 10, shape: auditRecord };
  const stored = Math.floor(records / (leaves + 1)) * (leaves + 1) + leaves;
  const { orgId } = await makeLedger(folder, { ...plan, records: stored });
  for (const ending of ['', '-wal', '-shm']) rmSync(join(folder, `index.sqlite${ending}`), { force: true });
  const withoutIndex = await start();
  await running().kill();
  service = null;
  const withIndex = await start();
  const here = running();
  const signedIn = (await here.call('POST', '/api/auth/sign-in/email', null, OWNER)) as { token: string };
  const { token } = (await here.call('POST', '/v1/auth/token', signedIn.token, {})) as { token: string };
  const agents = Array.from({ length: CONNECTIONS }, (_, number) => new Signer(orgId, `submitting-${number}`));
  for (const { registration } of agents) await here.call('POST', '/v1/agents/register', token, registration);
  await runLoad(here.port, singleRequests(here, { token, agents }, 20), accepted);
  const quiet = await runLoad(here.port, singleRequests(here, { token, agents }, 150), accepted);
  const load = singleRequests(here, { token, agents }, 150);
  const began = performance.now();
  const [sealing, epoch] = await Promise.all([
    runLoad(here.port, load, accepted),
    here.call('POST', '/v1/epochs', token, {}).then((answer) => ({
      ms: Math.round(performance.now() - began),
      leaves: (answer as { epoch: { leaf_count: number } }).epoch.leaf_count,
    })),
  ]);
  await stop();
  const output = {
    bench: 'start',
    records: stored,
    nativeVerifyPerSecond: Math.round(await nativeRate()),
    emptyService: { residentMb: emptyMb },
    startWithIndex: withIndex,
    startWithoutIndex: {
      ...withoutIndex,
      recordsIndexedPerSecond: Math.round(stored / Math.max(0.01, withoutIndex.seconds - withIndex.seconds)),
    },
    sealing: { ...epoch, submissionsMeanwhile: durations(sealing.times), submissionsBefore: durations(quiet.times) },
  };
  process.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true });
}
