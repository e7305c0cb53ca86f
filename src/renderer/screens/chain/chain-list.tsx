// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which the elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the link in a row takes the focus, not the row
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { ShortHash } from '../../components/hash.tsx';
import { Icon } from '../../components/icons.tsx';
import { Time } from '../../components/time.tsx';
import { LedgerLink } from '../../ledger/places.tsx';
import type { ChainRow } from '../../service/answers.ts';
import type { ChainItem } from './chain-items.ts';

interface ChainListProps {
  readonly items: readonly ChainItem[];
  /** The record that is looked for. */
  readonly target: number | undefined;
  readonly older: () => void;
  readonly newer: () => void;
  readonly foot: ReactNode;
}

const ROW_HEIGHT = 25;
const NEAR_END = 40;
const COLUMNS = '34px 84px 118px 118px 176px 160px 110px minmax(200px, 1fr)';
const MIN_WIDTH = 1000;
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

/** The lines of a chain, of which only the visible ones are drawn; more is fetched in both directions. */
export function ChainList({ items, target, older, newer, foot }: ChainListProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    // What is looked for stands on top, also where newer records were loaded before.
    initialOffset: () =>
      Math.max(
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
    const wasEmpty = before.current.length === 0;
    const moved = shiftOf(before.current, items);
    before.current = items;
    if (scroll.current === null) return;
    // A time before the first record begins with nothing, and goes on with the oldest ones.
    if (wasEmpty) scroll.current.scrollTop = scroll.current.scrollHeight;
    else if (moved !== 0) scroll.current.scrollTop += moved * ROW_HEIGHT;
  }, [items]);
  useEffect(() => {
    if (last >= items.length - NEAR_END) older();
  }, [last, items.length, older]);
  useEffect(() => {
    if (first <= NEAR_END / 4) newer();
  }, [first, newer]);

  return (
    <div className="grid">
      <div ref={scroll} className="grid-scroll" tabIndex={0} role="table" aria-label="Chain" aria-rowcount={-1}>
        <div className="grid-head" role="row" style={{ gridTemplateColumns: COLUMNS, minWidth: MIN_WIDTH }}>
          {HEADS.map((head) => (
            <span key={head} role="columnheader" className={head === 'seq_no' ? 'right' : ''}>
              {head === '' ? <span className="visually-hidden">Link</span> : head}
            </span>
          ))}
        </div>
        <div className="grid-space" role="rowgroup" style={{ height: virtual.getTotalSize(), minWidth: MIN_WIDTH }}>
          {drawn.map(({ index, start }) => {
            const item = items[index];
            if (item === undefined) return null;
            const isTarget = isTargetOf(item, target);
            return (
              <div
                key={item.key}
                className={isTarget ? 'grid-row is-selected' : 'grid-row'}
                role="row"
                style={{ gridTemplateColumns: COLUMNS, transform: `translateY(${start}px)` }}
              >
                {item.kind === 'record' ? (
                  <RecordCells row={item.row} isLinked={item.isLinked} />
                ) : (
                  <Band item={item} />
                )}
              </div>
            );
          })}
        </div>
      </div>
      <div className="grid-foot">{foot}</div>
    </div>
  );
}

function RecordCells({ row, isLinked }: { readonly row: ChainRow; readonly isLinked: boolean }) {
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
      <span role="cell" title={row.operation_type}>
        {row.operation_type}
      </span>
      <span role="cell" title={row.action}>
        {row.action}
      </span>
      <span role="cell" title={row.subject}>
        <bdi>{row.subject}</bdi>
      </span>
    </>
  );
}

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
