import { packageCommand } from './paths.ts';
import { type RunResult, runNode } from './run.ts';

/** Set to 1 in the environment of tests for which the desktop has just been built. */
export const PAGES_BUILT = 'TEST_PAGES_BUILT';

const LIMIT_MS = 5 * 60_000;

/** Builds main, preload and renderer into out/. Electron's binary is not needed for it. */
export function buildDesktop(): Promise<RunResult> {
  return runNode(packageCommand('electron-vite', 'electron-vite'), ['build'], { limitMs: LIMIT_MS });
}
