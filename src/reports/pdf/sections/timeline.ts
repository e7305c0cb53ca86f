import { formatTime, parseTime } from '../../../protocol/index.ts';
import type { Flow } from '../layout/flow.ts';
import { breakLines, type Line, widthOf } from '../layout/lines.ts';
import { COLOURS } from '../layout/theme.ts';
import type { Subject } from '../subject.ts';
import { counted, many } from '../wording.ts';

const BARS = 72;
const HEIGHT = 96;
const AXIS = 30;

/** How many of the times fall into each of this many equal stretches from first to last. */
export function histogram(times: readonly number[], first: number, last: number, bars: number): number[] {
  const counts = new Array<number>(bars).fill(0);
  const span = Math.max(1, last - first);
  for (const time of times) {
    const index = Math.min(bars - 1, Math.floor(((time - first) / span) * bars));
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}

/** A scale that ends at a round number: 1, 2 or 5 times a power of ten. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

function extremes(times: readonly number[]): [first: number, last: number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const time of times) {
    if (time < first) first = time;
    if (time > last) last = time;
  }
  return [first, last];
}

function inWords(milliseconds: number): string {
  const units: [number, string][] = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1000, 'second'],
  ];
  const [size, name] = units.find(([unit]) => milliseconds >= unit) ?? [1, 'millisecond'];
  const count = milliseconds / size;
  const rounded = count >= 10 ? Math.round(count) : Math.round(count * 10) / 10;
  return `${rounded} ${name}${rounded === 1 ? '' : 's'}`;
}

/** When the records were received: bars over time, where epochs end, and where findings are. */
export function writeTimeline(flow: Flow, { survey }: Subject): void {
  const [first, last] = extremes(survey.times);
  const counts = histogram(survey.times, first, last, BARS);
  const accused = histogram(survey.timesOfFindings, first, last, BARS);
  const highest = Math.max(...counts);
  const scale = roundUp(highest);
  const stretch = inWords(Math.max(1, last - first) / BARS);
  const ends = survey.epochs
    .map(({ end_time }) => parseTime(end_time))
    .filter((time) => time >= first && time <= last + Math.max(1, last - first) / BARS);
  const { muted } = flow.styles;
  const label = (text: string): Line => breakLines(text, muted, flow.width)[0] as Line;
  flow.heading(3, 'Over time', { keep: HEIGHT + 60 });
  const [x, top, width] = [flow.left + AXIS, flow.y + 4, flow.width - AXIS];
  const base = top + HEIGHT;
  const step = width / BARS;
  const at = (time: number): number => x + Math.min(1, (time - first) / Math.max(1, last - first)) * width;
  const findings = survey.timesOfFindings.length;
  const clock =
    survey.corrected === 0
      ? ''
      : ` ${counted(survey.corrected, 'operation')} may stand at a wrong time: the service’s clock was set back later.`;
  const figure = flow.element('Figure', {
    alt:
      `Bar chart: ${counted(survey.times.length, 'operation')} received from ${formatTime(first)} to ${formatTime(last)}; ` +
      `each bar is ${stretch}, the highest holds ${many(highest)}. ${counted(survey.epochs.length, 'epoch')}; ` +
      `${counted(findings, 'operation')} with findings.${clock}`,
    bbox: [flow.left, top - 4, flow.left + flow.width, base + 30],
  });
  flow.mark(figure, 'Figure', (sheet) => {
    for (const share of [0, 0.5, 1]) {
      const y = base - share * HEIGHT;
      sheet.polyline(
        [
          [x, y],
          [x + width, y],
        ],
        COLOURS.rule,
        share === 0 ? 0.8 : 0.4,
      );
      if (share === 0.5 && scale === 1) continue;
      const text = label(many(share * scale));
      sheet.text(text, x - 6 - widthOf(text.glyphs, muted.size), y + 3);
    }
    const bar = (count: number, index: number): [number, number, number, number] => {
      const height = (count / scale) * HEIGHT;
      return [x + index * step + 0.4, base - height, step - 0.8, height];
    };
    const filled = counts.map((count, index) => [count, index] as const).filter(([count]) => count > 0);
    sheet.rectangles(
      filled.map(([count, index]) => bar(count, index)),
      COLOURS.accent,
    );
    for (const time of ends) {
      sheet.polyline(
        [
          [at(time), base + 1],
          [at(time), base + 6],
        ],
        COLOURS.muted,
        0.6,
      );
    }
    accused.forEach((count, index) => {
      if (count === 0) return;
      const [left, y] = [x + (index + 0.5) * step, base - ((counts[index] ?? 0) / scale) * HEIGHT - 3];
      sheet.polygon(
        [
          [left, y],
          [left + 3.5, y - 6],
          [left - 3.5, y - 6],
        ],
        COLOURS.fail,
      );
    });
    const [start, end] = [label(formatTime(first)), label(formatTime(last))];
    sheet.text(start, x, base + 17);
    if (last > first) sheet.text(end, x + width - widthOf(end.glyphs, muted.size), base + 17);
  });
  figure.end();
  flow.y = base + 24;
  const triangles = findings === 0 ? '' : ' Red triangles: operations that findings name.';
  flow.paragraph(
    `Operations received in each ${stretch}; ticks below the axis: ends of epochs. Times in UTC.${triangles}${clock}`,
    muted,
    { after: 8 },
  );
}
