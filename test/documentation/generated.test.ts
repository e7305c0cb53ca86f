// What programs write into documents is what is checked in: run npm run docs after a change.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writtenDocuments } from '../../scripts/docs.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { ERROR_STATUS } from '../../src/api/index.ts';
import { FINDING_CHECK } from '../../src/protocol/verify/report.ts';

describe('the documents that a program writes', () => {
  it.each(writtenDocuments().map(([path, text]) => [basename(path), path, text]))(
    '%s is up to date',
    (_, path, text) => {
      expect(readFileSync(path ?? '', 'utf8')).toBe(text);
    },
  );
});

/** Rows of the table that begins with this line, as cells. */
function rows(document: string, head: string): string[][] {
  const text = readFileSync(join(ROOT, 'docs', document), 'utf8');
  const block = text.split('\n\n').find((one) => one.startsWith(head)) ?? '';
  const lines = block.split('\n').slice(2);
  return lines.map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
}

describe('the tables whose words a person writes', () => {
  it('have every error code of the interface, with its status', () => {
    const documented = rows('limits.md', '| Code | Status |').map(([, code, status]) => [code, Number(status)]);
    expect(Object.fromEntries(documented)).toEqual(ERROR_STATUS);
  });

  it('have every finding, with the check that it fails, in the order of a report', () => {
    const documented = rows('protocol/verification.md', '| Code | Check | Meaning |').map(([, code, check]) => [
      code,
      check?.split(',')[0],
    ]);
    expect(documented).toEqual(Object.entries(FINDING_CHECK));
  });
});
