/**
 * Gives changed files to everybody who reads them and compares what they say: bundles, record proofs, and receipts, other bundles,
 * checkpoints and consistency proofs beside them, to the three verifiers (src/protocol, resources/verifier/verify-bundle.mjs,
 * test/interop/verify_bundle.py); reports of chosen records as HTML, PDF and data, and bundles within PDF and gzip, to those of them that
 * read such files, and to the page's; cases to the command and to the service. The same seed makes the same mutants.
 *
 *     npm run fuzz -- [--seed N] [--count N] [--from N] [--only N] [--way WAY] [--slowest N] [--save FOLDER]
 *
 * `--way` passes over mutants of other ways, such as all but `proof`. `--slowest` is how many of the slowest are measured again, each in a
 * process of its own, beside an honest file of the same kind and size; 100 where nothing is said. `--only` shows one mutant and what each
 * reader finds in it, and `--save` writes its files into a folder. Ends with 1 where verdicts or first findings differ, a reader broke down,
 * a shipped verifier took more than 256 MiB, or a verifier more than five times the honest file's time.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FINDING_CHECK } from '../src/protocol/verify/report.ts';
import { agree, type Compared, Comparison } from '../test/support/fuzz/compare.ts';
import { type Mutant, mutantOf } from '../test/support/fuzz/mutant.ts';
import { hasCommand, isTooMuch, Slowest } from '../test/support/fuzz/slowest.ts';
import { Tally } from '../test/support/fuzz/tally.ts';
import { hasPython } from '../test/support/fuzz/verifier-process.ts';

/** How many mutants are on their way at once: one is made while others are judged. */
const AT_ONCE = 6;
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
    slowest: { type: 'string', default: '100' },
    save: { type: 'string' },
  },
});
const seed = Number(options.seed);

function describe({ number, way, how, what, trust, trustAgent, madeNotBefore }: Mutant): string {
  const given = JSON.stringify({ trust, trustAgent, madeNotBefore });
  return `--seed ${seed} --only ${number} (${way})\n  ${how}\n  ${what}\n  ${given}`;
}

function showDifference({ mutant, said }: Compared, listed: number): void {
  console.log(describe(mutant));
  for (const { reader, verdict, first, details, shown } of said) {
    console.log(`  ${reader}: ${verdict}, first ${first} ${shown ?? ''}`);
    for (const line of details.slice(0, listed)) console.log(`    ${line.slice(0, 400)}`);
  }
}

function save(mutant: Mutant, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'file'), mutant.file);
  for (const [index, bytes] of mutant.receipts.entries()) writeFileSync(join(folder, `receipts-${index}.jsonl`), bytes);
  for (const [index, bytes] of mutant.against.entries()) writeFileSync(join(folder, `against-${index}.json`), bytes);
  for (const [index, bytes] of mutant.checkpoints.entries())
    writeFileSync(join(folder, `checkpoint-${index}.txt`), bytes);
}

async function replay(comparison: Comparison, number: number): Promise<boolean> {
  const mutant = await mutantOf(seed, number);
  if (options.save !== undefined) save(mutant, options.save);
  const compared = await comparison.ask(mutant);
  showDifference(compared, 40);
  return agree(compared);
}

/** Measures the slowest again. @returns what it came to, for printing */
async function measureSlowest(tally: Tally, folder: string): Promise<{ tooMuch: object[]; summary: object }> {
  const slowest = new Slowest(folder, seed, tally.honest);
  const tooMuch: object[] = [];
  let [measured, timesHonest, mebibytes] = [0, 0, 0];
  for (const taken of tally.slowest(Number(options.slowest))) {
    if (!hasCommand(taken)) continue;
    const found = await slowest.measure(taken);
    const { own, honest } = found;
    measured++;
    timesHonest = Math.max(timesHonest, own.cpuMs / honest.cpuMs);
    if (taken.reader !== 'python') mebibytes = Math.max(mebibytes, own.peakBytes / 2 ** 20);
    if (isTooMuch(found)) tooMuch.push(found);
  }
  const rounded = (value: number): number => Math.round(value * 100) / 100;
  const summary = {
    slowest_measured_in_own_processes: measured,
    times_honest_at_most: rounded(timesHonest),
    mib_at_most_of_shipped_verifiers: Math.round(mebibytes),
    took_too_much: tooMuch,
  };
  return { tooMuch, summary };
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
      const mutant = await mutantOf(seed, next++);
      if (options.way !== undefined && mutant.way !== options.way) continue;
      const compared = await comparison.ask(mutant);
      tally.add(compared);
      if (!agree(compared)) showDifference(compared, 6);
      if (Date.now() - told < REPORT_EVERY_MS) continue;
      told = Date.now();
      console.error(`${tally.mutants} of ${count}, ${tally.differing.length} differ`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const { tooMuch, summary } = await measureSlowest(tally, comparison.folder);
  const unreached = Object.keys(FINDING_CHECK).filter((code) => code !== NEVER_OF_BUNDLES && !tally.codes.has(code));
  console.log(JSON.stringify({ seed, from, ...tally.summary(), codes_not_reached: unreached, ...summary }, null, 2));
  return tally.differing.length + tooMuch.length === 0;
}

if (!hasPython()) {
  console.error('This compares with a verifier in Python: python3 is missing.');
  process.exit(2);
}
setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
const comparison = new Comparison();
try {
  const fine = await (options.only === undefined ? runMany(comparison) : replay(comparison, Number(options.only)));
  process.exitCode = fine ? 0 : 1;
} finally {
  comparison.stop();
}
