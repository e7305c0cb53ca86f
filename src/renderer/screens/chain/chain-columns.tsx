// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which the elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the link in a row takes the focus, not the row

import type { ReactNode } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import type { ChainRow } from '../../api/answers.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import type { GridColumn } from '../../components/grid-columns.ts';
import { ShortHash } from '../../components/hash.tsx';
import { WrongClock } from '../../components/wrong-clock.tsx';
import { fill } from '../../lib/fill.ts';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import type { ChainItem } from './chain-items.ts';
import { CHAIN_COLUMNS_TEXTS } from './texts.ts';

/** A cell of a record; between two records there is a band, see `bandOf`. */
function ofRecord(cell: (row: ChainRow, isLinked: boolean) => ReactNode): (item: ChainItem) => ReactNode {
  return (item) => (item.kind === 'record' ? cell(item.row, item.isLinked) : null);
}

function textCell(textOf: (row: ChainRow) => string): (item: ChainItem) => ReactNode {
  return ofRecord((row) => (
    <span title={visibleText(textOf(row))}>
      <Seen text={textOf(row)} />
    </span>
  ));
}

/** The columns of a chain. The drawn links need theirs next to the numbers, so none of them moves. */
export const CHAIN_COLUMNS: readonly GridColumn<ChainItem>[] = [
  {
    id: 'link',
    head: CHAIN_COLUMNS_TEXTS.link,
    isHeadHidden: true,
    width: 34,
    className: 'link-cell',
    cell: ofRecord((row, isLinked) => <ChainLink isFirst={row.prev_chain_hash === null} isLinked={isLinked} />),
  },
  {
    id: 'seq_no',
    head: CHAIN_COLUMNS_TEXTS.number,
    width: 84,
    right: true,
    cell: ofRecord((row) => (
      <LedgerLink to="/operations/$operationId" params={{ operationId: row.operation_id }} data-row tabIndex={-1}>
        {row.seq_no}
      </LedgerLink>
    )),
  },
  {
    id: 'chain_hash',
    head: CHAIN_COLUMNS_TEXTS.chainHash,
    width: 118,
    cell: ofRecord((row) => <ShortHash value={row.chain_hash} />),
  },
  {
    id: 'prev',
    head: CHAIN_COLUMNS_TEXTS.previous,
    width: 118,
    className: 'muted',
    cell: ofRecord((row) => (row.prev_chain_hash === null ? 'null' : <ShortHash value={row.prev_chain_hash} />)),
  },
  {
    id: 'received',
    head: CHAIN_COLUMNS_TEXTS.received,
    width: 200,
    cell: ofRecord((row) => (
      <>
        <Time value={row.server_received_at} /> <WrongClock number={row.seq_no} />
      </>
    )),
  },
  { id: 'type', head: CHAIN_COLUMNS_TEXTS.type, width: 160, grows: true, cell: textCell((row) => row.operation_type) },
  { id: 'action', head: CHAIN_COLUMNS_TEXTS.action, width: 110, grows: true, cell: textCell((row) => row.action) },
  { id: 'subject', head: CHAIN_COLUMNS_TEXTS.subject, width: 200, grows: true, cell: textCell((row) => row.subject) },
].map((column) => ({ ...column, isFixed: true }));

/** A ring of the chain, and the line to the record below it: as high as its row, from one to the next. */
function ChainLink({ isFirst, isLinked }: { readonly isFirst: boolean; readonly isLinked: boolean }) {
  const colour = isLinked ? 'var(--accent)' : 'var(--bad)';
  return (
    <svg
      width="34"
      height="100%"
      role="img"
      aria-label={
        isFirst ? CHAIN_COLUMNS_TEXTS.first : isLinked ? CHAIN_COLUMNS_TEXTS.linked : CHAIN_COLUMNS_TEXTS.broken
      }
    >
      <line x1="17" y1="0" x2="17" y2="50%" stroke="var(--accent)" strokeWidth="1.5" />
      {!isFirst && (
        <line
          x1="17"
          y1="50%"
          x2="17"
          y2="100%"
          stroke={colour}
          strokeWidth="1.5"
          {...(isLinked ? {} : { strokeDasharray: '2 3' })}
        />
      )}
      <circle cx="17" cy="50%" r="4" fill="var(--surface-raised)" stroke={colour} strokeWidth="1.5" />
    </svg>
  );
}

/** What stands between two records: that the chain is broken there, or what was done to the agent. Null for a record. */
export function bandOf(item: ChainItem): ReactNode {
  if (item.kind === 'record') return null;
  if (item.kind === 'break') {
    return (
      <span role="cell" className="band band-break">
        <Icon name="fail" />
        {fill(CHAIN_COLUMNS_TEXTS.brokenAt, { seqNo: item.newer.seq_no, previousSeqNo: item.older.seq_no })}
      </span>
    );
  }
  return (
    <span role="cell" className="band band-freeze">
      <Icon name="snow" />
      {item.text} <Time value={item.at} hasZone />
    </span>
  );
}
