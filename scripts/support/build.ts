import { packageCommand } from './paths.ts';
import { type RunResult, runNode } from './run.ts';

const LIMIT_MS = 5 * 60_000;

/** Builds main, preload and renderer into out/. Electron's binary is not needed for it. */
export function buildDesktop(): Promise<RunResult> {
  return runNode(packageCommand('electron-vite', 'electron-vite'), ['build'], { limitMs: LIMIT_MS });
}
