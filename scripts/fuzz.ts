/**
 * Gives changed bundles and proofs of records to the three verifiers and compares what they say: src/protocol, resources/verifier/verify-bundle.mjs
 * and test/interop/verify_bundle.py. The same seed makes the same mutants.
 *
 *     npm run fuzz -- [--seed N] [--count N] [--from N] [--only N] [--way WAY] [--save FOLDER]
 *
 * `--way` passes over mutants of other ways, such as all but `proof`. `--only` shows one mutant and what each verifier finds in it, and `--save` writes its files into a folder. Ends with 1
 * where verdicts differ, or a verifier broke down, took too long or too much memory.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FINDING_CHECK } from '../src/protocol/verify/report.ts';
import { agree, type Compared, Comparison, fasterOf } from '../test/support/fuzz/compare.ts';
import { type Mutant, mutantOf } from '../test/support/fuzz/mutant.ts';
import { Tally } from '../test/support/fuzz/tally.ts';
import { hasPython, VERIFIERS } from '../test/support/fuzz/verifier-process.ts';

/** How many mutants are on their way at once: one is made while others are judged. */
const AT_ONCE = 6;
/** How often a time that is too long is measured again before it counts. */
const MEASURED_AGAIN = 2;
const REPORT_EVERY_MS = 30_000;
/** Only what a stored ledger says of itself can be at odds with it. */
const NEVER_OF_BUNDLES = 'STATE_MISMATCH';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '10000' },
    from: { type: 'string', default: '0' },
    only: { type: 'string' },
    way: { type: 'string' },
    save: { type: 'string' },
  },
});
const seed = Number(options.seed);

function describe({ number, way, how, what, trust, trustAgent, madeNotBefore }: Mutant): string {
  const given = JSON.stringify({ trust, trustAgent, madeNotBefore });
  return `--seed ${seed} --only ${number} (${way})\n  ${how}\n  ${what}\n  ${given}`;
}

function showDifference({ mutant, answers }: Compared, listed: number): void {
  console.log(describe(mutant));
  for (const name of VERIFIERS) {
    const { verdict, details, shown } = answers[name];
    console.log(`  ${name}: ${verdict} ${shown ?? ''}`);
    const errorsFirst = details.toSorted((a, b) => Number(b.includes('error ')) - Number(a.includes('error ')));
    for (const line of errorsFirst.slice(0, listed)) console.log(`    ${line.slice(0, 400)}`);
  }
}

function save(mutant: Mutant, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bundle.json'), mutant.file);
  for (const [index, bytes] of mutant.receipts.entries()) writeFileSync(join(folder, `receipts-${index}.jsonl`), bytes);
  for (const [index, bytes] of mutant.against.entries()) writeFileSync(join(folder, `against-${index}.json`), bytes);
  for (const [index, bytes] of mutant.checkpoints.entries())
    writeFileSync(join(folder, `checkpoint-${index}.txt`), bytes);
}

async function replay(comparison: Comparison, number: number): Promise<boolean> {
  const mutant = mutantOf(seed, number);
  if (options.save !== undefined) save(mutant, options.save);
  const compared = await comparison.compare(mutant);
  showDifference(compared, 40);
  return agree(compared);
}

async function runMany(comparison: Comparison): Promise<boolean> {
  const tally = new Tally();
  const [from, count] = [Number(options.from), Number(options.count)];
  let next = from;
  let last = from + count;
  // Whoever ends it early is told what it came to so far.
  const end = (): void => {
    last = 0;
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  let told = Date.now();
  const work = async (): Promise<void> => {
    while (next < last) {
      const mutant = mutantOf(seed, next++);
      if (options.way !== undefined && mutant.way !== options.way) continue;
      let compared = await comparison.compare(mutant);
      for (let again = 0; again < MEASURED_AGAIN && tally.isSlow(compared); again++) {
        compared = fasterOf(compared, await comparison.compare(mutant));
      }
      tally.add(compared);
      if (!agree(compared)) showDifference(compared, 6);
      if (Date.now() - told < REPORT_EVERY_MS) continue;
      told = Date.now();
      console.error(`${tally.mutants} of ${count}, ${tally.differing.length} verdicts differ`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const unreached = Object.keys(FINDING_CHECK).filter((code) => code !== NEVER_OF_BUNDLES && !tally.codes.has(code));
  console.log(JSON.stringify({ seed, from, ...tally.summary(), codes_not_reached: unreached }, null, 2));
  return tally.differing.length + tally.slow.length + tally.large.length === 0;
}

if (!hasPython()) {
  console.error('This compares with a verifier in Python: python3 is missing.');
  process.exit(2);
}
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const comparison = new Comparison();
try {
  const fine = await (options.only === undefined ? runMany(comparison) : replay(comparison, Number(options.only)));
  process.exitCode = fine ? 0 : 1;
} finally {
  comparison.stop();
}
