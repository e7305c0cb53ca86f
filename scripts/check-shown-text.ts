import './require-node.cjs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findShownRaw } from './shown-text.ts';
import { filesBelow, ROOT } from './support/paths.ts';

/** The one place that draws a foreign text itself. */
const SEEN = join('src', 'renderer', 'ui', 'seen.tsx');

/** Reads every module of the page that draws, and returns one line for each text that is shown raw. */
export function findRawTexts(): string[] {
  return filesBelow('src/renderer')
    .filter((path) => path.endsWith('.tsx') && join(path) !== SEEN)
    .flatMap((path) =>
      findShownRaw(path, readFileSync(join(ROOT, path), 'utf8')).map(({ line, reason }) => `${path}:${line} ${reason}`),
    );
}

if (import.meta.main) {
  const found = findRawTexts();
  for (const line of found) console.log(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
