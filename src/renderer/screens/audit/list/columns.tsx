import { MARK_NAMES } from '../../../../actions/index.ts';
import { visibleText } from '../../../../protocol/index.ts';
import type { ActionRow, Ledger, LedgerRow } from '../../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../../api/ledger/places.tsx';
import { ACTION_OUTCOMES, ActionMarks, ActionOutcome } from '../../../components/action-marks.tsx';
import { AgentName } from '../../../components/agent-mark.tsx';
import { GivenMarks } from '../../../components/annotations/given-marks.tsx';
import { OrgFingerprint } from '../../../components/fingerprint.tsx';
import type { GridColumn } from '../../../components/grid-columns.ts';
import { Mark } from '../../../components/mark.tsx';
import { WrongClock } from '../../../components/wrong-clock.tsx';
import { durationText } from '../../../lib/duration.ts';
import type { AuditSearch, Column } from '../../../lib/search-params.ts';
import { Icon } from '../../../ui/icons.tsx';
import { Seen } from '../../../ui/seen.tsx';
import { count, ShortTime } from '../../../ui/time.tsx';
import { FIELDS } from '../texts.ts';
import { valueIn } from './cell-values.ts';
import { useSelection } from './selection.ts';
import { COLUMNS, ROW_CELLS } from './texts.ts';

const route = ledgerScreen('/search');

/** The row's own link. Who goes along the rows by key has the details go along. */
function RowLink({ row }: { readonly row: LedgerRow }) {
  const navigate = route.useNavigate();
  const select = (before: AuditSearch): AuditSearch => ({ ...before, selected: row.operation_id });
  return (
    <LedgerLink
      to="/search"
      search={select}
      replace
      data-row
      tabIndex={-1}
      onFocus={() => void navigate({ search: select, replace: true })}
    >
      {row.seq_no}
    </LedgerLink>
  );
}

/** Says of what nobody signed that it is so, whichever columns are shown. */
function NotSigned({ row: { details }, inWords = false }: { readonly row: LedgerRow; readonly inWords?: boolean }) {
  if (details?.marks.includes('NOT_SIGNED') !== true) return null;
  if (inWords) return <span className="action-mark action-mark-note">{MARK_NAMES.NOT_SIGNED}</span>;
  return (
    <span className="muted" title={MARK_NAMES.NOT_SIGNED}>
      <Icon name="dash" />
    </span>
  );
}

/** Whether the row is one of those that are worked with together. By key it is Space, on the row. */
function SelectBox({ row }: { readonly row: LedgerRow }) {
  const { picked, toggle } = useSelection();
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      aria-label={row.actionRow === undefined ? ROW_CELLS.selectRecord(row.seq_no) : ROW_CELLS.selectAction(row.seq_no)}
      checked={picked.has(row.operation_id)}
      onChange={() => toggle(row)}
    />
  );
}

export const COLUMN_NAMES: Readonly<Record<Column, string>> = {
  ...FIELDS,
  received: COLUMNS.receivedUtc,
  issued: COLUMNS.issuedUtc,
  summary: COLUMNS.whatHappened,
  mark: COLUMNS.marks,
  witness: COLUMNS.seenBy,
};

/** A row of an action says its tool before its input. */
const OF_ACTIONS: readonly Column[] = ['issued', 'agent', 'summary', 'outcome', 'duration'];
const OF_RECORDS: readonly Column[] = ['issued', 'agent', 'tool', 'outcome', 'summary'];

/** The columns that a search shows. */
export function columnsOf(
  { columns, unit }: Pick<AuditSearch, 'columns' | 'unit'>,
  { isArchive }: Pick<Ledger, 'isArchive'>,
): readonly Column[] {
  if (columns !== undefined) return columns;
  const [time = 'issued', ...others] = unit === 'records' ? OF_RECORDS : OF_ACTIONS;
  return isArchive ? [time, ...OF_ARCHIVE, ...others] : [time, ...others];
}

const OF_ARCHIVE: readonly Column[] = ['organization', 'issuer'];

const SELECT: GridColumn<LedgerRow> = {
  id: 'select',
  head: COLUMNS.selected,
  width: 34,
  isFixed: true,
  isHeadHidden: true,
  className: 'select-cell',
  cell: (row) => <SelectBox row={row} />,
};

const numberColumn = (saysNotSigned: boolean): GridColumn<LedgerRow> => ({
  id: 'seq_no',
  head: COLUMNS.number,
  width: 56,
  right: true,
  cell: (row) => (
    <>
      {saysNotSigned && <NotSigned row={row} />}
      <RowLink row={row} />
    </>
  ),
});

function TextCell({ row, name }: { readonly row: LedgerRow; readonly name: Column }) {
  // A record that names no tool did what its action says.
  const value =
    name === 'summary' || name === 'witness' ? null : (valueIn(row, name) ?? (name === 'tool' ? row.action : null));
  if (value === null || value === '') return <span className="muted">–</span>;
  const text = typeof value === 'object' ? value.join(', ') : String(value);
  return (
    <span title={visibleText(text)}>
      <Seen text={text} />
    </span>
  );
}

/** Characters of a key's ID by which hosts are told apart in a narrow column. */
const KID_SHOWN = 8;

/** Columns that show more than a text, or need another width. */
const BY_NAME: Readonly<Partial<Record<Column, Partial<GridColumn<LedgerRow>>>>> = {
  received: {
    width: 162,
    cell: (row, above) => (
      <>
        <ShortTime value={row.server_received_at} above={above?.server_received_at} />{' '}
        <WrongClock number={row.seq_no} />
      </>
    ),
  },
  issued: {
    width: 162,
    cell: (row, above) => (
      <>
        <ShortTime value={row.issued_at} above={above?.issued_at} /> <WrongClock number={row.seq_no} />
      </>
    ),
  },
  agent: { width: 132, cell: (row) => <AgentName agentId={row.agent_id} /> },
  tool: { width: 128 },
  summary: {
    width: 136,
    grows: true,
    className: 'summary-cell',
    cell: (row) => <Summary row={row} />,
  },
  outcome: {
    width: 92,
    cell: (row) => <OutcomeCell row={row} />,
  },
  organization: {
    width: 104,
    cell: ({ details }) => (details?.organization == null ? null : <OrgFingerprint orgId={details.organization} />),
  },
  issuer: {
    width: 96,
    cell: ({ details }) =>
      details?.issuer == null ? null : (
        <span className="code" title={details.issuer}>
          {details.issuer.slice(0, KID_SHOWN)}…
        </span>
      ),
  },
  type: { width: 190 },
  action: { width: 130 },
  subject: { width: 190 },
  duration: {
    width: 84,
    right: true,
    cell: ({ details }) => (details?.duration_ms == null ? null : durationText(details.duration_ms)),
  },
  mark: {
    width: 180,
    className: 'marks-cell',
    cell: ({ details }) => (details === undefined ? null : <ActionMarks marks={details.marks} />),
  },
  witness: {
    width: 64,
    cell: ({ actionRow }) => <Witnesses witnesses={actionRow?.witnesses ?? []} />,
  },
  operation: { width: 290, cell: (row) => <span className="code">{row.operation_id}</span> },
};

/** Who saw an action, each kind once: an action that two saw is better known than one that only its agent tells of. */
function Witnesses({ witnesses }: { readonly witnesses: ActionRow['witnesses'] }) {
  const sources = [...new Set(witnesses.map(({ source }) => source))];
  if (sources.length === 0) return <span className="muted">{COLUMNS.agentAlone}</span>;
  const names = witnesses.map(({ source, name }) => (name === null ? source : `${source} (${name})`));
  return <Seen text={sources.join(', ')} title={visibleText(names.join(', '))} isJoined />;
}

interface SummaryProps {
  readonly row: LedgerRow;
  /** Whether the tool has its own column. */
  readonly isByTool?: boolean;
}

/** One line of what the payload was read as; the subject where nothing was read. */
function Summary({ row, isByTool = false }: SummaryProps) {
  const { details, action, subject, actionRow } = row;
  if (details === undefined) {
    const line = `${action} · ${subject}`;
    return <Seen title={visibleText(line)} text={line} />;
  }
  if (details.withheld) return <span className="muted">{COLUMNS.payloadAbsent}</span>;
  const { summary, tool } = details;
  const begins = isByTool && tool !== null && summary.startsWith(`${tool}(`) ? tool.length : 0;
  const seenBy = new Set(actionRow?.witnesses.map(({ source }) => source)).size;
  return (
    <>
      <NotSigned row={row} inWords />
      {seenBy > 1 && <span className="action-mark action-mark-note">{COLUMNS.witnesses(seenBy)}</span>}
      <Seen title={visibleText(summary)} text={summary.slice(begins)} isJoined />
    </>
  );
}

/** What came of a call: what went well is only hinted at, so that the eye finds the rest. */
function OutcomeCell({ row: { details, actionRow } }: { readonly row: LedgerRow }) {
  if (details?.outcome == null) return null;
  const code = actionRow?.exit_code ?? null;
  if (details.outcome === 'ok') {
    return (
      <span className="outcome outcome-ok" title={ACTION_OUTCOMES.ok}>
        <Icon name="check" />
        <span className="visually-hidden">{ACTION_OUTCOMES.ok}</span>
      </span>
    );
  }
  return (
    <span title={details.error === null ? undefined : visibleText(details.error)}>
      <ActionOutcome outcome={details.outcome} />
      {code !== null && code !== 0 && <span className="number muted"> {code}</span>}
    </span>
  );
}

/** What only the records of a case have: findings of the verification. */
const OF_CASE: readonly GridColumn<LedgerRow>[] = [
  {
    id: 'findings',
    head: COLUMNS.findings,
    width: 84,
    cell: ({ findings = 0 }) =>
      findings === 0 ? <span className="muted">–</span> : <Mark outcome="fail" word={count(findings)} />,
  },
];

/** What people gave the records, where they gave any something. */
const GIVEN: GridColumn<LedgerRow> = {
  id: 'tag',
  head: COLUMNS.tags,
  width: 130,
  cell: (row) => <GivenMarks row={row} />,
};

/** Next to its tool, the summary need not begin with that. */
const SUMMARY_BY_TOOL: Pick<GridColumn<LedgerRow>, 'cell'> = { cell: (row) => <Summary row={row} isByTool /> };

/** The columns of the search in the order of their list. */
export function columnsFor(shown: readonly Column[], isCase: boolean, hasGiven: boolean): GridColumn<LedgerRow>[] {
  const isByTool = shown.includes('tool');
  const chosen = shown.map((id) => ({
    id,
    head: COLUMN_NAMES[id],
    width: 140,
    cell: (row: LedgerRow) => <TextCell row={row} name={id} />,
    ...BY_NAME[id],
    ...(id === 'summary' && isByTool ? SUMMARY_BY_TOOL : {}),
  }));
  const number = numberColumn(!shown.includes('summary'));
  return [SELECT, number, ...(isCase ? OF_CASE : []), ...(hasGiven ? [GIVEN] : []), ...chosen];
}
