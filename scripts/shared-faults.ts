/**
 * Two nodes of a shared log on a PostgreSQL pair, over hours: each fault of test/support/shared-faults.ts so many times while agents send,
 * in an order that is drawn. Every receipt that left a node is kept and judged at the end, by `countersign verify --receipts` as well.
 *
 *     npm run faults:shared -- [--times 50] [--seed N] [--only PART-OF-A-NAME] [--patroni]
 *
 * Needs PostgreSQL 15 or later. With --patroni three servers under Patroni with etcd, each on a host that is a network namespace, are taken apart
 * in place of the pair: needs root, and Patroni 3.0.3 or later and etcd, which COUNTERSIGN_PATRONI says where they were unpacked. Prints JSON, and ends with 1 where a receipt is contradicted or lost.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

// Read where it is loaded: what takes minutes on a busy machine has not failed.
process.env['COUNTERSIGN_PATIENCE_MS'] ??= '900000';
const { undoAll } = await import('../test/support/cleanup.ts');
const { CommandProcess, SOURCES } = await import('../test/support/processes.ts');
const { SeededRandom } = await import('../test/support/random.ts');
const { PatroniTrio } = await import('../test/support/patroni.ts');
const { FAULTS, SharedFaults } = await import('../test/support/shared-faults.ts');

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    only: { type: 'string', default: '' },
    patroni: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const random = new SeededRandom(seed);
let isInterrupted = false;
// Whoever ends it early is told what it came to so far.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isInterrupted = true;
  });
}
try {
  console.error(`seed ${seed}`);
  const trio = values.patroni ? await PatroniTrio.start() : null;
  const command = (args: readonly string[], environment?: Readonly<Record<string, string>>) =>
    new CommandProcess(args, environment, undefined, SOURCES);
  const trial = await SharedFaults.start(command, seed, trio);
  /** Each returns for how long no agent had a receipt, where that is known. */
  const acts: Readonly<Record<string, () => Promise<number | undefined>>> = Object.fromEntries(
    trio === null
      ? FAULTS.map((fault) => [fault, () => trial.suffer(fault).then(() => undefined)])
      : Object.entries(trio.faults).map(([fault, act]) => [fault, () => trial.sufferFrom(act)]),
  );
  const chosen = Object.entries(acts).filter(([fault]) => fault.includes(values.only));
  const faults = Array.from({ length: Number(values.times) }, () => chosen)
    .flat()
    .map((fault) => ({ fault, at: random.next() }))
    .toSorted((a, b) => a.at - b.at);
  const suffered: Record<string, number> = {};
  const silences: Record<string, number> = {};
  for (const {
    fault: [fault, act],
  } of faults) {
    if (isInterrupted) break;
    const silence = await act();
    suffered[fault] = (suffered[fault] ?? 0) + 1;
    if (silence !== undefined) silences[fault] = Math.max(silences[fault] ?? 0, Math.round(silence));
    console.error(`${new Date().toISOString()} ${fault} ${suffered[fault]} ${silence ?? ''}`);
  }
  const judged = await trial.finish();
  const { forks, lost, code } = judged;
  console.log(
    JSON.stringify(
      { shared: { seed, suffered, ...(trio === null ? {} : { longestSilenceMs: silences }) }, ...judged },
      null,
      2,
    ),
  );
  process.exitCode = forks === 0 && lost === 0 && code === 0 ? 0 : 1;
} finally {
  await undoAll();
}
