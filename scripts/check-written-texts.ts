import './require-node.cjs';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filesBelow, ROOT } from './support/paths.ts';
import { findWrittenTexts } from './written-texts.ts';

/** Every text for people that a module of the page writes itself, instead of taking it from the `texts.ts` next to it. */
export function findTextsInCode(): string[] {
  const modules = filesBelow('src/renderer').filter((path) => /\.tsx?$/.test(path) && basename(path) !== 'texts.ts');
  return modules.flatMap((path) =>
    findWrittenTexts(path, readFileSync(join(ROOT, path), 'utf8')).map(
      ({ line, text }) => `${path}:${line} “${text.slice(0, 60)}” belongs in a texts.ts`,
    ),
  );
}

if (import.meta.main) {
  const found = findTextsInCode();
  for (const line of found) console.log(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
