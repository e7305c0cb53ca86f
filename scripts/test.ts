import './require-node.cjs';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { messageOf } from '../src/protocol/text/light.ts';
import { buildDesktop, PAGES_BUILT } from './support/build.ts';
import { agentSuites, optionalSuites } from './support/capabilities.ts';
import { installMissing } from './support/install.ts';
import { NIGHTLY } from './support/nightly.ts';
import { packageCommand, ROOT } from './support/paths.ts';
import { runNode } from './support/run.ts';
import { runSteps, staticSteps } from './support/steps.ts';
import { beginTestRun, leftMessage } from './support/test-run.ts';
import { readTotals, type TestTotals } from './support/vitest-report.ts';

/** No measure: for what hangs, on a machine slower than ours. */
const VITEST_LIMIT_MS = 120 * 60_000;

// What was drawn and failed is drawn again by the same seed.
if (process.argv.includes('--nightly')) {
  const seed = process.env[NIGHTLY] ?? String(randomInt(2 ** 31));
  process.env[NIGHTLY] = seed;
  console.log(`Everything is tried; tests draw by ${NIGHTLY}=${seed}\n`);
}

await installMissing();
const testRun = beginTestRun();
const BUILD = 'desktop build';
// The build comes before the tests, because the tests of the page open what it leaves in out/renderer.
const failedSteps = await runSteps([{ name: BUILD, run: buildDesktop }, ...staticSteps()]);
console.log('');
const totals = await runVitest(!failedSteps.includes(BUILD));
const left = testRun.end();

printSkipped(totals.skippedNames);
if (left.length > 0) {
  console.log(`\n${leftMessage(left)}`);
  failedSteps.push('what the tests left behind');
}
if (failedSteps.length > 0) console.log(`\nFailed besides the tests: ${failedSteps.join(', ')}`);
// A failed step counts as a failure, so that the last line and the exit code never contradict each other.
const failed = totals.failed + failedSteps.length;
console.log(`\n${totals.passed} passed, ${failed} failed, ${totals.skipped} skipped`);
process.exitCode = failed > 0 ? 1 : 0;

async function runVitest(isBuilt: boolean): Promise<TestTotals> {
  const report = join(testRun.folder, 'report.json');
  try {
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const { ok, output } = await runNode(packageCommand('vitest', 'vitest'), args, {
      show: true,
      limitMs: VITEST_LIMIT_MS,
      env: { ...testRun.environment, [PAGES_BUILT]: isBuilt ? '1' : '' },
    });
    if (output !== '') console.log(output.trimEnd());
    const read = readTotals(readFileSync(report, 'utf8'));
    // An error outside of any test fails the run without failing a test.
    return ok || read.failed > 0 ? read : { ...read, failed: 1 };
  } catch (error) {
    console.log(`vitest left no report: ${messageOf(error)}`);
    return { passed: 0, failed: 1, skipped: 0, skippedNames: [] };
  }
}

function printSkipped(names: readonly string[]): void {
  const all = [...Object.values(optionalSuites()), ...agentSuites()];
  const suites = all.filter((suite) => !suite.available && suite.files.length > 0);
  const lines = [
    ...suites.map(
      (suite) => `${suite.name}: ${suite.reason}\n${suite.files.map((file) => `      ${file}`).join('\n')}`,
    ),
    ...names.map((name) => `${relative(ROOT, name)}: the test itself passes it over`),
  ];
  console.log('\nSkipped:');
  // A protocol test that is passed over in Node and in the browser has the same name in both.
  for (const line of lines.length > 0 ? new Set(lines) : ['nothing']) console.log(`  - ${line}`);
}
