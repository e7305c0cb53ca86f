import './require-node.cjs';
import { packageCommand } from './support/paths.ts';
import { runNode } from './support/run.ts';

const LIMIT_MS = 20 * 60_000;

/** Of lines and of branches of src/protocol, in percent. */
const LEAST = 95;

/** Runs the tests of the protocol, and says how much of it they reach. */
const { ok, output } = await runNode(
  packageCommand('vitest', 'vitest'),
  [
    'run',
    '--project=unit',
    '--project=thorough',
    'test/protocol',
    'test/security/hidden-characters',
    'test/service/ledger/operation-index/tiles',
    'test/service/ledger-verification',
    'test/service/verify-operation',
    'test/reports/pdf',
    'test/renderer',
    'test/node/trust',
    'test/cli/render',
    'test/service/home-name',
    '--coverage',
    '--coverage.include=src/protocol/**/*.ts',
    '--coverage.reporter=text',
    `--coverage.thresholds.lines=${LEAST}`,
    `--coverage.thresholds.branches=${LEAST}`,
  ],
  { limitMs: LIMIT_MS },
);
// The table alone: what the tests say is for npm test.
console.log(ok ? output.slice(Math.max(0, output.indexOf('% Coverage report'))) : output);
process.exitCode = ok ? 0 : 1;
