// docs/shared-log.md, What it rests on: `npm run faults:shared`, bounded. Judged is every receipt that left any node.
import { expect, it } from 'vitest';
import { seedOf, share } from '../support/extent.ts';
import { CommandProcess } from '../support/processes.ts';
import { FAULTS, SharedFaults } from '../support/shared-faults.ts';

const SEED = seedOf(39);

it(`loses nothing and contradicts nothing, whatever happens to two nodes and the servers of their log (seed ${SEED})`, {
  timeout: 1_800_000,
}, async () => {
  const trial = await SharedFaults.start((args, environment) => new CommandProcess(args, environment), SEED);
  for (let round = 0; round < share(5); round++) for (const fault of FAULTS) await trial.suffer(fault);
  const { receipts, terms, ...verdict } = await trial.finish();
  expect(verdict).toEqual({ forks: 0, lost: 0, code: 0, verdict: 'verified', findings: {} });
  expect(receipts).toBeGreaterThan(0);
  expect(terms).toBeGreaterThan(FAULTS.length / 2);
});
