import { matchesOf } from '../../../protocol/text/index.ts';

/** Lines around a change that are shown with it. */
const CONTEXT = 3;

/** Of longer stretches that differ, every line is shown as replaced. */
const MAX_COMPARISONS = 4_000_000;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/**
 * The difference of two texts as people read it, in the unified format.
 * @param name of the file, as it stands above
 * @returns lines without the last line break; the empty text where nothing differs
 */
export function unifiedDiff(name: string, before: string | null, after: string | null): string {
  const lines = compare(linesOf(before), linesOf(after));
  const shown = lines.map((_, at) => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(isChange));
  if (!lines.some(isChange)) return '';
  const out = [`--- ${before === null ? '/dev/null' : name}`, `+++ ${after === null ? '/dev/null' : name}`];
  let [oldNumber, newNumber] = [1, 1];
  for (let at = 0; at < lines.length; ) {
    const end = nextIndex(shown, at, !shown[at]);
    const part = lines.slice(at, end);
    const [olds, news] = [
      part.filter(({ mark }) => mark !== '+').length,
      part.filter(({ mark }) => mark !== '-').length,
    ];
    if (shown[at]) {
      out.push(`@@ -${range(oldNumber, olds)} +${range(newNumber, news)} @@`);
      for (const { mark, text } of part) out.push(mark + text);
    }
    oldNumber += olds;
    newNumber += news;
    at = end;
  }
  return out.join('\n');
}

function range(first: number, count: number): string {
  return count === 0 ? `${first - 1},0` : `${first},${count}`;
}

function isChange({ mark }: Line): boolean {
  return mark !== ' ';
}

function nextIndex(values: readonly boolean[], from: number, wanted: boolean): number {
  const found = values.indexOf(wanted, from);
  return found < 0 ? values.length : found;
}

const NO_NEWLINE = '\\ No newline at end of file';

/** A last line without its break is another line than the one with it. */
function linesOf(text: string | null): string[] {
  if (text === null || text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop();
  return last === '' || last === undefined ? lines : [...lines, `${last}\n${NO_NEWLINE}`];
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  const lines: Line[] = [];
  let [a, b] = [0, 0];
  const changedUntil = (endA: number, endB: number): void => {
    for (; a < endA; a++) lines.push({ mark: '-', text: before[a] ?? '' });
    for (; b < endB; b++) lines.push({ mark: '+', text: after[b] ?? '' });
  };
  for (const [matchA, matchB] of matchesOf(before, after, MAX_COMPARISONS)) {
    changedUntil(matchA, matchB);
    lines.push({ mark: ' ', text: before[a] ?? '' });
    [a, b] = [a + 1, b + 1];
  }
  changedUntil(before.length, after.length);
  return lines;
}
