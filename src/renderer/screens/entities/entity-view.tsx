import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { quoted } from '../../../actions/index.ts';
import type { EntityRow, Touch } from '../../api/answers.ts';
import { histogramOf, useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { Answer, Failure } from '../../components/answer.tsx';
import { ChartLegend } from '../../components/chart-legend.tsx';
import { CoverageMark } from '../../components/coverage-mark.tsx';
import { kindWords } from '../../components/entity-chip.tsx';
import { recordsOfSearch } from '../../components/hand-over/gather.ts';
import { HandOverButton } from '../../components/hand-over/hand-over-button.tsx';
import { CopyButton } from '../../components/hash.tsx';
import { Histogram } from '../../components/histogram.tsx';
import { CHART_AGENTS } from '../../components/histogram-parts.ts';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { queryText } from '../../lib/query-text.ts';
import { useTimeZone } from '../../lib/time-zone.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { count, Time } from '../../ui/time.tsx';
import { ENTITY_VIEW } from './texts.ts';
import { TouchTable } from './touch-table.tsx';
import { touchLines } from './touches.ts';

const route = ledgerScreen('/entities');
const touchesOf = dataOf<Touch>;
const BARS = 120;
const ORDERS = [
  { value: 'oldest', label: ENTITY_VIEW.oldestFirst },
  { value: 'newest', label: ENTITY_VIEW.newestFirst },
] as const;

interface EntityViewProps {
  readonly kind: string;
  readonly id: string;
}

/** Everything that touched one entity, over agents and time. */
export function EntityView({ kind, id }: EntityViewProps) {
  const { order = 'oldest' } = route.useSearch();
  const navigate = route.useNavigate();
  const ledger = useLedger();
  const found = useInfiniteQuery(
    ledger.pages('entityTouches', { body: { kind, id, order, limit: 100, unit: 'actions' } }),
  );
  const { rows, more, hasMore } = usePages(found, touchesOf);
  const lines = useMemo(() => touchLines(rows, order), [rows, order]);
  const [first] = found.data?.pages ?? [];
  const query = queryText({ entity: `${kind}:${id}` });
  return (
    <Screen
      name={`${kindWords(kind)} ${id}`}
      title={
        <>
          <LedgerLink to="/entities" search={{}} className="crumb">
            {ENTITY_VIEW.entities}
          </LedgerLink>{' '}
          <span className="crumb">/</span>{' '}
          <LedgerLink to="/entities" search={{ kind }} className="crumb">
            <Seen text={kindWords(kind)} />
          </LedgerLink>{' '}
          <span className="crumb">/</span> <Seen text={id} /> <CopyButton text={id} what={ENTITY_VIEW.nameCopied} />
        </>
      }
      actions={
        <>
          <LedgerLink to="/search" search={{ query }} className="button">
            {ENTITY_VIEW.searchActions}
          </LedgerLink>
          <HandOverButton
            title={ENTITY_VIEW.titleOf(kindWords(kind), id)}
            records={(means) => recordsOfSearch(ledger, { unit: 'actions', query }, means)}
          />
        </>
      }
    >
      <Answer query={{ data: first, error: found.error, refetch: found.refetch }} what={ENTITY_VIEW.whatTouched}>
        {({ entity, coverage }) => (
          <div className="stack">
            <EntityFigures entity={entity} />
            <Mentions id={id} />
            <Chart query={query} />
            <Panel
              title={ENTITY_VIEW.actions}
              flush
              actions={
                <>
                  <CoverageMark coverage={coverage} />
                  <SelectField
                    label={ENTITY_VIEW.order}
                    value={order}
                    options={ORDERS}
                    onChange={(value) =>
                      void navigate({ search: (before) => ({ ...before, order: value }), replace: true })
                    }
                  />
                </>
              }
            >
              <TouchTable lines={lines} />
              <div className="panel-foot">
                <span role="status" className="muted">
                  {hasMore
                    ? ENTITY_VIEW.loadedOf(count(rows.length), ENTITY_VIEW.counted(entity.actions))
                    : ENTITY_VIEW.counted(rows.length)}
                </span>
                {hasMore && (
                  <button type="button" onClick={more}>
                    {ENTITY_VIEW.loadMore}
                  </button>
                )}
                {found.error !== null && <Failure error={found.error} retry={more} />}
              </div>
            </Panel>
          </div>
        )}
      </Answer>
    </Screen>
  );
}

/** In how many records the name stands anywhere at all, touched or not, with the search that finds them. */
function Mentions({ id }: { readonly id: string }) {
  const ledger = useLedger();
  const query = quoted(id);
  const { data } = useQuery(histogramOf(ledger, { query }, 1));
  if (data === undefined) return null;
  return (
    <p>
      {fill(ENTITY_VIEW.mentioned, {
        search: (
          <LedgerLink to="/search" search={{ query, unit: 'records' }}>
            {ENTITY_VIEW.mentions(data.total)}
          </LedgerLink>
        ),
      })}
    </p>
  );
}

/** Actions that touched it, over time; a stretch or bar leads to them. */
function Chart({ query }: { readonly query: string }) {
  const ledger = useLedger();
  const navigate = route.useNavigate();
  const zone = useTimeZone();
  const histogram = useQuery(histogramOf(ledger, { query, unit: 'actions', zone }, BARS, CHART_AGENTS));
  return (
    <Panel title={ENTITY_VIEW.overTime}>
      <Answer query={histogram} what={ENTITY_VIEW.counts}>
        {(counts) => (
          <>
            <Histogram
              counts={counts}
              height={92}
              onBrush={(from, to) => {
                const [startTime, endTime] = [new Date(from).toISOString(), new Date(to).toISOString()];
                void navigate({ to: '/search', search: { query, startTime, endTime } });
              }}
            />
            <ChartLegend counts={counts} search={{ query }} />
          </>
        )}
      </Answer>
    </Panel>
  );
}

function EntityFigures({ entity }: { readonly entity: EntityRow }) {
  const { actions, reads, writes, deletes, sends, agents, first_at: from, last_at: to } = entity;
  const figures = [
    { label: ENTITY_VIEW.actions, value: actions },
    { label: ENTITY_VIEW.read, value: reads },
    { label: ENTITY_VIEW.changed, value: writes },
    { label: ENTITY_VIEW.sent, value: sends },
    { label: ENTITY_VIEW.deleted, value: deletes },
  ];
  return (
    <section className="entity-figures" aria-label={ENTITY_VIEW.figures}>
      <dl>
        {figures.map(({ label, value }) => (
          <div key={label} className={value === 0 ? 'is-none' : ''}>
            <dt>{label}</dt>
            <dd className="number">{count(value)}</dd>
          </div>
        ))}
      </dl>
      <p>
        <span className="muted">{ENTITY_VIEW.by} </span>
        {agents.map((agentId, n) => (
          <span key={agentId}>
            {n > 0 && ', '}
            <LedgerLink to="/agents/$agentId" params={{ agentId }}>
              <AgentName agentId={agentId} />
            </LedgerLink>
          </span>
        ))}
        <br />
        <span className="muted">
          {fill(ENTITY_VIEW.range, { from: <Time value={from} hasZone />, to: <Time value={to} hasZone /> })}
        </span>
      </p>
    </section>
  );
}
