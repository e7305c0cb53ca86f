import { useQuery } from '@tanstack/react-query';
import { type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactNode, useMemo, useRef } from 'react';
import { type LedgerRow, useLedger } from '../../../api/ledger/ledger.ts';
import type { RowSource } from '../../../components/row-source.ts';
import { rowKeyAt, VirtualGrid } from '../../../components/virtual-grid.tsx';
import type { AuditSearch } from '../../../lib/search-params.ts';
import { useAround } from '../use-around.ts';
import { useValueMenu } from '../value-menu.tsx';
import { cellValues, rowValues } from './cell-values.ts';
import { columnsFor, columnsOf } from './columns.tsx';
import { type Picked, SelectionContext, toggled, withRows } from './selection.ts';
import { RESULT_LIST } from './texts.ts';

interface ResultListProps {
  readonly search: AuditSearch;
  readonly rows: RowSource<LedgerRow>;
  readonly isOutdated: boolean;
  readonly onEnd: () => void;
  readonly onRange: (first: number, last: number) => void;
  readonly picked: Picked;
  readonly pick: (change: (before: Picked) => Picked) => void;
  /** Asks for tags and a note of rows. */
  readonly annotate: (rows: readonly LedgerRow[]) => void;
  readonly bookmark: (rows: readonly LedgerRow[]) => void;
  readonly foot: ReactNode;
}

const keyOf = (row: LedgerRow): string => row.operation_id;

/** The rows of a search: the preview follows the focus, several are picked, each cell has a menu. */
export function ResultList({ search, rows, picked, pick, annotate, bookmark, ...grid }: ResultListProps) {
  const ledger = useLedger();
  const { caseId, q } = ledger;
  const { data: given } = useQuery(q('liveAnnotations', { query: { limit: 1 } }));
  const hasGiven = given !== undefined && given.data.length > 0;
  const columns = useMemo(
    () =>
      columnsFor(
        columnsOf(search, ledger),
        caseId !== null && !ledger.isArchive && search.unit === 'records',
        hasGiven,
      ),
    [search, ledger, caseId, hasGiven],
  );
  const openMenu = useValueMenu();
  const goAround = useAround();
  const selection = useMemo(
    () => ({ picked, toggle: (row: LedgerRow) => pick((before) => toggled(before, row)) }),
    [picked, pick],
  );
  const isExtending = useRef(false);
  const rowOf = (key: string): LedgerRow | undefined => rows.at(rows.findIndex((row) => keyOf(row) === key));

  const onContextMenu = (event: MouseEvent): void => {
    const at = rowKeyAt(event.target);
    const row = at === null ? undefined : rowOf(at.key);
    if (at === null || row === undefined || !(event.target instanceof Element)) return;
    const cell = event.target.closest<HTMLElement>('[data-column]');
    const values = cellValues(cell?.dataset['column'] ?? '', row);
    // On the row's own link, where the key for menus opens it too, it is that of the whole row.
    const targets = values.length > 0 ? values : rowValues([...columns.map(({ id }) => id), 'tool'], row);
    if (targets.length === 0) return;
    event.preventDefault();
    openMenu(event.target.closest('[data-column]') ?? event.target, targets, at.link);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = rowKeyAt(event.target);
    const row = at === null ? undefined : rowOf(at.key);
    if (at === null || row === undefined) return;
    if (event.key === ' ') {
      event.preventDefault();
      pick((before) => toggled(before, row));
    } else if (event.key === 't' || event.key === 'b') {
      event.preventDefault();
      const act = event.key === 't' ? annotate : bookmark;
      act(picked.size > 0 ? [...picked.values()] : [row]);
    } else if (event.key === 'm' || event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
      event.preventDefault();
      openMenu(at.link ?? document.body, rowValues([...columns.map(({ id }) => id), 'tool'], row), at.link);
    } else if (event.shiftKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      pick((before) => withRows(before, [row]));
      isExtending.current = true;
    } else {
      goAround(event, { ...row, last_seq_no: row.actionRow?.last_seq_no ?? row.seq_no });
    }
  };

  // The page's own keys move the focus (app/keyboard.ts): with Shift, the row that it comes to is picked too.
  const onFocus = (event: FocusEvent): void => {
    const at = rowKeyAt(event.target);
    const row = at === null ? undefined : rowOf(at.key);
    if (isExtending.current && row !== undefined) pick((before) => withRows(before, [row]));
    isExtending.current = false;
  };

  const onClick = (event: MouseEvent): void => {
    if (!(event.target instanceof Element) || event.target.closest('a, button, input, .grid-head') !== null) return;
    // Whoever marks text in a row wants the text.
    if (window.getSelection()?.isCollapsed === false) return;
    rowKeyAt(event.target)?.link?.focus({ preventScroll: true });
  };

  return (
    <SelectionContext value={selection}>
      <VirtualGrid
        label={search.unit === 'records' ? RESULT_LIST.operations : RESULT_LIST.actions}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        selected={search.selected}
        isPicked={(row) => picked.has(row.operation_id)}
        events={{ onContextMenu, onKeyDown, onFocus, onClick }}
        {...grid}
      />
    </SelectionContext>
  );
}
