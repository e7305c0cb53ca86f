/**
 * Two nodes of a shared log on a PostgreSQL pair, over hours: each fault of test/support/shared-faults.ts so many times while agents send,
 * in an order that is drawn. Every receipt that left a node is kept and judged at the end, by `countersign verify --receipts` as well.
 *
 *     npm run faults:shared -- [--times 50] [--seed N] [--only PART-OF-A-NAME]
 *
 * Needs PostgreSQL 15 or later. Prints JSON, and ends with 1 where a receipt is contradicted or lost.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

// Read where it is loaded: what takes minutes on a busy machine has not failed.
process.env['COUNTERSIGN_PATIENCE_MS'] ??= '900000';
const { undoAll } = await import('../test/support/cleanup.ts');
const { CommandProcess, SOURCES } = await import('../test/support/processes.ts');
const { SeededRandom } = await import('../test/support/random.ts');
const { FAULTS, SharedFaults } = await import('../test/support/shared-faults.ts');

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    only: { type: 'string', default: '' },
  },
});
const seed = Number(values.seed);
const random = new SeededRandom(seed);
const chosen = FAULTS.filter((fault) => fault.includes(values.only));
const faults = Array.from({ length: Number(values.times) }, () => chosen)
  .flat()
  .map((fault) => ({ fault, at: random.next() }))
  .toSorted((a, b) => a.at - b.at);
let isInterrupted = false;
// Whoever ends it early is told what it came to so far.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isInterrupted = true;
  });
}
try {
  console.error(`seed ${seed}`);
  const trial = await SharedFaults.start(
    (args, environment) => new CommandProcess(args, environment, undefined, SOURCES),
    seed,
  );
  const suffered: Record<string, number> = {};
  for (const { fault } of faults) {
    if (isInterrupted) break;
    await trial.suffer(fault);
    suffered[fault] = (suffered[fault] ?? 0) + 1;
    console.error(`${new Date().toISOString()} ${fault} ${suffered[fault]}`);
  }
  const judged = await trial.finish();
  const { forks, lost, code } = judged;
  console.log(JSON.stringify({ shared: { seed, suffered }, ...judged }, null, 2));
  process.exitCode = forks === 0 && lost === 0 && code === 0 ? 0 : 1;
} finally {
  await undoAll();
}
