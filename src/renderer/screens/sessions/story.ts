import { ALARMS } from '../../../actions/index.ts';
import type { Step, WorkSession } from '../../api/answers.ts';

/** A line of a session's story. */
export type StoryRow =
  | { readonly kind: 'step'; readonly key: string; readonly step: Step; readonly isBelow: boolean }
  /** Nothing was recorded for so long. */
  | { readonly kind: 'pause'; readonly key: string; readonly ms: number }
  /** Steps of a session that this one opened begin, or continue. */
  | {
      readonly kind: 'below';
      readonly key: string;
      readonly session: string;
      readonly steps: number;
      readonly isFolded: boolean;
    };

/** A pause is named from this long on, in milliseconds, */
const MIN_PAUSE = 60_000;
/** and where it is this many times as long as pauses of this session are. */
const UNUSUAL = 8;

export function startOf({ at }: Pick<Step, 'at'>): number {
  return Date.parse(at);
}

export function endOf({ at, ended_at, duration_ms }: Pick<Step, 'at' | 'ended_at' | 'duration_ms'>): number {
  return ended_at === null ? Date.parse(at) + (duration_ms ?? 0) : Date.parse(ended_at);
}

/** From which length on a pause in a session is worth a separate line. */
export function pauseFrom(steps: readonly Step[]): number {
  const pauses = steps
    .slice(1)
    .map((step, n) => startOf(step) - endOf(steps[n] ?? step))
    .filter((ms) => ms > 0)
    .toSorted((a, b) => a - b);
  return Math.max(MIN_PAUSE, UNUSUAL * (pauses[Math.floor(pauses.length / 2)] ?? 0));
}

/**
 * The lines of a session: its steps, the pauses between them, and the steps of sessions below it under a heading each.
 * @param folded names of sessions below whose steps are not shown
 */
export function storyOf(steps: readonly Step[], session: string, folded: ReadonlySet<string>): StoryRow[] {
  const longPause = pauseFrom(steps);
  const rows: StoryRow[] = [];
  let of = session;
  let quietSince: number | null = null;
  for (const [n, step] of steps.entries()) {
    const start = startOf(step);
    if (quietSince !== null && start - quietSince >= longPause) {
      rows.push({ kind: 'pause', key: `pause/${step.operation_id}`, ms: start - quietSince });
    }
    quietSince = Math.max(quietSince ?? start, endOf(step));
    const isBelow = step.session !== session;
    if (step.session !== of && isBelow) {
      const end = steps.findIndex((other, at) => at > n && other.session !== step.session);
      const heading = { session: step.session, steps: (end < 0 ? steps.length : end) - n };
      const isFolded = folded.has(step.session);
      rows.push({ kind: 'below', key: `below/${step.operation_id}`, ...heading, isFolded });
    }
    of = step.session;
    if (!(isBelow && folded.has(step.session))) rows.push({ kind: 'step', key: step.operation_id, step, isBelow });
  }
  return rows;
}

/** Whether a step is one to look at first. */
export function isTrouble({ outcome, marks }: Pick<Step, 'outcome' | 'marks'>): boolean {
  return (
    outcome === 'failed' || outcome === 'refused' || outcome === 'unfinished' || marks.some((mark) => ALARMS.has(mark))
  );
}

/** The try that a step repeats: the nearest call of the same tool and session before it; null where it is a first one. */
export function firstTryOf(steps: readonly Step[], step: Step): Step | null {
  if (!step.marks.includes('RETRIED') || step.tool === null) return null;
  const at = steps.indexOf(step);
  return steps.slice(0, at).findLast(({ tool, session }) => tool === step.tool && session === step.session) ?? null;
}

/** The next step to look at first, after one; the first of all after the last. */
export function nextTrouble(steps: readonly Step[], after: string | null): Step | null {
  const at = steps.findIndex(({ operation_id: id }) => id === after);
  return steps.slice(at + 1).find(isTrouble) ?? steps.find(isTrouble) ?? null;
}

/** The session below of a name, where it is known. */
export function sessionNamed(below: readonly WorkSession[], session: string): WorkSession | null {
  return below.find((one) => one.session === session) ?? null;
}
