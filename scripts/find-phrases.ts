import { parseSync, Visitor } from 'vite';
import type { EXCEPTIONS, ForbiddenPhrase } from './forbidden-phrases.ts';

export interface FoundPhrase {
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

/** What may lie between two words of a sentence: blanks, or the end of a line and the beginning of the next comment. */
const BETWEEN = String.raw`(?:[ \t]+|[ \t]*\r?\n[ \t]*(?:\*|\/\/|#|>|--)?[ \t]*)`;

/** What takes a title first. */
const TITLED: ReadonlySet<string> = new Set(['describe', 'it', 'test']);

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

/** What is read of a syntax tree: every node has a type, and more that depends on it. */
interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The name that a call begins with: `it` of `it.each(rows)(title, …)`. */
function rootOf(callee: Node): string {
  if (callee.type === 'Identifier') return String(callee['name']);
  const inner = callee['object'] ?? callee['callee'] ?? callee['tag'];
  return inner === undefined ? '' : rootOf(inner as Node);
}

/** The titles of a test file, each on the line where it is; everything else is blank. */
export function testTitles(source: string): string {
  const lines = source.split('\n').map(() => '');
  new Visitor({
    CallExpression(node) {
      const [title] = node.arguments as unknown as Node[];
      if (title === undefined || !TITLED.has(rootOf(node.callee as unknown as Node))) return;
      const text =
        title.type === 'TemplateLiteral'
          ? (title['quasis'] as { readonly value: { readonly raw: string } }[]).map(({ value }) => value.raw).join('…')
          : title['value'];
      if (typeof text !== 'string') return;
      const line = source.slice(0, Number(title['start'])).split('\n').length - 1;
      lines[line] = `${lines[line] ?? ''} ${text.replaceAll('\n', ' ')}`;
    },
  }).visit(parseSync('titles.ts', source, { sourceType: 'module' }).program);
  return lines.join('\n');
}
