import type { Histogram } from '../api/answers.ts';

/** One of the parts that bars are made of, such as those of an agent. */
export interface HistogramPart {
  readonly name: string;
  /** The token of its colour. */
  readonly colour: string;
  /** Operations of each bar; as many as the whole has bars. */
  readonly counts: readonly number[];
}

/** Counts of a part in the bars of the whole; zeros where it has none, or was counted over other stretches. */
export function countsWithin(whole: Histogram, part: Histogram | undefined): number[] {
  const isAligned = part?.start_time != null && whole.start_time !== null && part.bucket_ms === whole.bucket_ms;
  const shift = isAligned
    ? (Date.parse(part.start_time ?? '') - Date.parse(whole.start_time ?? '')) / whole.bucket_ms
    : Number.NaN;
  return whole.counts.map((_, n) => (isAligned ? part.counts[n - shift] : undefined) ?? 0);
}

/** Parts one on the other, from the lowest: of each bar the sum of a part and of those below it. The rest of the whole comes last. */
export function stacked(whole: Histogram, parts: readonly HistogramPart[]): number[][] {
  const sums: number[][] = [];
  for (const { counts } of parts) {
    const below = sums.at(-1);
    sums.push(whole.counts.map((most, n) => Math.min(most, (below?.[n] ?? 0) + (counts[n] ?? 0))));
  }
  return [...sums, [...whole.counts]];
}
