import type UPlot from 'uplot';
import { visibleText } from '../../protocol/index.ts';
import type { Histogram } from '../api/answers.ts';
import type { TimeZone } from '../lib/time-zone.ts';
import { count, stretchText } from '../ui/time.tsx';
import type { HistogramPart } from './histogram-parts.ts';
import { HISTOGRAM } from './texts.ts';

/** The bar in which a moment lies, in words; null outside all of them. */
export function barText(
  { start_time, bucket_ms, counts }: Histogram,
  ms: number,
  zone: TimeZone,
  parts: readonly HistogramPart[] = [],
): string | null {
  if (start_time === null) return null;
  const n = Math.floor((ms - Date.parse(start_time)) / bucket_ms);
  const operations = counts[n];
  if (operations === undefined) return null;
  const from = Date.parse(start_time) + n * bucket_ms;
  const made = parts.flatMap(({ name, counts: of }) =>
    (of[n] ?? 0) > 0 ? [`${visibleText(name)} ${count(of[n] ?? 0)}`] : [],
  );
  const rest = operations - parts.reduce((sum, { counts: of }) => sum + (of[n] ?? 0), 0);
  if (parts.length > 0 && rest > 0) made.push(`${HISTOGRAM.rest} ${count(rest)}`);
  const text = `${stretchText(from, from + bucket_ms, zone)} · ${count(operations)} ${operations === 1 ? 'operation' : 'operations'}`;
  return made.length === 0 ? text : `${text}: ${made.join(', ')}`;
}

/** Says over the chart which bar the pointer is on, and while a stretch is drawn, from when to when it goes. */
export function labelPlugin(counts: Histogram, zone: TimeZone, parts: readonly HistogramPart[] = []): UPlot.Plugin {
  const label = document.createElement('div');
  label.className = 'chart-label number';
  label.hidden = true;
  const show = (plot: UPlot): void => {
    const { left = -1 } = plot.cursor;
    const { left: start, width } = plot.select;
    const at = (x: number): number => Math.round(plot.posToVal(x, 'x') * 1000);
    const text =
      left < 0
        ? null
        : width > 2
          ? stretchText(at(start), at(start + width), zone)
          : barText(counts, at(left), zone, parts);
    label.hidden = text === null;
    label.textContent = text;
    // Next to the pointer, on the side with more room.
    const isRight = left > plot.over.clientWidth / 2;
    label.style.left = isRight ? '' : `${left + 10}px`;
    label.style.right = isRight ? `${plot.over.clientWidth - left + 10}px` : '';
  };
  return {
    hooks: {
      init: [(plot) => void plot.over.append(label)],
      setCursor: [show],
    },
  };
}
