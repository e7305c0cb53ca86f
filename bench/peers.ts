/**
 * Countersign beside others that chain records, on the same machine, with what each did for a record. They take turns
 * in several rounds, each with a new service and a new cluster, and every other one in the opposite order, because disks
 * and machines have good and bad minutes; before each durable run the disk is measured.
 *
 *     npm run bench:peers -- [--rounds N] [--records N] [--seconds N] [--packages FOLDER]
 *
 * Records and seconds are those of one run in one round. Prints JSON. PostgreSQL is taken where its programs are found;
 * ssb-validate and hypercore from FOLDER, where `npm install --prefix FOLDER ssb-validate ssb-keys hypercore` has put them.
 * What is not there is `not installed`.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { messageOf } from '../src/protocol/text/light.ts';
import { batchesRun, singlesRun } from './support/ingest-runs.ts';
import { nativeRate } from './support/native-rate.ts';
import type { HypercoreFigures } from './support/peers/hypercore-log.ts';
import { type ChainLoad, type ChainRun, postgresChain } from './support/peers/postgres-chain.ts';
import { findPostgres } from './support/peers/postgres-cluster.ts';
import { Samples } from './support/peers/samples.ts';
import type { SsbFigures } from './support/peers/ssb-feed.ts';
import { WORK } from './support/peers/work.ts';
import { operationMembers } from './support/workspace.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    records: { type: 'string', default: '12000' },
    seconds: { type: 'string', default: '2' },
    packages: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const records = Number(values.records);
const seconds = Number(values.seconds);
const CLIENTS = 64;
const BATCH_CONNECTIONS = 8;
const BATCH_SIZE = 100;
/** One connection too: the lock of the chain makes many slower than one. */
const CHAIN_LOADS: readonly ChainLoad[] = [
  { clients: CLIENTS, batchSize: 1 },
  { clients: 1, batchSize: 1 },
  { clients: CLIENTS, batchSize: BATCH_SIZE },
  { clients: 1, batchSize: BATCH_SIZE },
  { clients: CLIENTS, batchSize: 1, isVerified: true },
  { clients: 1, batchSize: BATCH_SIZE, isVerified: true },
];
const NOT_INSTALLED = 'not installed';

const chainName = ({ clients, batchSize, isVerified = false }: ChainLoad): string =>
  `postgresql ${clients} ${batchSize} ${isVerified}`;

const samples = new Samples();

/** What stops a peer is told in its place; it ends neither the others nor their figures. */
const failures: Record<string, string> = {};

async function attempt(peer: string, run: () => Promise<void>): Promise<void> {
  if (peer in failures) return;
  try {
    await run();
  } catch (error) {
    failures[peer] = messageOf(error);
  }
}

async function countersign(native: number): Promise<void> {
  await samples.durable('countersign single', native, async () => {
    return (await singlesRun({ records, connections: CLIENTS, native })).recordsPerSecond;
  });
  await samples.durable('countersign batches', native, async () => {
    const plan = { records, connections: BATCH_CONNECTIONS, native, batchSize: BATCH_SIZE };
    return (await batchesRun(plan)).recordsPerSecond;
  });
}

const programs = findPostgres();
const chains: ChainRun[] = [];

async function postgresql(native: number): Promise<void> {
  if (programs === null) throw new Error(NOT_INSTALLED);
  const run = await postgresChain(programs, { loads: CHAIN_LOADS, seconds }, (load, insert) =>
    samples.durable(chainName(load), native, insert),
  );
  chains.push(run);
}

/** What a program in `support/peers` prints of a package of that folder. @throws where it is not there */
async function figuresOf<Figures>(program: string, name: string): Promise<Figures> {
  const folder = values.packages;
  if (folder === undefined || !existsSync(join(folder, 'node_modules', name))) throw new Error(NOT_INSTALLED);
  const path = join(import.meta.dirname, 'support', 'peers', program);
  const { stdout } = await promisify(execFile)(process.execPath, [path, folder, String(seconds)]);
  return JSON.parse(stdout) as Figures;
}

const feeds: SsbFigures[] = [];

async function ssbValidate(native: number): Promise<void> {
  const figures = await figuresOf<SsbFigures>('ssb-feed.ts', 'ssb-validate');
  feeds.push(figures);
  samples.add('ssb create', { perSecond: figures.createdPerSecond, native });
  samples.add('ssb validate', { perSecond: figures.validatedPerSecond, native });
}

const logs: HypercoreFigures[] = [];

async function hypercore(native: number): Promise<void> {
  const figures = await figuresOf<HypercoreFigures>('hypercore-log.ts', 'hypercore');
  logs.push(figures);
  samples.add('hypercore single', { perSecond: figures.singlePerSecond, native });
  samples.add('hypercore batches', { perSecond: figures.batchesPerSecond, native });
}

const turns = [
  countersign,
  (native: number) => attempt('postgresql', () => postgresql(native)),
  (native: number) => attempt('ssb', () => ssbValidate(native)),
  (native: number) => attempt('hypercore', () => hypercore(native)),
];
for (let round = 1; round <= rounds; round++) {
  const native = await nativeRate();
  samples.add('native', { perSecond: native, native });
  // Every other round goes backwards, so that nobody is always the first.
  for (const turn of round % 2 === 1 ? turns : turns.toReversed()) await turn(native);
}

const output = {
  bench: 'peers',
  node: process.version,
  cores: availableParallelism(),
  rounds,
  payloadBytes: JSON.stringify(operationMembers(1).payload).length,
  native: samples.summary('native', WORK.native),
  countersign: {
    single: { connections: CLIENTS, ...samples.summary('countersign single', WORK.countersign) },
    batches: {
      connections: BATCH_CONNECTIONS,
      batchSize: BATCH_SIZE,
      ...samples.summary('countersign batches', `${WORK.countersign} ${BATCH_SIZE} records in each request.`),
    },
  },
  postgresql:
    failures['postgresql'] !== undefined
      ? { notMeasured: failures['postgresql'] }
      : {
          version: chains[0]?.version,
          chainedRows: chains.reduce((sum, { chainedRows }) => sum + chainedRows, 0),
          loads: CHAIN_LOADS.map((load) => ({
            connections: load.clients,
            batchSize: load.batchSize,
            ...samples.summary(
              chainName(load),
              `${load.batchSize === 1 ? WORK.postgresql : WORK.postgresqlBatches}${load.isVerified === true ? ` ${WORK.postgresqlVerified}` : ''}`,
            ),
          })),
        },
  ssbValidate:
    failures['ssb'] !== undefined
      ? { notMeasured: failures['ssb'] }
      : {
          version: feeds[0]?.version,
          crypto: feeds[0]?.crypto,
          create: samples.summary('ssb create', WORK.ssbCreate),
          validate: samples.summary('ssb validate', WORK.ssbValidate),
        },
  hypercore:
    failures['hypercore'] !== undefined
      ? { notMeasured: failures['hypercore'] }
      : {
          version: logs[0]?.version,
          single: samples.summary('hypercore single', WORK.hypercore),
          batches: samples.summary('hypercore batches', `${WORK.hypercore} ${WORK.hypercoreBatches}`),
        },
};
process.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
