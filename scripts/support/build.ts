import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { digestOf, digestsOf } from './digests.ts';
import { CACHE, filesBelow, packageCommand } from './paths.ts';
import { type RunResult, runNode } from './run.ts';

/** Set to 1 in the environment of tests for which the desktop has just been built. */
export const PAGES_BUILT = 'TEST_PAGES_BUILT';

const LIMIT_MS = 5 * 60_000;

/** What a build is made of, and what it leaves; both as folders and files below the root. */
const SOURCES = ['src', 'resources', 'scripts', 'electron.vite.config.ts', 'package.json', 'package-lock.json'];
const BUILT = ['out/main', 'out/preload', 'out/renderer', 'out/bundled-packages'];
const STATE = join(CACHE, 'desktop-build.json');

/**
 * Builds main, preload and renderer into out/, where what is there was not built from the same sources: a build takes the files away
 * from a run of tests that has them open. Electron's binary is not needed for it.
 */
export async function buildDesktop(): Promise<RunResult> {
  const sources = stateOf(SOURCES);
  if (existsSync(STATE) && readFileSync(STATE, 'utf8') === JSON.stringify([sources, stateOf(BUILT)])) {
    return { ok: true, output: '' };
  }
  const result = await runNode(packageCommand('electron-vite', 'electron-vite'), ['build'], { limitMs: LIMIT_MS });
  if (result.ok) {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(STATE, JSON.stringify([sources, stateOf(BUILT)]));
  }
  return result;
}

function stateOf(places: readonly string[]): string {
  return digestOf(
    JSON.stringify(digestsOf(places.flatMap((place) => (extname(place) === '' ? filesBelow(place) : [place])))),
  );
}
