/** Lines around a change that are shown with it. */
const CONTEXT = 3;

/** Of longer stretches that differ, every line is shown as replaced: comparing costs the product of both lengths. */
const MAX_CELLS = 4_000_000;

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
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return [
    ...marked(' ', before.slice(0, start)),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...marked(' ', before.slice(before.length - end)),
  ];
}

function marked(mark: Line['mark'], lines: readonly string[]): Line[] {
  return lines.map((text) => ({ mark, text }));
}

/** By the longest common subsequence. */
function compareMiddle(before: readonly string[], after: readonly string[]): Line[] {
  if (before.length * after.length > MAX_CELLS) return [...marked('-', before), ...marked('+', after)];
  const width = after.length + 1;
  const longest = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number): number => longest[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      longest[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: Line[] = [];
  for (let [row, column] = [0, 0]; row < before.length || column < after.length; ) {
    const [old, fresh] = [before[row], after[column]];
    if (old !== undefined && old === fresh) {
      lines.push({ mark: ' ', text: old });
      row++;
      column++;
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ mark: '-', text: old });
      row++;
    } else {
      lines.push({ mark: '+', text: fresh ?? '' });
      column++;
    }
  }
  return lines;
}
