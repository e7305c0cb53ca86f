import type { Step } from '../../api/answers.ts';
import { endOf, pauseFrom, startOf } from './story.ts';

export type LaneKind = Step['lane']['kind'];

/** A line of the picture of a session: a person, an agent, a sub-agent or a tool, and what it did when. */
export interface Lane {
  readonly kind: LaneKind;
  /** Null for all those together that have no line of their own. */
  readonly id: string | null;
  readonly bars: readonly Bar[];
}

export interface Bar {
  readonly step: Step;
  /** From 0 to 1 of the width. */
  readonly start: number;
  readonly end: number;
}

/** Where time passes without anything recorded, and is drawn shorter than it was. */
export interface Break {
  readonly at: number;
  readonly ms: number;
}

/** More lines than these are not drawn: the tools used least share one. */
const MAX_LANES = 9;
/** A pause that is drawn shortened takes this part of the active time. */
const BREAK_SHARE = 0.04;
const KINDS: readonly LaneKind[] = ['person', 'agent', 'sub_agent', 'tool'];

/** When things happened along a line of the width 1; long pauses are shortened. */
export function timeScale(steps: readonly Step[]): { readonly at: (ms: number) => number; readonly breaks: Break[] } {
  const longPause = pauseFrom(steps);
  const stretches: { from: number; to: number }[] = [];
  for (const step of steps) {
    const [from, to] = [startOf(step), endOf(step)];
    const last = stretches.at(-1);
    if (last === undefined || from - last.to >= longPause) stretches.push({ from, to: Math.max(from, to) });
    else last.to = Math.max(last.to, to);
  }
  const active = Math.max(
    1,
    stretches.reduce((sum, { from, to }) => sum + to - from, 0),
  );
  const shortened = active * BREAK_SHARE;
  const whole = active + shortened * Math.max(0, stretches.length - 1);
  let passed = 0;
  const placed = stretches.map(({ from, to }) => {
    const start = passed;
    passed += to - from + shortened;
    return { from, to, start };
  });
  const at = (ms: number): number => {
    const stretch = placed.findLast(({ from }) => from <= ms) ?? placed[0];
    if (stretch === undefined) return 0;
    return (stretch.start + Math.min(Math.max(0, ms - stretch.from), stretch.to - stretch.from)) / whole;
  };
  const breaks = placed.slice(1).map(({ from, start }, n) => ({
    at: (start - shortened / 2) / whole,
    ms: from - (placed[n]?.to ?? from),
  }));
  return { at, breaks };
}

/** The lines of a session in the order of people, agents, sub-agents and tools, each in the order of its first step. */
export function lanesOf(steps: readonly Step[]): { readonly lanes: Lane[]; readonly breaks: readonly Break[] } {
  const { at, breaks } = timeScale(steps);
  const byLane = new Map<string, { kind: LaneKind; id: string; bars: Bar[] }>();
  for (const step of steps) {
    const { kind, id } = step.lane;
    const lane = byLane.get(`${kind} ${id}`) ?? { kind, id, bars: [] };
    byLane.set(`${kind} ${id}`, lane);
    lane.bars.push({ step, start: at(startOf(step)), end: at(endOf(step)) });
  }
  const all = [...byLane.values()].toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  if (all.length <= MAX_LANES) return { lanes: all, breaks };
  const ranked = all.toSorted(
    (a, b) => Number(a.kind === 'tool') - Number(b.kind === 'tool') || b.bars.length - a.bars.length,
  );
  const own = new Set(ranked.slice(0, MAX_LANES - 1));
  const others = all.filter((lane) => !own.has(lane));
  const rest: Lane = { kind: 'tool', id: null, bars: others.flatMap(({ bars }) => bars) };
  return { lanes: [...all.filter((lane) => own.has(lane)), rest], breaks };
}

/** The bar of some that is nearest to a place in the picture. */
export function nearestBar(bars: readonly Bar[], place: number): Bar | null {
  const distance = ({ start, end }: Bar): number => Math.max(0, start - place, place - end);
  return bars.reduce<Bar | null>((best, bar) => (best === null || distance(bar) < distance(best) ? bar : best), null);
}
