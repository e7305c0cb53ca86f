/** Commands as the documents have them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/support/paths.ts';

export interface Fence {
  /** Path from the project folder. */
  readonly page: string;
  readonly line: number;
  /** What stands after the three backticks, such as `sh not-run`. */
  readonly kind: string;
  readonly text: string;
}

/** The documents, those first that others continue from. */
export const PAGES: readonly string[] = [
  'docs/first-steps.md',
  ...globSync(['README.md', 'docs/*.md', 'docs/protocol/*.md'], { cwd: ROOT })
    .sort()
    .filter((page) => page !== join('docs', 'first-steps.md')),
];

export function textOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** All blocks between backticks, in the order of the pages. */
export function fences(): Fence[] {
  return PAGES.flatMap((page) => {
    const text = textOf(page);
    return [...text.matchAll(/^( *)```([^\n]+)\n(.*?)^ *```$/gms)].map(
      ({ index, 1: indent = '', 2: kind = '', 3: body = '' }) => ({
        page,
        line: text.slice(0, index).split('\n').length,
        kind,
        text: body.replace(new RegExp(`^${indent}`, 'gm'), ''),
      }),
    );
  });
}
