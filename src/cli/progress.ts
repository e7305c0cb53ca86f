import { sizeText } from '../protocol/text/light.ts';

/** What is counted: bytes are shown as sizes, everything else by its noun. */
export type ProgressUnit = 'bytes' | 'records' | 'pages' | 'copies' | 'operations';

/** How far a task is, as it is shown. */
export interface ProgressState {
  readonly what: string;
  readonly unit: ProgressUnit;
  readonly done: number;
  /** Null where nobody knows before the end: then there is neither a bar nor a time left. */
  readonly total: number | null;
  /** Units a second, over the last seconds; null while too little is known. */
  readonly rate: number | null;
}

interface Sample {
  /** In milliseconds, of any clock that only goes forward. */
  readonly at: number;
  readonly done: number;
}

/** The rate is that of this time before now, in milliseconds: it follows a task that slows down, and does not jump. */
const WINDOW_MS = 10_000;
const SAMPLE_EVERY_MS = 250;
/** Less than this says nothing about a rate yet. */
const LEAST_MS = 1000;

/** Measures one task. Pure: the clock is given with each step. */
export class ProgressMeter {
  readonly #what: string;
  readonly #unit: ProgressUnit;
  #samples: Sample[] = [];

  constructor(what: string, unit: ProgressUnit) {
    this.#what = what;
    this.#unit = unit;
  }

  /** Whether a step is one of this task: nothing that was done is undone. */
  continues(what: string, unit: ProgressUnit, done: number): boolean {
    return what === this.#what && unit === this.#unit && done >= (this.#samples.at(-1)?.done ?? 0);
  }

  step(done: number, total: number | null, now: number): ProgressState {
    const last = this.#samples.at(-1);
    if (last === undefined || now - last.at >= SAMPLE_EVERY_MS) this.#samples.push({ at: now, done });
    this.#samples = this.#samples.filter(({ at }) => now - at <= WINDOW_MS);
    const [first] = this.#samples;
    const elapsed = first === undefined ? 0 : now - first.at;
    const rate = first === undefined || elapsed < LEAST_MS ? null : ((done - first.done) / elapsed) * 1000;
    return { what: this.#what, unit: this.#unit, done, total, rate };
  }
}

function countText(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

/** A time that is still to pass. */
function timeText(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, '0')} s`;
  return `${Math.floor(seconds / 3600)} h ${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')} min`;
}

const MOST_BAR = 30;
const LEAST_BAR = 8;

/**
 * One line about a task, never wider than the terminal: where there is little room, first the bar gets shorter, then the
 * amounts and the rate are left out.
 */
export function progressLine({ what, unit, done, total, rate }: ProgressState, columns: number): string {
  const speed = rate === null ? '' : unit === 'bytes' ? `${sizeText(rate)}/s` : `${countText(rate)}/s`;
  if (total === null) {
    const counted = unit === 'bytes' ? sizeText(done) : `${countText(done)} ${unit}`;
    return [what, counted, speed]
      .filter((part) => part !== '')
      .join('  ')
      .slice(0, Math.max(0, columns - 1));
  }
  const share = total <= 0 ? 1 : Math.min(1, done / total);
  const amount =
    unit === 'bytes' ? `${sizeText(done)} of ${sizeText(total)}` : `${countText(done)} of ${countText(total)} ${unit}`;
  const left = rate === null || rate <= 0 || done >= total ? '' : `${timeText((total - done) / rate)} left`;
  const percent = `${String(Math.floor(share * 100)).padStart(3)} %`;
  for (const details of [[amount, speed, left], [speed, left], [left], []]) {
    const tail = [percent, ...details.filter((part) => part !== '')].join('  ');
    // The last column stays free: some terminals begin a new line after it.
    const bar = Math.min(MOST_BAR, columns - 1 - what.length - tail.length - 4);
    if (bar < LEAST_BAR) continue;
    const filled = Math.round(share * bar);
    return `${what}  ${'█'.repeat(filled)}${'░'.repeat(bar - filled)}  ${tail}`;
  }
  return `${what} ${percent}`.slice(0, Math.max(0, columns - 1));
}
