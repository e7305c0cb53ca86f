import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Activity as AgentsOfActivity } from '../../api/answers.ts';
import { pace } from '../../api/freshness.ts';
import { histogramOf, LIVE } from '../../api/ledger/ledger.ts';
import { Answer } from '../../components/answer.tsx';
import { ChartLegend } from '../../components/chart-legend.tsx';
import { Histogram } from '../../components/histogram.tsx';
import { type PartFilter, useAgentParts } from '../../components/use-agent-parts.ts';
import { Panel } from '../../ui/panel.tsx';
import { count } from '../../ui/time.tsx';
import { ACTIVITY } from './texts.ts';

const RANGES = { hour: 3_600_000, day: 86_400_000, week: 604_800_000, all: null } as const;
type Range = keyof typeof RANGES;
const LABELS: Readonly<Record<Range, string>> = {
  hour: ACTIVITY.lastHour,
  day: ACTIVITY.lastDay,
  week: ACTIVITY.last7Days,
  all: ACTIVITY.all,
};
const MINUTE = 60_000;
const BARS = 120;

const route = getRouteApi('/dashboard');

function polled(filter: Partial<PartFilter>) {
  const query = histogramOf(LIVE, filter, BARS);
  return {
    ...query,
    refetchInterval: ({ state }: { readonly state: Parameters<typeof pace>[0] }) => pace(state, 15_000),
  };
}

/** Operations over time; a stretch drawn with the mouse opens in the search. */
export function Activity({ agents }: { readonly agents: AgentsOfActivity['agents'] }) {
  const { range = 'all' } = route.useSearch();
  const navigate = route.useNavigate();
  const minute = Math.floor(Date.now() / MINUTE);
  const filter = useMemo(() => {
    const length = RANGES[range];
    if (length === null) return {};
    const end = (minute + 1) * MINUTE;
    return { startTime: new Date(end - length).toISOString(), endTime: new Date(end).toISOString() };
  }, [range, minute]);
  const histogram = useQuery(polled(filter));
  const busiest = useMemo(
    () =>
      agents
        .filter(({ records }) => records > 0)
        .toSorted((a, b) => b.records - a.records)
        .map(({ agent_id }) => agent_id),
    [agents],
  );
  const parts = useAgentParts(histogram.data, busiest, polled);
  return (
    <Panel
      title={ACTIVITY.operationsOverTime}
      actions={
        <>
          {histogram.data !== undefined && (
            <span className="muted">{ACTIVITY.issued(count(histogram.data.total))}</span>
          )}
          <select
            aria-label={ACTIVITY.range}
            data-filter
            value={range}
            onChange={(event) =>
              void navigate({ search: { range: event.currentTarget.value as Range }, replace: true })
            }
          >
            {Object.entries(LABELS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </>
      }
    >
      <Answer query={histogram} what={ACTIVITY.what}>
        {(counts) => (
          <>
            <Histogram
              counts={counts}
              height={150}
              parts={parts}
              onBrush={(from, to) =>
                void navigate({
                  to: '/search',
                  search: { startTime: new Date(from).toISOString(), endTime: new Date(to).toISOString() },
                })
              }
            />
            <ChartLegend parts={parts} />
          </>
        )}
      </Answer>
    </Panel>
  );
}
