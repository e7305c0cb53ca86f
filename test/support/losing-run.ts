// A run of tests that loses processes, each of which holds the run by one thing alone: its environment, its command line, its folder.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from '../../scripts/support/run.ts';
import { beginTestRun } from '../../scripts/support/test-run.ts';

const GRACE_MS = 100;
const WAITING = ['-e', 'setInterval(() => undefined, 2 ** 30)'];

const [, , ending = 'returns', loses = 'nothing'] = process.argv;
const run = beginTestRun(GRACE_MS);
const inside = join(run.folder, 'profile');
mkdirSync(inside);

function lose(args: readonly string[], env: NodeJS.ProcessEnv, cwd?: string): number | undefined {
  const child = spawn(process.execPath, args, {
    env,
    detached: true,
    stdio: 'ignore',
    ...(cwd === undefined ? {} : { cwd }),
  });
  child.unref();
  return child.pid;
}

const lost =
  loses === 'nothing'
    ? []
    : [lose(WAITING, run.environment), lose([...WAITING, '--', `--profile=${inside}`], {}), lose(WAITING, {}, inside)];
process.stdout.write(`${JSON.stringify({ folder: run.folder, lost })}\n`);

if (ending === 'throws') throw new Error('the run itself failed');
// As scripts/test.ts runs vitest, until somebody tells it to end.
if (ending === 'is told to end') await runNode(WAITING[0] ?? '', WAITING.slice(1), { env: run.environment });
