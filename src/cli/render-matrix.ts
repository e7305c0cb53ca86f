import type { Outcome, Qualification, Row } from './qualify/qualification.ts';
import type { Terminal } from './terminal.ts';

const WIDTHS = [26, 28, 11, 26] as const;

function columns(...cells: readonly string[]): string {
  return `  ${cells.map((cell, n) => cell.padEnd(WIDTHS[n] ?? 0)).join('  ')}`.trimEnd();
}

/** The only value of a list, or that there are several. */
function common(values: readonly string[]): string {
  const different = [...new Set(values)];
  return different.length === 1 ? (different[0] ?? '') : different.length <= 2 ? different.join(', ') : 'several';
}

function answer(row: Row, { detected, agreed }: Outcome): string {
  if (!agreed) return 'VERIFIERS DISAGREE';
  if (row.expected === 'verified') return detected ? 'accepted' : 'REFUSED';
  return detected ? 'yes' : 'NO';
}

function verdictOf({ verdict, singleFile }: Outcome): string {
  return singleFile === undefined || singleFile === verdict ? verdict : `${verdict} / ${singleFile}`;
}

/** The detection matrix for a person: a line for each kind, and one for each copy that was not as expected. */
export function renderMatrix({ rows, ...totals }: Qualification, terminal: Terminal): void {
  terminal.line(terminal.style('bold', columns('mutation', 'applied at', 'verdict', 'first finding', 'detected')));
  for (const row of rows) {
    if (row.not_applicable !== null) {
      terminal.line(terminal.style('gray', columns(row.id, 'not applicable', row.not_applicable)));
      continue;
    }
    const wrong = row.copies.filter(({ detected, agreed }) => !detected || !agreed);
    const places = row.copies.length === 1 ? (row.copies[0]?.at ?? '') : `${row.copies.length} places`;
    const findings = common(row.copies.map(({ finding }) => finding ?? '–'));
    const answers = common(row.copies.map((copy) => answer(row, copy)));
    const line = columns(row.id, places, common(row.copies.map(verdictOf)), findings, answers);
    terminal.line(wrong.length > 0 ? terminal.style('red', line) : line);
    if (row.copies.length === 1) continue;
    for (const copy of wrong) {
      terminal.line(
        terminal.style('red', columns('', copy.at, verdictOf(copy), copy.finding ?? '–', answer(row, copy))),
      );
    }
  }
  terminal.line();
  terminal.line(
    `  ${totals.applied} of ${totals.kinds} kinds applied, ${totals.copies} copies, ${totals.undetected} not as expected`,
  );
}
