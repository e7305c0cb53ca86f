import type { EXCEPTIONS, ForbiddenPhrase } from './forbidden-phrases.ts';

export interface FoundPhrase {
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

/** What may lie between two words of a sentence: blanks, or the end of a line and the beginning of the next comment. */
const BETWEEN = String.raw`(?:[ \t]+|[ \t]*\r?\n[ \t]*(?:\*|\/\/|#|>|--)?[ \t]*)`;

function words(text: string): string {
  return text
    .split(' ')
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join(BETWEEN);
}

function patternOf({ phrase, unlessAfter = [], unlessBefore = [], caseSensitive = false }: ForbiddenPhrase): RegExp {
  const after = unlessAfter.map((text) => `(?<!\\b${words(text)}${BETWEEN})`).join('');
  const before = unlessBefore.map((text) => `(?!${BETWEEN}${words(text)}\\b)`).join('');
  return new RegExp(`${after}(?<![\\w-])${words(phrase)}(?![\\w-])${before}`, caseSensitive ? 'gu' : 'giu');
}

/** The forbidden phrases in a text. Pure: text in, list out, in the order of the text. */
export function findPhrases(
  path: string,
  text: string,
  phrases: readonly ForbiddenPhrase[],
  exceptions: typeof EXCEPTIONS,
): FoundPhrase[] {
  let checked = text;
  for (const exception of exceptions) {
    // As many line breaks as before, so that the numbers of lines stay right.
    if (exception.path === path) checked = checked.replaceAll(exception.text, exception.text.replace(/[^\n]/g, ' '));
  }
  return phrases
    .filter(({ below }) => below === undefined || path.startsWith(`${below}/`))
    .flatMap((rule) =>
      [...checked.matchAll(patternOf(rule))].map(({ index, 0: phrase }) => ({
        line: checked.slice(0, index).split('\n').length,
        phrase: phrase.replace(/\s*\n[\s*/#>-]*/g, ' '),
        instead: rule.instead,
      })),
    )
    .toSorted((a, b) => a.line - b.line);
}

/** The titles of a test file, each on the line where it is; everything else is blank. */
export function testTitles(source: string): string {
  const title = /\b(?:describe|it|test)(?:\.\w+)*(?:<[^()]*>)?(?:\([^'"`]*\))?\(\s*(?<quote>['"`])(?<title>(?:(?!\k<quote>)[^\\]|\\.)*)\k<quote>/gsu;
  const lines = source.split('\n').map(() => '');
  for (const match of source.matchAll(title)) {
    const line = source.slice(0, match.index + match[0].length).split('\n').length - 1;
    lines[line] = `${lines[line] ?? ''} ${match.groups?.['title'] ?? ''}`;
  }
  return lines.join('\n');
}
