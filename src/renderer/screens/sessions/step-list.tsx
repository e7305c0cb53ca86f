import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useEffect, useMemo, useRef } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import type { Step, WorkSession } from '../../api/answers.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { ActionMarks, ActionOutcome } from '../../components/action-marks.tsx';
import { aroundOfKey, searchAround } from '../../lib/around-action.ts';
import { durationText, offsetText } from '../../lib/duration.ts';
import { textScale } from '../../lib/text-size.ts';
import { useTimeZone } from '../../lib/time-zone.ts';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { timeWords } from '../../ui/time.tsx';
import { StepDetails } from './step-details.tsx';
import { KIND_ICONS, KIND_WORDS } from './step-words.ts';
import { type StoryRow, sessionNamed } from './story.ts';
import { STEP_LIST, SUB_SESSION } from './texts.ts';

const route = ledgerScreen('/sessions');
/** A folded step and one that is unfolded, in pixels, until they are measured. */
const FOLDED = 34;
const UNFOLDED = 320;

interface StepListProps {
  readonly label: string;
  readonly rows: readonly StoryRow[];
  readonly steps: readonly Step[];
  readonly below: readonly WorkSession[];
  /** When the session began. */
  readonly began: string;
  readonly selected: string | null;
  readonly isOpen: (operationId: string) => boolean;
  readonly onSelect: (operationId: string) => void;
  readonly onToggle: (operationId: string) => void;
  readonly onFoldBelow: (session: string) => void;
}

/** The steps of a session below one another, of which only the visible ones are drawn. */
export function StepList(props: StepListProps) {
  const { label, rows, steps, selected, isOpen, onSelect } = props;
  const navigate = route.useNavigate();
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: (index) => {
      const row = rows[index];
      return (row?.kind === 'step' && isOpen(row.step.operation_id) ? UNFOLDED : FOLDED) * textScale();
    },
    overscan: 8,
  });
  const places = useMemo(() => rows.flatMap((row, at) => (row.kind === 'step' ? [at] : [])), [rows]);
  const idAt = (place: number): string | null => {
    const row = rows[place];
    return row?.kind === 'step' ? row.step.operation_id : null;
  };
  const chosen = rows.findIndex((row) => row.kind === 'step' && row.step.operation_id === selected);
  /** Whether the chosen step takes the focus once it is drawn: who goes by key is there, whoever clicks the picture is not. */
  const wantsFocus = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: to the chosen step when that changes, and not with every page
  useEffect(() => {
    if (chosen >= 0) virtual.scrollToIndex(chosen, { align: 'auto' });
  }, [selected, chosen >= 0]);
  useEffect(() => {
    if (!wantsFocus.current || selected === null) return;
    const frame = requestAnimationFrame(() => {
      const row = scroll.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(selected)}"]`);
      row?.focus({ preventScroll: true });
      wantsFocus.current = row === undefined || row === null;
    });
    return () => cancelAnimationFrame(frame);
  });

  const go = (place: number | undefined): void => {
    const id = place === undefined ? null : idAt(place);
    if (id === null) return;
    wantsFocus.current = true;
    onSelect(id);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(places.find((place) => place > chosen) ?? places.at(-1)),
      ArrowUp: () => go(chosen < 0 ? places[0] : (places.findLast((place) => place < chosen) ?? places[0])),
      Home: () => go(places[0]),
      End: () => go(places.at(-1)),
      p: () =>
        selected === null
          ? undefined
          : void navigate({ to: '/operations/$operationId', params: { operationId: selected }, search: {} }),
    };
    const around = aroundOfKey(event);
    const step = steps.find(({ operation_id }) => operation_id === selected);
    if (around !== null && step !== undefined) {
      event.preventDefault();
      const last_seq_no = step.moments.at(-1)?.seq_no ?? step.seq_no;
      void navigate({ to: '/search', search: searchAround(around, { ...step, last_seq_no }) });
      return;
    }
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  const items = virtual.getVirtualItems();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: only the visible items are there, which the element of a list cannot say
    <div ref={scroll} className="story-steps" role="list" aria-label={label} tabIndex={0} onKeyDown={onKey}>
      <div className="story-space" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            // biome-ignore lint/a11y/useSemanticElements: see above
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              role="listitem"
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              className="story-row"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Row row={row} {...props} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Row({
  row,
  steps,
  below,
  began,
  selected,
  isOpen,
  onSelect,
  onToggle,
  onFoldBelow,
}: StepListProps & { readonly row: StoryRow }) {
  if (row.kind === 'pause') {
    return <p className="story-pause">{STEP_LIST.nothingFor(durationText(row.ms))}</p>;
  }
  if (row.kind === 'below') {
    return <SubSession row={row} of={sessionNamed(below, row.session)} onFold={onFoldBelow} />;
  }
  const { step } = row;
  const id = step.operation_id;
  return (
    <StepRow
      step={step}
      steps={steps}
      began={began}
      isBelow={row.isBelow}
      isSelected={id === selected}
      isOpen={isOpen(id)}
      onSelect={onSelect}
      onToggle={onToggle}
    />
  );
}

interface SubSessionProps {
  readonly row: Extract<StoryRow, { kind: 'below' }>;
  /** What is known of it besides. */
  readonly of: WorkSession | null;
  readonly onFold: (session: string) => void;
}

/** The heading above the steps of a session that this one opened. */
function SubSession({ row: { session, steps, isFolded }, of, onFold }: SubSessionProps) {
  return (
    <div className="story-below">
      <button
        type="button"
        className="button-plain button-small"
        aria-expanded={!isFolded}
        onClick={() => onFold(session)}
      >
        <Icon name={isFolded ? 'right' : 'down'} />
        {of === null ? SUB_SESSION.titleOf : <Seen text={of.agents.join(', ')} />} · {SUB_SESSION.steps(steps)}
      </button>
      <LedgerLink to="/sessions" search={{ session }}>
        <Seen text={session} />
      </LedgerLink>
    </div>
  );
}

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
const StepRow = memo(function StepRow(props: StepRowProps) {
  const { step, steps, began, isBelow, isSelected, isOpen, onSelect, onToggle } = props;
  const zone = useTimeZone();
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
        <span className="step-time number" title={timeWords(step.at, zone)}>
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
            <span className="step-told two-lines">
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
