import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { findViolations } from '../check-imports.ts';
import { findForbiddenPhrases } from '../check-phrases.ts';
import { findRawTexts } from '../check-shown-text.ts';
import { findTextsInCode } from '../check-written-texts.ts';
import { PACKAGES } from './packages.ts';
import { CACHE, packageCommand, ROOT } from './paths.ts';
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
 * outside the catalogues, phrases, and what nothing uses. */
export function staticSteps(): Step[] {
  const texts = [shownTextStep(), writtenTextStep(), phraseStep()];
  return [biomeStep(), ...typeSteps(), importStep(), ...texts, deadCodeStep()];
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

function typeSteps(): Step[] {
  const layers = readdirSync(join(ROOT, 'src')).map((layer) => ({ name: layer, project: join('src', layer) }));
  // The largest first: what is left at the end is small, and keeps every core busy.
  // Packages are the layers again, under what Node 20 has.
  const packages = PACKAGES.map((name) => ({ name: `packages/${name}`, project: join('packages', name) }));
  const projects = [{ name: 'test', project: 'test' }, ...layers, ...packages];
  return projects
    .filter(({ project }) => existsSync(join(ROOT, project, 'tsconfig.json')))
    .map(({ name, project }) => ({
      name: `types ${name}`,
      run: () => runNode(packageCommand('typescript', 'tsc'), typeArguments(name, project), { limitMs: LIMIT_MS }),
    }));
}

function typeArguments(name: string, project: string): string[] {
  // What the last run found out of each file, so that only what changed is looked at: npm ci takes it away.
  const buildInfo = join(CACHE, 'types', `${name.replaceAll('/', '-')}.tsbuildinfo`);
  // On several threads the compiler looks at what these share once in each: twice the work in all.
  return ['-p', project, '--noEmit', '--singleThreaded', '--incremental', '--tsBuildInfoFile', buildInfo];
}

function biomeStep(): Step {
  return {
    name: 'lint and format',
    run: () =>
      runNode(packageCommand('@biomejs/biome', 'biome'), ['ci', '--error-on-warnings', '--colors=off'], {
        limitMs: LIMIT_MS,
      }),
  };
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
    run: () => runNode(packageCommand('knip', 'knip'), ['--no-progress'], { limitMs: LIMIT_MS }),
  };
}
