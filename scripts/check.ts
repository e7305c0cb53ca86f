import './require-node.cjs';
import { runSteps, staticSteps, unitTestStep } from './support/steps.ts';

// The unit tests take longest, and wait for disks and processes now and then: the rest runs beside them.
const failed = await runSteps([unitTestStep(), ...staticSteps()]);

if (failed.length > 0) {
  console.log(`\n${failed.length} failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
