import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { Step, WorkSession } from '../../api/answers.ts';
import { ledgerScreen } from '../../api/ledger/places.tsx';
import { durationText } from '../../lib/duration.ts';
import { textScale } from '../../lib/text-size.ts';
import { StepRow } from './step-row.tsx';
import { type StoryRow, sessionNamed } from './story.ts';
import { SubSession } from './sub-session.tsx';
import { STEP_LIST } from './texts.ts';

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
  const { label, rows, selected, isOpen, onSelect } = props;
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
