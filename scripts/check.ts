import './require-node.cjs';
import { runSteps, staticSteps, unitTestStep } from './support/steps.ts';

// The unit tests come after the rest: they keep all cores busy by themselves.
const failed = [...(await runSteps(staticSteps())), ...(await runSteps([unitTestStep()]))];

if (failed.length > 0) {
  console.log(`\n${failed.length} failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
