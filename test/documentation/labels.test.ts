// Labels of screens that the documents name, in italics and with a capital letter, are in the texts of the screens.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';
import { PAGES, textOf } from '../support/documents.ts';

/** Italics with a capital letter that are no labels, and labels with a value in them. */
const NO_LABELS: Readonly<Record<string, readonly string[]>> = {
  'docs/case-room.md': ['Receipts agree, 1 record differs in its payload'],
  'docs/getting-started.md': ['Save billing-bot.pem'],
  'docs/routes.md': ['Fresh sign-in'],
};

const TEXTS = globSync(['src/renderer/**/*.{ts,tsx}', 'src/api/*.ts', 'src/main/*.ts', 'src/reports/**/*.ts'], {
  cwd: ROOT,
})
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n');

function labelsOf(page: string): string[] {
  const text = textOf(page)
    .replace(/^( *)```.*?^ *```$/gms, '')
    .replace(/`[^`\n]*`/g, '');
  const found = Array.from(text.matchAll(/(?<![*\w])\*([A-Z][^*]*?)\*(?![*\w])/g), ([, label = '']) =>
    label.replace(/\s+/g, ' '),
  );
  return [...new Set(found)].filter((label) => !(NO_LABELS[page] ?? []).includes(label));
}

describe('the labels that documents name', () => {
  it.each(PAGES)('are those of the screens: %s', (page) => {
    expect(labelsOf(page).filter((label) => !TEXTS.includes(label))).toEqual([]);
  });
});
