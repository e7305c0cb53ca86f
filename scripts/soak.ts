/**
 * A service over hours: agents submit, people search, export, import, verify, rotate and back up, and meanwhile it is killed, its disk is
 * full and its clock steps, all drawn from a seed. Every receipt that was given is kept and judged at the end by `countersign verify
 * --receipts`; memory, handles and files of the service are measured after each act and have to stay level.
 *
 *     npm run soak -- [--minutes 60] [--seed N] [--records 20] [--disk MEBIBYTES]
 *
 * Linux only. Its data folder is on a small disk in memory where this user may mount one; else nothing fills the disk. Prints JSON, and
 * ends with 1 where something was lost or did not stay level.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

// Read where it is loaded: what takes minutes on a busy machine has not failed.
process.env['COUNTERSIGN_PATIENCE_MS'] ??= '900000';
const { undoAll } = await import('../test/support/cleanup.ts');
const { CommandProcess, SOURCES } = await import('../test/support/processes.ts');
const { canMount } = await import('../test/support/small-disk.ts');
const { levels, Soak } = await import('../test/support/soak.ts');

const REPORT_EVERY_MS = 30_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    records: { type: 'string', default: '20' },
    disk: { type: 'string', default: '2048' },
  },
});
const seed = Number(values.seed);
const end = performance.now() + Number(values.minutes) * 60_000;
let isInterrupted = false;
// Whoever ends it early is told what it came to so far.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isInterrupted = true;
  });
}
try {
  const soak = new Soak({
    seed,
    records: Number(values.records),
    diskMebibytes: canMount() ? Number(values.disk) : null,
    command: (args, environment) => new CommandProcess(args, environment, undefined, SOURCES),
  });
  console.error(`seed ${seed}`);
  await soak.begin();
  let told = performance.now();
  while (performance.now() < end && !isInterrupted) {
    await soak.round();
    if (performance.now() - told < REPORT_EVERY_MS) continue;
    told = performance.now();
    console.error(JSON.stringify(soak.figures.at(-1)));
  }
  const { figures, counts } = soak;
  const judged = await soak.finish();
  const level = levels(figures);
  const last = figures.at(-1);
  console.log(
    JSON.stringify(
      { soak: { seed, minutes: Number(values.minutes) }, counts, last, ...judged, levels: level },
      null,
      2,
    ),
  );
  process.exitCode = judged.code === 0 && !level.some(({ rises }) => rises) ? 0 : 1;
} finally {
  await undoAll();
}
