// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which the elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the link in a row takes the focus, not the row
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import type { ChainRow } from '../../api/answers.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { ShortHash } from '../../components/hash.tsx';
import { fontWidth } from '../../lib/font-width.ts';
import { Icon } from '../../ui/icons.tsx';
import { placeOf, RowBlock } from '../../ui/row-block.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import type { ChainItem } from './chain-items.ts';

interface ChainListProps {
  readonly items: readonly ChainItem[];
  /** The record that is looked for. */
  readonly target: number | undefined;
  /** Whether the list is first shown at its end. */
  readonly fromBottom: boolean;
  readonly older: () => void;
  readonly newer: () => void;
  /** Goes to the newest record of the chain, or to its first, where that is not loaded; says whether it does. */
  readonly toEnd: (end: 'newest' | 'first') => boolean;
  /** Whether the list takes the focus when it appears. */
  readonly takesFocus: boolean;
  readonly foot: ReactNode;
}

const ROW_HEIGHT = 25;
const HEAD_HEIGHT = 28;
const NEAR_END = 40;
const WIDTHS = [34, 84, 118, 118, 188, 160, 110, 200] as const;
/** From here on columns share what is left over. */
const FIRST_GROWING = 5;
const HEADS = ['', 'seq_no', 'chain_hash', 'prev', 'Received (UTC)', 'Type', 'Action', 'Subject'];

/** By how many lines the lines that are in both lists are further down in the second. */
export function shiftOf(before: readonly ChainItem[], after: readonly ChainItem[]): number {
  const keys = new Map(after.map(({ key }, n) => [key, n]));
  for (const [n, { key }] of before.entries()) {
    const now = keys.get(key);
    if (now !== undefined) return now - n;
  }
  return 0;
}

function isTargetOf(item: ChainItem, target: number | undefined): boolean {
  return item.kind === 'record' && item.row.seq_no === target;
}

/** The columns, wider where the font is. */
function columnsWithFont() {
  const wider = fontWidth();
  const sizes = WIDTHS.map((width) => Math.ceil(width * wider));
  const texts = sizes.map((size, n) => (n < FIRST_GROWING ? `${size}px` : `minmax(${size}px, 1fr)`));
  return { gridTemplateColumns: texts.join(' '), minWidth: sizes.reduce((sum, size) => sum + size, 0) };
}

/** The lines of a chain, of which only the visible ones are drawn; more is fetched in both directions. */
export function ChainList({ items, target, fromBottom, older, newer, toEnd, takesFocus, foot }: ChainListProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    // What is looked for stands on top, also where newer records were loaded before.
    initialOffset: () =>
      fromBottom
        ? items.length * ROW_HEIGHT
        : Math.max(
            0,
            items.findIndex((item) => isTargetOf(item, target)),
          ) * ROW_HEIGHT,
  });
  const drawn = virtual.getVirtualItems();
  const first = drawn[0]?.index ?? 0;
  const last = drawn.at(-1)?.index ?? 0;

  // Records come in above, and those far above are dropped: what is looked at stays where it is.
  const before = useRef(items);
  useLayoutEffect(() => {
    const moved = shiftOf(before.current, items);
    before.current = items;
    if (scroll.current === null) return;
    if (moved !== 0) scroll.current.scrollTop += moved * ROW_HEIGHT;
  }, [items]);
  useEffect(() => {
    if (last >= items.length - NEAR_END) older();
  }, [last, items.length, older]);
  useEffect(() => {
    if (first <= NEAR_END / 4) newer();
  }, [first, newer]);

  useEffect(() => {
    if (takesFocus) scroll.current?.focus();
  }, [takesFocus]);
  // The browser's own Home and End lead to the ends of what is loaded.
  const onKeyDown = (event: KeyboardEvent): void => {
    const end = ({ Home: 'newest', End: 'first' } as const)[event.key];
    if (end !== undefined && toEnd(end)) event.preventDefault();
  };

  const { gridTemplateColumns, minWidth } = useMemo(columnsWithFont, []);
  return (
    <div className="grid">
      <div
        ref={scroll}
        className="grid-scroll"
        tabIndex={0}
        role="table"
        aria-label="Chain"
        aria-rowcount={-1}
        onKeyDown={onKeyDown}
      >
        <div className="grid-head" role="row" style={{ gridTemplateColumns, minWidth }}>
          {HEADS.map((head) => (
            <span key={head} role="columnheader" className={head === 'seq_no' ? 'right' : ''}>
              {head === '' ? <span className="visually-hidden">Link</span> : head}
            </span>
          ))}
        </div>
        <div className="grid-space" role="rowgroup" style={{ height: virtual.getTotalSize(), minWidth }}>
          <RowBlock
            first={first}
            count={drawn.length}
            rowHeight={ROW_HEIGHT}
            headHeight={HEAD_HEIGHT}
            view={virtual.scrollRect?.height ?? 0}
          >
            {drawn.map(({ index }) => {
              const item = items[index];
              if (item === undefined) return null;
              const isTarget = isTargetOf(item, target);
              return (
                <div
                  key={item.key}
                  className={isTarget ? 'grid-row is-selected' : 'grid-row'}
                  role="row"
                  style={{ gridTemplateColumns, transform: placeOf(index, first, ROW_HEIGHT) }}
                >
                  {item.kind === 'record' ? (
                    <RecordCells row={item.row} isLinked={item.isLinked} />
                  ) : (
                    <Band item={item} />
                  )}
                </div>
              );
            })}
          </RowBlock>
        </div>
      </div>
      <div className="grid-foot">{foot}</div>
    </div>
  );
}

/** Drawn once, however often its place changes. */
const RecordCells = memo(function RecordCells({
  row,
  isLinked,
}: {
  readonly row: ChainRow;
  readonly isLinked: boolean;
}) {
  return (
    <>
      <span role="cell" className="link-cell">
        <ChainLink isFirst={row.prev_chain_hash === null} isLinked={isLinked} />
      </span>
      <span role="cell" className="right number">
        <LedgerLink to="/operations/$operationId" params={{ operationId: row.operation_id }} data-row tabIndex={-1}>
          {row.seq_no}
        </LedgerLink>
      </span>
      <span role="cell">
        <ShortHash value={row.chain_hash} />
      </span>
      <span role="cell" className="muted">
        {row.prev_chain_hash === null ? 'null' : <ShortHash value={row.prev_chain_hash} />}
      </span>
      <span role="cell">
        <Time value={row.server_received_at} />
      </span>
      <span role="cell" title={visibleText(row.operation_type)}>
        <Seen text={row.operation_type} />
      </span>
      <span role="cell" title={visibleText(row.action)}>
        <Seen text={row.action} />
      </span>
      <span role="cell" title={visibleText(row.subject)}>
        <Seen text={row.subject} />
      </span>
    </>
  );
});

/** A ring of the chain, and the line to the record below it. */
function ChainLink({ isFirst, isLinked }: { readonly isFirst: boolean; readonly isLinked: boolean }) {
  const middle = ROW_HEIGHT / 2;
  const colour = isLinked ? 'var(--accent)' : 'var(--bad)';
  return (
    <svg width="34" height={ROW_HEIGHT} role="img" aria-label={isFirst ? 'first' : isLinked ? 'linked' : 'broken'}>
      <path d={`M17 0V${middle - 4}`} stroke="var(--accent)" strokeWidth="1.5" />
      {!isFirst && (
        <path
          d={`M17 ${middle + 4}V${ROW_HEIGHT}`}
          stroke={colour}
          strokeWidth="1.5"
          {...(isLinked ? {} : { strokeDasharray: '2 3' })}
        />
      )}
      <circle cx="17" cy={middle} r="4" fill="var(--surface-raised)" stroke={colour} strokeWidth="1.5" />
    </svg>
  );
}

function Band({ item }: { readonly item: Exclude<ChainItem, { kind: 'record' }> }) {
  if (item.kind === 'break') {
    return (
      <span role="cell" className="band band-break">
        <Icon name="fail" />
        Chain broken: record {item.newer.seq_no} does not refer to record {item.older.seq_no}
      </span>
    );
  }
  return (
    <span role="cell" className="band band-freeze">
      <Icon name="snow" />
      {item.text} <Time value={item.at} />
    </span>
  );
}
