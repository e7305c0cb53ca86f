import { useEffect, useMemo, useRef, useState } from 'react';
import UPlot from 'uplot';
import { wallText } from '../../actions/light.ts';
import type { Histogram as Counts } from '../api/answers.ts';
import { textScale } from '../lib/text-size.ts';
import { type TimeZone, useTimeZone } from '../lib/time-zone.ts';
import { count, timeWords } from '../ui/time.tsx';
import { labelPlugin } from './histogram-label.ts';
import { agentParts, type HistogramPart, stacked } from './histogram-parts.ts';
import { HISTOGRAM } from './texts.ts';

interface HistogramProps {
  readonly counts: Counts;
  readonly height: number;
  /** Takes the stretch that was drawn with the mouse, or that of the bar that was clicked, in milliseconds. */
  readonly onBrush?: (from: number, to: number) => void;
}

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** One record, or a few of one second, are shown within a minute: nobody reads an axis of fractions of a second. */
const LEAST_SPAN_MS = 60_000;

/** What light-dark() comes to now: a canvas knows no custom properties. */
function resolved(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value || colour(name);
}

/** The highest sums first: what is drawn later covers their lower parts. */
function dataOf(whole: Counts, parts: readonly HistogramPart[]): UPlot.AlignedData {
  const { start_time, bucket_ms, counts } = whole;
  const start = start_time === null ? 0 : Date.parse(start_time);
  return [counts.map((_, n) => (start + (n + 0.5) * bucket_ms) / 1000), ...stacked(whole, parts).toReversed()];
}

/** Hours and minutes, seconds and milliseconds where marks are that close, with month and day before them where it is a new day; days alone where they are further apart. */
export function axisTexts(splits: readonly number[], step: number, zone: TimeZone): string[] {
  let shownDay = '';
  return splits.map((seconds) => {
    const text = wallText(seconds * 1000, zone);
    const day = text.slice(0, 10);
    if (step >= 86_400) return day;
    const time = text.slice(11, step < 1 ? 23 : step < 60 ? 19 : 16);
    const isNewDay = day !== shownDay;
    shownDay = day;
    return isNewDay ? `${day.slice(5)} ${time}` : time;
  });
}

/** Operations over time as bars, of which the agents with the most have their parts. What it shows is also there as a table for screen readers. */
export function Histogram({ counts, height, onBrush }: HistogramProps) {
  const parts = useMemo(() => agentParts(counts), [counts]);
  const place = useRef<HTMLDivElement>(null);
  const brush = useRef(onBrush);
  brush.current = onBrush;
  const [appearance, setAppearance] = useState(0);
  const zone = useTimeZone();

  useEffect(() => {
    const redraw = (): void => setAppearance((n) => n + 1);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', redraw);
    window.addEventListener('countersign:appearance', redraw);
    return () => {
      scheme.removeEventListener('change', redraw);
      window.removeEventListener('countersign:appearance', redraw);
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the appearance is a reason to draw again
  useEffect(() => {
    const element = place.current;
    if (element === null || counts.start_time === null) return;
    // The canvas is not zoomed with the page: what is drawn on it grows by itself.
    const scale = textScale();
    const tall = height * scale;
    const plot = new UPlot(
      {
        ...optionsFor(counts, parts, scale, zone, (from, to) => brush.current?.(from, to)),
        width: element.clientWidth || 600,
        height: tall,
      },
      dataOf(counts, parts),
      element,
    );
    const watcher = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: tall }));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
  }, [counts, parts, height, appearance, zone]);

  if (counts.start_time === null) {
    return (
      <div className="chart chart-empty" style={{ height }}>
        {HISTOGRAM.none}
      </div>
    );
  }
  const start = Date.parse(counts.start_time);
  return (
    <figure style={{ margin: 0 }}>
      <div ref={place} className="chart" style={{ height: height * textScale() }} aria-hidden="true" />
      <figcaption className="visually-hidden">
        {HISTOGRAM.summary(
          counts.total,
          timeWords(start, zone),
          timeWords(start + counts.counts.length * counts.bucket_ms, zone),
          count(Math.max(...counts.counts)),
        )}
      </figcaption>
    </figure>
  );
}

function optionsFor(
  counts: Counts,
  parts: readonly HistogramPart[],
  scale: number,
  zone: TimeZone,
  onBrush: (from: number, to: number) => void,
): Omit<UPlot.Options, 'width' | 'height'> {
  const { start_time, bucket_ms } = counts;
  const start = start_time === null ? 0 : Date.parse(start_time);
  const length = counts.counts.length * bucket_ms;
  const half = Math.max(length, LEAST_SPAN_MS) / 2;
  const reach: [number, number] = [(start + length / 2 - half) / 1000, (start + length / 2 + half) / 1000];
  const ink = resolved('--ink-muted');
  const line = resolved('--line');
  // What no part has is drawn above the others, in no agent's colour.
  const colours = [parts.length === 0 ? '--accent' : '--lane-tool', ...parts.map(({ colour }) => colour).toReversed()];
  const edge = resolved('--surface-raised');
  const axis = {
    stroke: ink,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
    font: `${11 * scale}px ${getComputedStyle(document.body).fontFamily}`,
  };
  const bars = UPlot.paths.bars?.({ size: [0.9, 64], align: 0 });
  return {
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), zone),
    legend: { show: false },
    plugins: [labelPlugin(counts, zone, parts)],
    // On the right, half of the longest mark: one can stand at the very end.
    padding: [8 * scale, 38 * scale, 0, 0],
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
    scales: {
      // Of a single moment uPlot would show years.
      x: { time: true, range: () => reach },
      y: { range: (_, __, max) => [0, Math.max(1, max)] },
    },
    axes: [
      {
        ...axis,
        size: 26 * scale,
        space: 92 * scale,
        values: (_, splits, __, ___, step) => axisTexts(splits, step, zone),
      },
      {
        ...axis,
        size: 44 * scale,
        space: 17 * scale,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 1e5, 1e6],
      },
    ],
    series: [
      {},
      ...colours.map(resolved).map((colour) => ({
        fill: colour,
        // Two agents may have one colour: a line parts them.
        stroke: parts.length === 0 ? colour : edge,
        width: parts.length === 0 ? 0 : 1,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars }),
      })),
    ],
    hooks: {
      ready: [
        (plot) =>
          plot.over.addEventListener('click', ({ offsetX }) => {
            const bar = Math.floor((plot.posToVal(offsetX, 'x') * 1000 - start) / bucket_ms);
            if (bar in counts.counts) onBrush(start + bar * bucket_ms, start + (bar + 1) * bucket_ms);
          }),
      ],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 3) return;
          const at = (x: number): number => Math.round(plot.posToVal(x, 'x') * 1000);
          onBrush(at(left), at(left + width));
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}
