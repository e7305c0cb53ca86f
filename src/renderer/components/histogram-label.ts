import type UPlot from 'uplot';
import { visibleText } from '../../protocol/index.ts';
import type { Histogram } from '../api/answers.ts';
import type { TimeZone } from '../lib/time-zone.ts';
import { count, timeText } from '../ui/time.tsx';
import type { HistogramPart } from './histogram-parts.ts';

/** A stretch of time in as few words as are exact: the day once, milliseconds only where they matter. */
export function stretchText(from: number, to: number, zone: TimeZone = 'utc'): string {
  const [start, end] = [timeText(from, zone), timeText(to, zone)];
  const shorten = (text: string): string =>
    text.endsWith('.000') && from % 1000 === 0 && to % 1000 === 0 ? text.slice(0, -4) : text;
  const isOneDay = start.slice(0, 10) === end.slice(0, 10);
  return `${shorten(start)} – ${isOneDay ? shorten(end).slice(11) : shorten(end)}`;
}

/** The bar in which a moment lies, in words; null outside all of them. */
export function barText(
  { start_time, bucket_ms, counts }: Histogram,
  ms: number,
  zone: TimeZone = 'utc',
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
