// The three verifiers beside each other on bundles that were changed at random: `npm run fuzz` does more of the same.
import { afterAll, describe, expect, it } from 'vitest';
import { agree, type Compared, Comparison } from '../support/fuzz/compare.ts';
import { mutantOf } from '../support/fuzz/mutant.ts';
import { hasPython, VERIFIERS } from '../support/fuzz/verifier-process.ts';
import { seedOf } from '../support/random.ts';

const COUNT = 400;
const SEED = seedOf(20_261);

/** What each came to, as the assertion shows it: `npm run fuzz -- --seed … --only …` tells more. */
function told({ mutant, answers }: Compared): string {
  const verdicts = VERIFIERS.map((name) => `${name} ${answers[name].verdict}`).join(', ');
  return `--seed ${SEED} --only ${mutant.number}: ${verdicts} (${mutant.how})`;
}

describe.skipIf(!hasPython())('three verifiers (skipped where python3 is missing)', () => {
  const comparison = new Comparison();
  afterAll(() => comparison.stop());

  it(`come to one verdict on ${COUNT} changed bundles (seed ${SEED})`, async () => {
    const compared: Compared[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < COUNT) compared.push(await comparison.compare(mutantOf(SEED, next++)));
    };
    await Promise.all([work(), work(), work()]);
    expect(compared.filter((one) => !agree(one)).map(told)).toEqual([]);
    const verdicts = Map.groupBy(compared, ({ answers }) => answers.protocol.verdict);
    for (const verdict of ['verified', 'incomplete', 'failed'] as const) {
      expect(verdicts.get(verdict)?.length ?? 0, verdict).toBeGreaterThan(COUNT / 20);
    }
  }, 600_000);
});
