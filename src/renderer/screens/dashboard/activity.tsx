import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { pace } from '../../api/freshness.ts';
import { histogramOf, LIVE } from '../../api/ledger/ledger.ts';
import { Answer } from '../../components/answer.tsx';
import { ChartLegend } from '../../components/chart-legend.tsx';
import { Histogram } from '../../components/histogram.tsx';
import { CHART_AGENTS } from '../../components/histogram-parts.ts';
import { useTimeZone } from '../../lib/time-zone.ts';
import { Panel } from '../../ui/panel.tsx';
import { count } from '../../ui/time.tsx';
import { ACTIVITY } from './texts.ts';

const BARS = 120;

const route = getRouteApi('/dashboard');

/** Operations over time, of the agents with the most by themselves; a stretch drawn with the mouse opens in the search. */
export function Activity() {
  const { startTime, endTime } = route.useSearch();
  const navigate = route.useNavigate();
  const zone = useTimeZone();
  const histogram = useQuery({
    ...histogramOf(LIVE, { startTime, endTime, zone }, BARS, CHART_AGENTS),
    refetchInterval: ({ state }) => pace(state, 15_000),
  });
  return (
    <Panel
      title={ACTIVITY.operationsOverTime}
      actions={
        histogram.data !== undefined && <span className="muted">{ACTIVITY.issued(count(histogram.data.total))}</span>
      }
    >
      <Answer query={histogram} what={ACTIVITY.what}>
        {(counts) => (
          <>
            <Histogram
              counts={counts}
              height={150}
              onBrush={(from, to) =>
                void navigate({
                  to: '/search',
                  search: { startTime: new Date(from).toISOString(), endTime: new Date(to).toISOString() },
                })
              }
            />
            <ChartLegend counts={counts} search={{ unit: 'records' }} />
          </>
        )}
      </Answer>
    </Panel>
  );
}
