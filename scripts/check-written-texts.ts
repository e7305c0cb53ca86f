import './require-node.cjs';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { filesBelow, ROOT } from './support/paths.ts';
import { findWrittenTexts } from './written-texts.ts';

/**
 * Folders of src/renderer whose texts are not all in catalogues yet, and how many still are in the code: never more. A folder
 * without any goes from this list.
 */
const NOT_MOVED: Readonly<Record<string, number>> = {
  app: 91,
  components: 115,
  decisions: 3,
  proof: 100,
  report: 77,
  'screens/audit': 285,
  'screens/cases': 333,
  'screens/dashboard': 107,
  'screens/entry': 79,
  'screens/operation': 80,
  'screens/sessions': 107,
  'screens/verify': 13,
  'sign-in': 16,
  snippets: 13,
  ui: 18,
  verification: 5,
};

/** The folder that a module's texts are counted in: a screen's, or the one below src/renderer. */
function folderOf(path: string): string {
  const [first = '', second = ''] = dirname(path).split(/[\\/]/).slice(2);
  return first === 'screens' ? `screens/${second}` : first;
}

/** Reads every module of the page, and returns a line for each text outside the catalogues, by folder. */
function writtenTexts(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const path of filesBelow('src/renderer').filter((one) => /\.tsx?$/.test(one) && basename(one) !== 'texts.ts')) {
    const texts = findWrittenTexts(path, readFileSync(join(ROOT, path), 'utf8'));
    const lines = texts.map(({ line, text }) => `${path}:${line} “${text}” belongs into a texts.ts`);
    if (lines.length > 0) found.set(folderOf(path), [...(found.get(folderOf(path)) ?? []), ...lines]);
  }
  return found;
}

/** @returns what is wrong: a text outside the catalogues in a folder that was moved, or more of them in another */
export function findTextsInCode(): string[] {
  const found = writtenTexts();
  const more = [...found].flatMap(([folder, lines]) => {
    const allowed = NOT_MOVED[folder];
    if (allowed === undefined) return lines;
    if (lines.length <= allowed) return [];
    return [`src/renderer/${folder} writes ${lines.length} texts itself, ${allowed} before: use its texts.ts`];
  });
  const clean = Object.keys(NOT_MOVED).filter((folder) => !found.has(folder));
  return [...more, ...clean.map((folder) => `src/renderer/${folder} has all its texts in catalogues: off the list`)];
}

if (import.meta.main) {
  const found = findTextsInCode();
  for (const line of found) console.log(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
