import { existsSync } from 'node:fs';
import { chromiumPath, missingInteropTools, missingPdfTools } from './capabilities.ts';
import { type RunResult, run } from './run.ts';

const LIMIT_MS = 5 * 60_000;

/**
 * Installs what the tests in a browser, in other languages and of PDFs need, where that is possible without asking anybody: as root, on a
 * system with apt. Everywhere else, and when it fails, the tests in question are left out and named at the end.
 */
export async function installMissing(): Promise<void> {
  // A CHROMIUM_PATH that leads nowhere is the user's to correct; a second browser beside it would not be used.
  const { CHROMIUM_PATH: chosen } = process.env;
  const wantsChromium = chromiumPath() === undefined && !chosen;
  const others = [...missingInteropTools(), ...missingPdfTools()];
  if (!wantsChromium && others.length === 0) return;
  const packages = [...(wantsChromium ? ['chromium'] : []), ...others].join(' ');
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.log(`Not here: ${packages}. To run every test, install them (Debian: sudo apt-get install ${packages}).`);
    return;
  }
  console.log(`Installing ${packages} for the tests (apt-get, at most ${LIMIT_MS / 60_000} minutes) …`);
  const result = await aptInstall(others, wantsChromium);
  console.log(result.ok ? `Installed ${packages}.` : `Could not install ${packages}:\n${result.output.trimEnd()}`);
}

async function aptInstall(packages: readonly string[], wantsChromium: boolean): Promise<RunResult> {
  const deadline = Date.now() + LIMIT_MS;
  const options = () => ({
    limitMs: Math.max(1, deadline - Date.now()),
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  const update = await run('apt-get', ['update'], options());
  if (!update.ok) return update;
  // Some systems have no package of the one without windows.
  const shell = await run('apt-cache', ['show', 'chromium-headless-shell'], options());
  const browser = shell.ok ? 'chromium-headless-shell' : 'chromium';
  const all = wantsChromium ? [browser, ...packages] : packages;
  return run('apt-get', ['install', '-y', '--no-install-recommends', ...all], options());
}
