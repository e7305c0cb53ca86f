import './require-node.cjs';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { filesBelow, ROOT } from './support/paths.ts';
import { findWrittenTexts, type WrittenText } from './written-texts.ts';

/**
 * Folders of src/renderer whose texts are not all in catalogues yet, and how many still are in the code: never more. A folder
 * without any goes from this list.
 */
const NOT_MOVED: Readonly<Record<string, number>> = {
  app: 9,
  components: 136,
  snippets: 14,
};

/** The folder that a module's texts are counted in: a screen's, or the one below src/renderer. */
function folderOf(path: string): string {
  const [first = '', second = ''] = dirname(path).split(/[\\/]/).slice(2);
  return first === 'screens' ? `screens/${second}` : first;
}

interface FoundText extends WrittenText {
  readonly path: string;
}

/** Reads every module of the page, and returns each text outside the catalogues, by folder. */
export function writtenTexts(): Map<string, FoundText[]> {
  const found = new Map<string, FoundText[]>();
  for (const path of filesBelow('src/renderer').filter((one) => /\.tsx?$/.test(one) && basename(one) !== 'texts.ts')) {
    const texts = findWrittenTexts(path, readFileSync(join(ROOT, path), 'utf8')).map((text) => ({ path, ...text }));
    if (texts.length > 0) found.set(folderOf(path), [...(found.get(folderOf(path)) ?? []), ...texts]);
  }
  return found;
}

/** @returns what is wrong: a text outside the catalogues in a folder that was moved, or more of them in another */
export function findTextsInCode(): string[] {
  const found = writtenTexts();
  const more = [...found].flatMap(([folder, texts]) => {
    const allowed = NOT_MOVED[folder];
    if (allowed === undefined) {
      return texts.map(({ path, line, text }) => `${path}:${line} “${text.slice(0, 60)}” belongs into a texts.ts`);
    }
    if (texts.length <= allowed) return [];
    return [`src/renderer/${folder} writes ${texts.length} texts itself, ${allowed} before: use its texts.ts`];
  });
  const clean = Object.keys(NOT_MOVED).filter((folder) => !found.has(folder));
  return [...more, ...clean.map((folder) => `src/renderer/${folder} has all its texts in catalogues: off the list`)];
}

if (import.meta.main) {
  const found = findTextsInCode();
  for (const line of found) console.log(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
