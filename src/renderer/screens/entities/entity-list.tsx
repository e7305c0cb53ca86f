import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import type { EntityRow } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { AgentNames } from '../../components/agent-mark.tsx';
import { Failure } from '../../components/answer.tsx';
import { CoverageMark } from '../../components/coverage-mark.tsx';
import { kindWords } from '../../components/entity-chip.tsx';
import { Form } from '../../components/form.tsx';
import type { GridColumn } from '../../components/grid-columns.ts';
import { Screen } from '../../components/screen.tsx';
import { TimeMenu } from '../../components/time-menu/time-menu.tsx';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import { useStop, Waiting } from '../../components/waiting.tsx';
import { useDraft } from '../../lib/use-draft.ts';
import { TextField } from '../../ui/field.tsx';
import { Empty } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { count, ShortTime } from '../../ui/time.tsx';
import { ENTITY_COLUMNS, ENTITY_LIST } from './texts.ts';

const route = ledgerScreen('/entities');
const rowsOf = dataOf<EntityRow>;

/** All entities: their kinds with counts on the left, those of a kind and with a text in their names on the right. */
export function EntityList() {
  const { kind, contains, startTime, endTime } = route.useSearch();
  const navigate = route.useNavigate();
  const { pages } = useLedger();
  const asked = pages('entities', { body: { kind, contains, startTime, endTime, limit: 100, unit: 'actions' } });
  const found = useInfiniteQuery({ ...asked, placeholderData: keepPreviousData });
  const stop = useStop([asked.queryKey], found.isFetching);
  const { rows, more, hasMore } = usePages(found, rowsOf);
  const hasDeletes = rows.some(({ deletes }) => deletes > 0);
  const hasSends = rows.some(({ sends }) => sends > 0);
  const columns = useMemo(
    () => entityColumns({ withKind: kind === undefined, withDeletes: hasDeletes, withSends: hasSends }),
    [kind, hasDeletes, hasSends],
  );
  const [draft, setDraft] = useDraft(contains ?? '', contains ?? '');
  const submit = (): void => {
    void navigate({ search: (before) => ({ ...before, contains: draft.trim() || undefined }) });
  };
  const [first] = found.data?.pages ?? [];
  return (
    <Screen
      title={ENTITY_LIST.entities}
      name={ENTITY_LIST.entities}
      flush
      actions={
        <>
          <TimeMenu />
          <LedgerLink to="/reading-rules" search={{}} className="button">
            {ENTITY_LIST.readingRules}
          </LedgerLink>
        </>
      }
    >
      <Form className="filters" label={ENTITY_LIST.filters} act={submit}>
        <div className="wide-field">
          <TextField
            label={ENTITY_LIST.nameContains}
            placeholder={ENTITY_LIST.miaLi3668Etc}
            spellCheck={false}
            data-filter
            value={draft}
            onChange={setDraft}
          />
        </div>
        <button type="submit" className="button-primary">
          {ENTITY_LIST.searchEntities}
        </button>
        {contains !== undefined && (
          <button
            type="button"
            onClick={() => void navigate({ search: (before) => ({ ...before, contains: undefined }) })}
          >
            {ENTITY_LIST.clearFilters}
          </button>
        )}
      </Form>
      {found.error !== null && <Failure error={found.error} retry={() => void found.refetch()} />}
      {(first === undefined || found.isPlaceholderData) && found.error === null && (
        <Waiting
          what={ENTITY_LIST.what}
          stop={stop}
          retry={() => void found.refetch()}
          hasOther={first !== undefined}
        />
      )}
      {first !== undefined && (
        <div className="entity-browser">
          <Kinds kinds={first.kinds} chosen={kind} />
          {rows.length === 0 && !hasMore ? (
            <NoEntities isFiltered={[kind, contains, startTime, endTime].some((filter) => filter !== undefined)} />
          ) : (
            <VirtualGrid
              label={ENTITY_LIST.entities}
              columns={columns}
              rows={rows}
              keyOf={(row) => `${row.kind} ${row.id}`}
              onEnd={more}
              foot={
                <>
                  <span role="status">
                    {ENTITY_LIST.counted(rows.length)}
                    {hasMore ? ENTITY_LIST.loaded : ENTITY_LIST.all}
                  </span>
                  <CoverageMark coverage={first.coverage} />
                  <span className="push">{ENTITY_LIST.mostActionsFirst}</span>
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
    <ScrollArea className="entity-kinds" label={ENTITY_LIST.kindsEntities}>
      <ul>
        <Kind name={ENTITY_LIST.allKinds} count={all} isChosen={chosen === undefined} />
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
        {isChosen && <span className="visually-hidden">{ENTITY_LIST.shown}</span>}
      </LedgerLink>
    </li>
  );
}

function NoEntities({ isFiltered }: { readonly isFiltered: boolean }) {
  const { caseId } = useLedger();
  const none = caseId === null ? ENTITY_LIST.noEntitiesYet : ENTITY_LIST.noEntities;
  return (
    <Empty title={isFiltered ? ENTITY_LIST.noEntityMatches : none}>
      <p>{isFiltered ? ENTITY_LIST.tryOther : ENTITY_LIST.whatFor}</p>
    </Empty>
  );
}

type Tally = 'actions' | 'reads' | 'writes' | 'deletes' | 'sends';

function tally(id: Tally, head: string, width: number, look = ''): GridColumn<EntityRow> {
  return {
    id,
    head,
    width,
    right: true,
    cell: ({ [id]: n }) =>
      n === 0 ? <span className="muted">–</span> : <span className={`number ${look}`}>{count(n)}</span>,
  };
}

/** What the rows have that are loaded: a column that none of them fills leaves its room to the names. */
interface Filled {
  readonly withKind: boolean;
  readonly withDeletes: boolean;
  readonly withSends: boolean;
}

/** From this length on a path is cut in its middle, and keeps its last part. */
const LONG_PATH = 24;

/** A name; of a long path that is cut, the beginning and the last part. */
function Name({ id }: { readonly id: string }) {
  const at = Math.max(id.lastIndexOf('/'), id.length - LONG_PATH);
  // Parts of texts of other scripts do not stand where the whole has them.
  if (id.length <= LONG_PATH || !id.includes('/') || /[^ -~]/.test(id)) return <Seen text={id} />;
  return (
    <span className="middle-cut">
      <Seen className="ellipsis" text={id.slice(0, at)} />
      <Seen text={id.slice(at)} />
    </span>
  );
}

/** The columns of the list of entities. */
function entityColumns({ withKind, withDeletes, withSends }: Filled): GridColumn<EntityRow>[] {
  return [
    {
      id: 'id',
      head: ENTITY_COLUMNS.name,
      width: 146,
      grows: true,
      cell: ({ kind, id }) => (
        <LedgerLink
          to="/entities"
          search={{ kind, id }}
          title={visibleText(id)}
          label={visibleText(id)}
          className="code"
          data-row
          tabIndex={-1}
        >
          <Name id={id} />
        </LedgerLink>
      ),
    },
    ...(withKind
      ? [
          {
            id: 'kind',
            head: ENTITY_COLUMNS.kind,
            width: 116,
            cell: ({ kind }: EntityRow) => <Seen text={kindWords(kind)} />,
          },
        ]
      : []),
    tally('actions', ENTITY_COLUMNS.actions, 74),
    tally('reads', ENTITY_COLUMNS.read, 60),
    tally('writes', ENTITY_COLUMNS.changed, 76),
    ...(withDeletes ? [tally('deletes', ENTITY_COLUMNS.deleted, 74, 'outcome-failed')] : []),
    ...(withSends ? [tally('sends', ENTITY_COLUMNS.sent, 70)] : []),
    {
      id: 'last',
      head: ENTITY_COLUMNS.last,
      width: 140,
      cell: ({ last_at }, above) => <ShortTime value={last_at} above={above?.last_at} />,
    },
    {
      id: 'agents',
      head: ENTITY_COLUMNS.agents,
      width: 116,
      grows: true,
      cell: ({ agents }) => <AgentNames agents={agents} />,
    },
  ];
}
