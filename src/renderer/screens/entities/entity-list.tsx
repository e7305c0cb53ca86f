import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useMemo } from 'react';
import type { EntityRow } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { Failure } from '../../components/answer.tsx';
import { CoverageMark } from '../../components/coverage-mark.tsx';
import { kindWords } from '../../components/entity-chip.tsx';
import { Screen } from '../../components/screen.tsx';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import { plural } from '../../lib/plural.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { TextField } from '../../ui/field.tsx';
import { Empty } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { count } from '../../ui/time.tsx';
import { entityColumns } from './entity-columns.tsx';

const route = ledgerScreen('/entities');
const rowsOf = dataOf<EntityRow>;

/** All entities: their kinds with counts on the left, those of a kind and with a text in their names on the right. */
export function EntityList() {
  const { kind, contains } = route.useSearch();
  const navigate = route.useNavigate();
  const { investigation } = useLedger();
  const found = useInfiniteQuery(investigation.entities({ kind, contains }));
  const { rows, more, hasMore } = usePages(found, rowsOf);
  const columns = useMemo(() => entityColumns(kind === undefined), [kind]);
  const [draft, setDraft] = useDraft(contains ?? '', contains ?? '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void navigate({ search: (before) => ({ ...before, contains: draft.trim() || undefined }) });
  };
  const [first] = found.data?.pages ?? [];
  return (
    <Screen
      title="Entities"
      name="Entities"
      flush
      actions={
        <LedgerLink to="/reading-rules" search={{}} className="button">
          Reading rules
        </LedgerLink>
      }
    >
      <form className="filters" onSubmit={submit} aria-label="Filters">
        <div className="wide-field">
          <TextField
            label="Name contains"
            placeholder="mia_li_3668, /etc/, example.com"
            spellCheck={false}
            data-filter
            value={draft}
            onChange={setDraft}
          />
        </div>
        <button type="submit" className="button-primary">
          Search
        </button>
        {contains !== undefined && (
          <button
            type="button"
            onClick={() => void navigate({ search: (before) => ({ ...before, contains: undefined }) })}
          >
            Clear
          </button>
        )}
      </form>
      {found.error !== null && <Failure error={found.error} retry={() => void found.refetch()} />}
      {first === undefined ? (
        found.error === null && (
          <p className="loading" role="status">
            Loading the entities…
          </p>
        )
      ) : (
        <div className="entity-browser">
          <Kinds kinds={first.kinds} chosen={kind} />
          {rows.length === 0 && !hasMore ? (
            <NoEntities isFiltered={kind !== undefined || contains !== undefined} />
          ) : (
            <VirtualGrid
              label="Entities"
              columns={columns}
              rows={rows}
              keyOf={(row) => `${row.kind} ${row.id}`}
              onEnd={more}
              foot={
                <>
                  <span role="status">
                    {plural(rows.length, 'entity', 'entities')}
                    {hasMore ? ' loaded' : ', all'}
                  </span>
                  <CoverageMark coverage={first.coverage} />
                  <span className="push">most records first</span>
                </>
              }
            />
          )}
        </div>
      )}
    </Screen>
  );
}

interface KindsProps {
  readonly kinds: readonly { readonly value: string; readonly count: number }[];
  readonly chosen: string | undefined;
}

function Kinds({ kinds, chosen }: KindsProps) {
  const shown =
    kinds.some(({ value }) => value === chosen) || chosen === undefined
      ? kinds
      : [...kinds, { value: chosen, count: 0 }];
  const all = kinds.reduce((sum, { count: n }) => sum + n, 0);
  return (
    <ScrollArea className="entity-kinds" label="Kinds of entities">
      <ul>
        <Kind name="All kinds" count={all} isChosen={chosen === undefined} />
        {shown.map(({ value, count: n }) => (
          <Kind key={value} kind={value} name={kindWords(value)} count={n} isChosen={value === chosen} />
        ))}
      </ul>
    </ScrollArea>
  );
}

interface KindProps {
  readonly kind?: string;
  readonly name: string;
  readonly count: number;
  readonly isChosen: boolean;
}

function Kind({ kind, name, count: n, isChosen }: KindProps) {
  return (
    <li>
      <LedgerLink
        to="/entities"
        search={(before) => ({ ...before, kind, id: undefined })}
        className={isChosen ? 'entity-kind-link is-chosen' : 'entity-kind-link'}
      >
        <Seen className="ellipsis" text={name} />
        <span className="number muted">{count(n)}</span>
        {isChosen && <span className="visually-hidden">shown</span>}
      </LedgerLink>
    </li>
  );
}

function NoEntities({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <Empty title={isFiltered ? 'No entity matches' : 'No entities yet'}>
      <p>
        {isFiltered
          ? 'Try a shorter part of the name, or another kind.'
          : 'Users, files, hosts, accounts and the like are read from payloads. The rules say which members name them.'}
      </p>
    </Empty>
  );
}
