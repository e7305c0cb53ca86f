import { firstPlace } from './first-place.ts';
import { ProtocolError } from './protocol-error.ts';

/** Whole numbers that follow on one another, both ends inclusive. */
export type NumberRun = readonly [first: number, last: number];

/** Gathers numbers into runs as they come, in ascending order. */
export class RunBuilder {
  readonly #runs: [number, number][] = [];

  /** @param joins whether a number that is not the next one still continues the run before it */
  add(n: number, joins = false): void {
    const last = this.#runs.at(-1);
    if (last !== undefined && (joins || last[1] === n - 1)) last[1] = n;
    else this.#runs.push([n, n]);
  }

  get runs(): readonly NumberRun[] {
    return this.#runs;
  }
}

/** Runs as a text, such as `1-500,502`. */
export function runsText(runs: readonly NumberRun[]): string {
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}

/** The runs of such a text, whatever their order. @throws ProtocolError SHAPE_INVALID where the text is not such runs */
export function parseRuns(text: string): NumberRun[] {
  if (text === '') return [];
  return text.split(',').map((part) => {
    const [, first, last = first] = /^(\d{1,16})(?:-(\d{1,16}))?$/.exec(part) ?? [];
    const run: NumberRun = [Number(first), Number(last)];
    if (!Number.isSafeInteger(run[0]) || !Number.isSafeInteger(run[1]) || run[0] > run[1]) {
      throw new ProtocolError('SHAPE_INVALID', `no run of numbers: ${part.slice(0, 40)}`);
    }
    return run;
  });
}

/** Whether runs are in ascending order and have no number in common. */
export function areApart(runs: readonly NumberRun[]): boolean {
  return runs.every(([first], at) => at === 0 || first > (runs[at - 1]?.[1] ?? 0));
}

/** How many numbers are in runs that do not overlap. */
export function countRuns(runs: readonly NumberRun[]): number {
  return runs.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** Whether a number is in one of some runs, which are in ascending order and do not overlap. */
export function isInRuns(runs: readonly NumberRun[], n: number): boolean {
  const run = runs[firstPlace(runs.length, (place) => (runs[place]?.[1] ?? 0) >= n)];
  return run !== undefined && run[0] <= n;
}

/** Runs in any order, some of which may overlap or touch, as runs in ascending order that do neither. */
export function mergeRuns(runs: readonly NumberRun[]): NumberRun[] {
  const merged: [number, number][] = [];
  for (const [first, last] of runs.toSorted(([a], [b]) => a - b)) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}
