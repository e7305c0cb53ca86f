import './require-node.cjs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FoundPhrase, findPhrases, testTitles } from './find-phrases.ts';
import { EXCEPTIONS, FORBIDDEN_PHRASES } from './forbidden-phrases.ts';
import { filesBelow, ROOT } from './support/paths.ts';

const FOLDERS = ['src', 'docs', 'packages', 'python', 'bench'];
const FILES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const TEXTS = /\.(?:ts|tsx|css|html|mjs|js|py|md|toml)$/;

/** One line for each forbidden phrase of the repository. */
export function findForbiddenPhrases(): string[] {
  const whole = [...FOLDERS.flatMap((folder) => filesBelow(folder)), ...FILES].filter((path) => TEXTS.test(path));
  const tests = filesBelow('test').filter((path) => path.endsWith('.test.ts'));
  const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
  const find = (path: string, text: string): FoundPhrase[] => findPhrases(path, text, FORBIDDEN_PHRASES, EXCEPTIONS);
  const findInTitles = (path: string): FoundPhrase[] => {
    const text = read(path);
    // Parsing takes longer than looking, and most files have no such phrase at all.
    return find(path, text).length === 0 ? [] : find(path, testTitles(text));
  };
  return [
    ...whole.map((path) => ({ path, found: find(path, read(path)) })),
    ...tests.map((path) => ({ path, found: findInTitles(path) })),
  ].flatMap(({ path, found }) => found.map(({ line, phrase, instead }) => `${path}:${line} "${phrase}": ${instead}`));
}

if (import.meta.main) {
  const found = findForbiddenPhrases();
  for (const line of found) console.log(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
