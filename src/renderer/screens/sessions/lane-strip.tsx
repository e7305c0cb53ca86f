import { type MouseEvent, memo, useMemo } from 'react';
import { ALARMS } from '../../../actions/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import type { Step } from '../../api/answers.ts';
import { AgentMark } from '../../components/agent-mark.tsx';
import { durationText } from '../../lib/duration.ts';
import { Seen } from '../../ui/seen.tsx';
import { type Bar, type Lane, lanesOf, nearestBar } from './lanes.ts';
import { LANE_WORDS } from './step-words.ts';
import { LANE_STRIP } from './texts.ts';

/** Units of the picture's width; its height is one for each lane. */
const WIDTH = 1000;
/** What takes no time is drawn this wide all the same, in these units. */
const MIN_BAR = 2.5;

interface LaneStripProps {
  readonly steps: readonly Step[];
  readonly selected: string | null;
  readonly onSelect: (operationId: string) => void;
}

function lookOf({ outcome, marks }: Step): string {
  if (outcome === 'failed' || marks.some((mark) => ALARMS.has(mark))) return 'bar-failed bar';
  if (outcome === 'refused' || outcome === 'unfinished') return 'bar-refused bar';
  return 'bar';
}

/**
 * A session as a picture: a line for each person, agent, sub-agent and tool, and when they did something. For the mouse, and
 * for an overview; the list below has all of it in words.
 */
export const LaneStrip = memo(function LaneStrip({ steps, selected, onSelect }: LaneStripProps) {
  const { lanes, breaks } = useMemo(() => lanesOf(steps), [steps]);
  const all = useMemo(() => lanes.flatMap(({ bars }) => bars), [lanes]);
  const marked = all.find(({ step }) => step.operation_id === selected);
  const choose = (event: MouseEvent<SVGSVGElement>, bars: readonly Bar[]): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const bar = nearestBar(bars, (event.clientX - left) / width);
    if (bar !== null) onSelect(bar.step.operation_id);
  };
  return (
    <div className="strip" aria-hidden="true">
      {lanes.map((lane) => (
        <div key={`${lane.kind} ${lane.id}`} className={`strip-lane lane-${lane.kind}`}>
          <span className="strip-name ellipsis" title={nameOf(lane)}>
            {lane.kind === 'agent' && lane.id !== null && <AgentMark agentId={lane.id} />}{' '}
            {lane.id === null ? LANE_STRIP.otherTools : <Seen text={lane.id} />}
          </span>
          <svg
            className="strip-bars"
            aria-hidden="true"
            viewBox={`0 0 ${WIDTH} 10`}
            preserveAspectRatio="none"
            onClick={(event) => choose(event, lane.bars)}
          >
            {breaks.map(({ at, ms }) => (
              <rect key={at} className="strip-break" x={at * WIDTH - 6} y={0} width={12} height={10}>
                <title>{LANE_STRIP.nothingFor(durationText(ms))}</title>
              </rect>
            ))}
            {lane.bars.map(({ step, start, end }) => (
              <rect
                key={step.operation_id}
                className={lookOf(step)}
                x={Math.min(start * WIDTH, WIDTH - MIN_BAR)}
                y={1.5}
                width={Math.max(MIN_BAR, (end - start) * WIDTH)}
                height={7}
              >
                <title>{visibleText(step.title)}</title>
              </rect>
            ))}
            {marked !== undefined && (
              <rect
                className="strip-cursor"
                x={Math.min(marked.start * WIDTH, WIDTH - MIN_BAR)}
                y={0}
                width={MIN_BAR}
                height={10}
              />
            )}
          </svg>
        </div>
      ))}
    </div>
  );
});

function nameOf({ kind, id, bars }: Lane): string {
  const name = id === null ? LANE_STRIP.otherToolsTitle : `${LANE_WORDS[kind]} ${visibleText(id)}`;
  return `${name}: ${LANE_STRIP.steps(bars.length)}`;
}
