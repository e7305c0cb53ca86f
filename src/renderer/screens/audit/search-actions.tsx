import { Link, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { parseQuery, type Query } from '../../../actions/index.ts';
import type { AuditRow } from '../../../api/index.ts';
import { clockCorrectedAt, formatDigest, sha256, utf8 } from '../../../protocol/index.ts';
import { type AuditFilter, type Ledger, type RowOrder, useLedger } from '../../api/ledger/ledger.ts';
import { ledgerScreen } from '../../api/ledger/places.tsx';
import { allRows, type RowsFormat, rowsText, saveRows, stampOf } from '../../api/rows-file.ts';
import { saveFile } from '../../api/save-file.ts';
import { recordsOfSearch } from '../../components/hand-over/gather.ts';
import { HandOverButton } from '../../components/hand-over/hand-over-button.tsx';
import { HAND_OVER } from '../../components/hand-over/texts.ts';
import { PermittedButton } from '../../components/permitted.tsx';
import { SaveRows } from '../../components/save-rows.tsx';
import { type AuditSearch, COLUMNS } from '../../lib/search-params.ts';
import { headInZone, useTimeZone } from '../../lib/time-zone.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { PopoverMenu } from '../../ui/popover-menu.tsx';
import { COLUMN_NAMES, columnsOf } from './list/columns.tsx';
import { SavedSearches } from './saved-searches.tsx';
import { SEARCH_ACTIONS } from './texts.ts';

/** A search is shown without it. */
const NamedPlaces = lazyRouteComponent(() => import('../../components/named-places.tsx'), 'NamedPlaces');

/** More rows than this belong into an export, which is signed. */
const MAX_ROWS = 100_000;
const PAGE = 200;
const MEMBERS = [
  'seq_no',
  'operation_id',
  'agent_id',
  'operation_type',
  'subject',
  'action',
  'issued_at',
  'server_received_at',
] as const satisfies readonly (keyof AuditRow)[];

function collect({ call }: Ledger, filter: AuditFilter, order: RowOrder, onProgress: (rows: number) => void) {
  const pageAt = (at: { readonly cursor?: string }) =>
    call('auditQuery', { body: { ...filter, order, limit: PAGE, ...at } });
  return allRows(pageAt, MAX_ROWS, onProgress);
}

/**
 * Saves what a search finds as a file, and with it a manifest: what was asked, when, how many rows, and the file's
 * digest. It is not signed: evidence is what an export holds.
 */
async function saveResult(
  ledger: Ledger,
  format: RowsFormat,
  filter: AuditFilter,
  order: RowOrder,
  onProgress: (rows: number) => void,
): Promise<{ readonly rows: number; readonly complete: boolean }> {
  const { rows, complete } = await collect(ledger, filter, order, onProgress);
  const { corrected_times: times } = await ledger.call('ledgerSummary');
  // A file is read without the marks of the page.
  const marked = rows.map((row) => ({ ...row, clock_corrected_at: clockCorrectedAt(times, 'seq_no', row.seq_no) }));
  const content = rowsText(format, [...MEMBERS, 'clock_corrected_at'], marked);
  const createdAt = new Date().toISOString();
  const name = `countersign-search-${stampOf(createdAt)}`;
  const { without = [], ...others } = filter;
  const numbers = rows.map(({ seq_no }) => seq_no);
  const [one, other] = [numbers[0] ?? null, numbers.at(-1) ?? null];
  const manifest = {
    type: 'countersign.search-result.v1',
    file: `${name}.${format}`,
    sha256: formatDigest(sha256(utf8(content))),
    created_at: createdAt,
    filter: others,
    without: without.map(([member, value]) => ({ member, value })),
    order: `seq_no, ${order} first`,
    row_count: rows.length,
    first_seq_no: order === 'oldest' ? one : other,
    last_seq_no: order === 'oldest' ? other : one,
    complete,
  };
  saveRows(name, format, content);
  saveFile(`${name}.manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`, 'application/json');
  return { rows: rows.length, complete };
}

const route = ledgerScreen('/search');

interface SearchActionsProps {
  readonly search: AuditSearch;
  readonly filter: AuditFilter;
}

/** Columns, saved searches, places of what is searched for, and the result as a file. */
export function SearchActions({ search, filter }: SearchActionsProps) {
  const ledger = useLedger();
  return (
    <>
      <Columns search={search} />
      <SavedSearches search={search} />
      <SaveResult search={search} filter={filter} />
      <Places search={search} />
      <HandOverButton
        label={HAND_OVER.openAll}
        title={SEARCH_ACTIONS.found}
        records={(means) => recordsOfSearch(ledger, filter, means)}
      />
    </>
  );
}

function Columns({ search }: { readonly search: AuditSearch }) {
  const navigate = route.useNavigate();
  const zone = useTimeZone();
  const shown = columnsOf(search, useLedger());
  const offered = search.unit === 'records' ? COLUMNS.filter((column) => column !== 'witness') : COLUMNS;
  return (
    <PopoverMenu label={SEARCH_ACTIONS.columns}>
      {offered.map((column) => (
        <label key={column} className="cluster">
          <input
            type="checkbox"
            checked={shown.includes(column)}
            onChange={(event) => {
              const isOn = event.currentTarget.checked;
              const columns = COLUMNS.filter((other) => (other === column ? isOn : shown.includes(other)));
              void navigate({ search: (before) => ({ ...before, columns }), replace: true });
            }}
          />
          {headInZone(COLUMN_NAMES[column], zone)}
        </label>
      ))}
    </PopoverMenu>
  );
}

function SaveResult({ search, filter }: SearchActionsProps) {
  const ledger = useLedger();
  return (
    <SaveRows
      label={SEARCH_ACTIONS.saveResult}
      save={async (format, onProgress) => {
        const { rows, complete } = await saveResult(ledger, format, filter, search.order ?? 'newest', onProgress);
        return complete ? SEARCH_ACTIONS.saved(rows) : SEARCH_ACTIONS.firstSaved(rows);
      }}
    >
      {SEARCH_ACTIONS.saveHint}
    </SaveRows>
  );
}

/** Whether a query is for words anywhere, as a name is typed. */
function isOfWords(query: Query): boolean {
  if (query.kind === 'and') return query.parts.every(isOfWords);
  return query.kind === 'words' && query.field === null;
}

/** Where a name stands that is searched for, and what an export can leave out of that. A query for anything but words names nobody. */
function Places({ search: { query = '' } }: Pick<SearchActionsProps, 'search'>) {
  const { caseId, routeOf } = useLedger();
  const zone = useTimeZone();
  const [isOpen, setOpen] = useState(false);
  const read = parseQuery(query, { now: Date.now(), zone });
  const name = query.trim().replace(/^"|"$/g, '');
  // Several texts in quotes are not one name.
  if (!read.ok || !isOfWords(read.query) || name.includes('"')) return null;
  return (
    <>
      <PermittedButton call={routeOf('redactionPlaces')} onClick={() => setOpen(true)}>
        {SEARCH_ACTIONS.places}
      </PermittedButton>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={SEARCH_ACTIONS.placesOf(name)}
        className="dialog-wide"
      >
        <Suspense fallback={null}>
          <NamedPlaces names={[name]} purpose="export" />
        </Suspense>
        {caseId === null && (
          <div className="cluster form-end">
            <Link to="/exports" search={{ new: true, people: name }} className="button">
              {SEARCH_ACTIONS.withhold}
            </Link>
          </div>
        )}
      </Dialog>
    </>
  );
}
