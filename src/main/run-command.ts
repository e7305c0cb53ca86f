import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { main } from '../cli/index.ts';

type Main = typeof main;

/** What a shell says of a program ended by Ctrl-C. */
const ENDED_BY_SIGNAL = 130;

/**
 * Runs a command of the command line in this process, without any window, and ends with its exit code. A quit that the
 * system asks for reaches the command as the signal that it knows.
 */
export async function runCommand(run: (main: Main) => Promise<number>): Promise<void> {
  let told = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      told = true;
      // A command that tidies up listens too. Any other is ended by a signal, as it is without a window.
      if (process.listenerCount(signal) === 1) app.exit(ENDED_BY_SIGNAL);
    });
  }
  app.on('window-all-closed', () => undefined);
  app.on('before-quit', (event) => {
    event.preventDefault();
    // Not where the signal itself has come, of which the command knows already: a second one would end it at once.
    setImmediate(() => {
      if (!told) process.emit('SIGTERM');
    });
  });
  let code = 2;
  try {
    code = await run(main);
  } catch (error) {
    // main answers for every expected failure itself; what arrives here is a defect, so the stack is worth showing.
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  }
  await drained(process.stdout);
  await drained(process.stderr);
  app.exit(code);
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}

/**
 * Shows that this installation works, on a temporary folder and without a window: a service starts, takes signed
 * operations, exports them; the bundle verifies, an altered one does not, and so does a report made of it.
 * @returns 0 where all of it is as it should be
 */
export async function selfTest(run: Main): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-self-test-'));
  const [bundle, report] = [join(folder, 'bundle.csbundle'), join(folder, 'report.pdf')];
  try {
    const recorded = await run(['demo', '--out', bundle]);
    if (recorded !== 0) return recorded;
    const kid = /"service_keys":\[\{"kid":"([\w-]{43})"/.exec(await readFile(bundle, 'utf8'))?.[1] ?? '';
    for (const command of [
      ['verify', bundle, '--trust', kid],
      ['report', bundle, '-o', report, '--trust', kid],
      ['verify', report, '--trust', kid],
    ]) {
      const code = await run(command);
      if (code !== 0) return code;
    }
    process.stdout.write('Self-test passed.\n');
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
