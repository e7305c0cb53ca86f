import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { findViolations } from '../check-imports.ts';
import { findForbiddenPhrases } from '../check-phrases.ts';
import { findRawTexts } from '../check-shown-text.ts';
import { findTextsInCode } from '../check-written-texts.ts';
import { REPORT_PAGE_SCRIPT, reportPageScript } from '../report-page.ts';
import { lintAndFormat } from './lint.ts';
import { PACKAGES } from './packages.ts';
import { CACHE, packageCommand } from './paths.ts';
import { type RunResult, runNode } from './run.ts';

export interface Step {
  readonly name: string;
  run(): Promise<RunResult>;
}

// As many as there are cores, for each type check keeps to one.
const AT_ONCE = Math.max(2, availableParallelism());

/** No measure: for what hangs. */
const LIMIT_MS = 5 * 60_000;
const UNIT_TESTS_LIMIT_MS = 20 * 60_000;

/** What can be said without running the product: types of every layer, lint and format, import directions, shown texts, texts
 * outside the catalogues, phrases, what nothing uses, and whether the page of reports is that of its sources. */
export function staticSteps(): Step[] {
  const texts = [shownTextStep(), writtenTextStep(), phraseStep()];
  return [
    { name: 'lint and format', run: lintAndFormat },
    ...typeSteps(),
    importStep(),
    ...texts,
    deadCodeStep(),
    reportPageStep(),
  ];
}

export function unitTestStep(): Step {
  return {
    name: 'unit tests',
    run: () =>
      runNode(packageCommand('vitest', 'vitest'), ['run', '--project', 'unit'], { limitMs: UNIT_TESTS_LIMIT_MS }),
  };
}

/** Runs steps, prints a line for each and everything a failed one said, and returns the names of the failed. */
export async function runSteps(steps: readonly Step[]): Promise<string[]> {
  const failed: string[] = [];
  const waiting = [...steps];
  const worker = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      if (!(await runAndPrint(step))) failed.push(step.name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return failed;
}

async function runAndPrint(step: Step): Promise<boolean> {
  const start = performance.now();
  const { ok, output } = await step.run();
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(6);
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${step.name.padEnd(20)}${seconds} s`);
  if (!ok) console.log(output.trimEnd());
  return ok;
}

/** The layers and their tests, then the packages: these are layers again, under what Node 20 has. */
function typeSteps(): Step[] {
  const tsc = packageCommand('typescript', 'tsc');
  // Each project against the declarations of those it refers to, so that every file is looked at once, and again only when
  // it or what it sees of others changed. On several threads a project looks at what these share once in each.
  const build = ['-b', '--builders', String(AT_ONCE), '--checkers', '1'];
  const packages = PACKAGES.map((name) => ({
    name: `types packages/${name}`,
    run: () => runNode(tsc, packageTypeArguments(name), { limitMs: LIMIT_MS }),
  }));
  return [
    { name: 'types', run: async () => withoutFollowing(await runNode(tsc, build, { limitMs: LIMIT_MS })) },
    ...packages,
  ];
}

/**
 * Leaves out what follows from a project that does not refer to a layer it imports: thousands of lines, one for each file that
 * is not its own. The check of import directions names the project and the layer.
 */
function withoutFollowing({ ok, output }: RunResult): RunResult {
  const [first, ...blocks] = output.split(/\n(?! )/);
  const told = [first ?? '', ...blocks].filter((block) => !block.includes(' error TS6307: '));
  const left = blocks.length + 1 - told.length;
  if (left > 0) told.push(`${left} files are in no project that theirs refers to: see import directions`);
  return { ok, output: told.join('\n') };
}

function packageTypeArguments(name: string): string[] {
  const buildInfo = join(CACHE, 'types', `packages-${name}.tsbuildinfo`);
  return [
    '-p',
    join('packages', name),
    '--noEmit',
    '--singleThreaded',
    '--incremental',
    '--tsBuildInfoFile',
    buildInfo,
  ];
}

function importStep(): Step {
  return {
    name: 'import directions',
    run: async () => {
      const violations = findViolations();
      return { ok: violations.length === 0, output: violations.join('\n') };
    },
  };
}

function shownTextStep(): Step {
  return {
    name: 'shown texts',
    run: async () => {
      const found = findRawTexts();
      return { ok: found.length === 0, output: found.join('\n') };
    },
  };
}

function writtenTextStep(): Step {
  return {
    name: 'texts in catalogues',
    run: async () => {
      const found = findTextsInCode();
      return { ok: found.length === 0, output: found.join('\n') };
    },
  };
}

/** Phrases that read as translated: scripts/forbidden-phrases.ts names them, and what to write instead. */
function phraseStep(): Step {
  return {
    name: 'phrases',
    run: async () => {
      const found = findForbiddenPhrases();
      return { ok: found.length === 0, output: found.join('\n') };
    },
  };
}

/** Files, exports and packages that nothing uses; knip.json says where uses begin. */
function deadCodeStep(): Step {
  return {
    name: 'dead code',
    run: () =>
      runNode(packageCommand('knip', 'knip'), ['--no-progress', '--cache', '--cache-location', join(CACHE, 'knip')], {
        limitMs: LIMIT_MS,
      }),
  };
}

/** What reports are made with and compared with is checked in: it has to be what its sources make. */
function reportPageStep(): Step {
  return {
    name: 'page of reports',
    run: async () => {
      const ok = readFileSync(REPORT_PAGE_SCRIPT, 'utf8') === (await reportPageScript());
      return { ok, output: ok ? '' : 'resources/report-page is not what its sources make: npm run report-page' };
    },
  };
}
