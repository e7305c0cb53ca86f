import './require-node.cjs';
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { buildDesktop } from './support/build.ts';
import { electronPath } from './support/capabilities.ts';
import { tryInstallElectron } from './support/electron-install.ts';
import { ROOT } from './support/paths.ts';

const args = process.argv.slice(2);
const build = await buildDesktop();
if (build.ok) {
  const desktop = await findDesktop();
  process.exitCode = 'electron' in desktop ? await openDesktop(desktop.electron) : await serveHeadless(desktop.reason);
} else {
  console.error(`The desktop could not be built:\n${build.output.trimEnd()}`);
  process.exitCode = 1;
}

/** Electron's binary where the desktop can open, or else the reason why it can't, as one sentence. */
async function findDesktop(): Promise<{ electron: string } | { reason: string }> {
  if (process.platform === 'linux') {
    const { DISPLAY, WAYLAND_DISPLAY } = process.env;
    if (!DISPLAY && !WAYLAND_DISPLAY) return { reason: 'there is no display' };
    // Switching the sandbox off is for the user to decide, not for a start script.
    if (process.getuid?.() === 0)
      return { reason: 'Electron as root would need --no-sandbox; start it as another user' };
  }
  const electron = electronPath() ?? (await tryInstallElectron());
  if (electron !== undefined) return { electron };
  return { reason: "Electron's binary is not here and could not be fetched within a few seconds" };
}

async function openDesktop(electron: string): Promise<number> {
  if (args.length > 0) console.log(`The desktop keeps its own settings and ignores: ${args.join(' ')}`);
  const child = spawn(electron, [ROOT], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`Electron did not start: ${error.message}`);
      resolve(1);
    });
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

/**
 * In this very process, so that SIGTERM and SIGINT reach the service itself and it closes its ledger in order: what `countersign
 * serve` is takes its place where the platform can do that, since the limits on memory are given at a process's start.
 */
async function serveHeadless(reason: string): Promise<number> {
  console.log(`The desktop does not open (${reason}): running the service without it.`);
  const command = [process.execPath, join(ROOT, 'bin', 'countersign.js'), 'serve', ...args];
  if (process.platform !== 'win32') process.execve?.(process.execPath, command);
  const { main } = await import('../src/cli/main.ts');
  return main(['serve', ...args]);
}
