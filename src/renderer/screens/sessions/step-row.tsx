import { memo } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import type { Step } from '../../api/answers.ts';
import { ActionMarks, ActionOutcome } from '../../components/action-marks.tsx';
import { durationText, offsetText } from '../../lib/duration.ts';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { timeText } from '../../ui/time.tsx';
import { StepDetails } from './step-details.tsx';
import { KIND_ICONS, KIND_WORDS } from './step-words.ts';
import { STEP_ROW } from './texts.ts';

interface StepRowProps {
  readonly step: Step;
  /** All steps of the session, for what a step refers to. */
  readonly steps: readonly Step[];
  readonly began: string;
  readonly isBelow: boolean;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
  readonly onSelect: (operationId: string) => void;
  readonly onToggle: (operationId: string) => void;
}

/** The text of what was told, as far as a line has room; null where the title has all of it. */
function toldLine({ told, title }: Step): string | null {
  const text = told.map(({ content }) => content.value).find((value) => typeof value === 'string');
  return text === undefined || title.includes(text) ? null : text.slice(0, 600);
}

function classOf({ kind, outcome, lane }: Step, isBelow: boolean, isSelected: boolean): string {
  const trouble = outcome === 'failed' || outcome === 'refused' || outcome === 'unfinished' ? ` is-${outcome}` : '';
  const states = `${trouble}${isBelow ? ' is-below' : ''}${isSelected ? ' is-selected' : ''}`;
  return ['step', `step-${kind}`, `lane-${lane.kind}`].join(' ') + states;
}

/** One step: when, who and what on one line; unfolded with all that went in and came out. */
export const StepRow = memo(function StepRow(props: StepRowProps) {
  const { step, steps, began, isBelow, isSelected, isOpen, onSelect, onToggle } = props;
  const id = step.operation_id;
  const told = isOpen || step.kind !== 'told' ? null : toldLine(step);
  return (
    <article className={classOf(step, isBelow, isSelected)}>
      <button
        type="button"
        className="step-line"
        data-row
        data-step={id}
        tabIndex={isSelected ? 0 : -1}
        aria-expanded={isOpen}
        onFocus={() => onSelect(id)}
        onClick={() => onToggle(id)}
      >
        <span className="step-time number" title={STEP_ROW.utc(timeText(step.at))}>
          {offsetText(Date.parse(step.at) - Date.parse(began))}
        </span>
        <span className="step-icon" title={KIND_WORDS[step.kind]}>
          <Icon name={KIND_ICONS[step.kind]} />
          <span className="visually-hidden">{KIND_WORDS[step.kind]}</span>
        </span>
        <span className="step-what">
          <span className="step-title ellipsis">
            <Seen text={step.title} title={visibleText(step.title)} isJoined />
          </span>
          {told !== null && (
            <span className="step-told">
              <Seen text={told} lines />
            </span>
          )}
          {step.error !== null && !isOpen && !step.title.includes(step.error) && (
            <span className="step-error ellipsis">
              <Seen text={step.error} />
            </span>
          )}
        </span>
        <span className="step-marks">
          <ActionMarks marks={step.marks} />
        </span>
        <span className="step-took number">{step.duration_ms === null ? '' : durationText(step.duration_ms)}</span>
        <span className="step-outcome">{step.outcome !== null && <ActionOutcome outcome={step.outcome} />}</span>
      </button>
      {isOpen && <StepDetails step={step} steps={steps} />}
    </article>
  );
});
