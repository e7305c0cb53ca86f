import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { pace } from '../../api/freshness.ts';
import { useRefusal } from '../../api/permission.ts';
import { q } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { useTimeRange } from '../../components/time-menu/time-menu.tsx';
import { CoherenceFindings } from '../../report/coherence-findings.tsx';
import { CoherenceBody, findingsIn } from '../../report/coherence-panel.tsx';
import { COHERENCE_PANEL } from '../../report/texts.ts';
import { Panel } from '../../ui/panel.tsx';
import { count } from '../../ui/time.tsx';
import { ActivityTiles } from './activity-tiles.tsx';
import { AgentActivity } from './agent-activity.tsx';
import { MarksPanel } from './marks-panel.tsx';
import { NewestSessions } from './newest-sessions.tsx';
import { WHAT_AGENTS_DID } from './texts.ts';
import { Troubles } from './troubles.tsx';

/** Whether the recorded actions in the live ledger fit together, in the words that a case of it has; nothing where none is recorded. */
function CoherencePanel() {
  const live = useQuery({ ...q('coherence'), refetchInterval: ({ state }) => pace(state, 15_000) });
  if (live.data?.report?.status === 'not_applicable') return null;
  return (
    <Panel title={COHERENCE_PANEL.title} flush>
      <Answer query={live} what={COHERENCE_PANEL.what}>
        {({ report, judged_to: judgedTo, pending }) =>
          report === null ? (
            <p className="panel-body muted">{COHERENCE_PANEL.judging(judgedTo, count(pending))}</p>
          ) : (
            <CoherenceBody
              summary={report}
              gaps={report.not_checked}
              besides={COHERENCE_PANEL.live(judgedTo, pending === 0 ? '' : count(pending))}
            >
              <CoherenceFindings findings={report.findings} total={findingsIn(report.counts)} />
            </CoherenceBody>
          )
        }
      </Answer>
    </Panel>
  );
}

/** What draws the chart is large, and nobody waits for it: the figures are there before. */
const Activity = lazyRouteComponent(() => import('./activity.tsx'), 'Activity');

function Chart() {
  return (
    <div className="dashboard-chart">
      <Suspense fallback={<div className="panel dashboard-chart-place" />}>
        <Activity />
      </Suspense>
    </div>
  );
}

/** What agents did lately, or in the range that was chosen; for people who may not search, over time alone. */
export function WhatAgentsDid() {
  const isLocked = useRefusal('activity') !== null;
  const { range } = useTimeRange();
  const isRange = range.startTime !== undefined || range.endTime !== undefined;
  const activity = useQuery({
    ...q('activity', { query: range }),
    placeholderData: keepPreviousData,
    enabled: !isLocked,
    refetchInterval: ({ state }) => pace(state, 15_000),
  });
  if (isLocked) return <Chart />;
  return (
    <Answer query={activity} what={WHAT_AGENTS_DID.what}>
      {(found) => (
        <>
          <ActivityTiles activity={found} isRange={isRange} />
          <CoherencePanel />
          <div className="panels dashboard-grid">
            <div className="stack">
              <Chart />
              <Troubles activity={found} />
            </div>
            <div className="stack">
              <AgentActivity activity={found} isRange={isRange} />
              <NewestSessions activity={found} />
              <MarksPanel activity={found} />
            </div>
          </div>
        </>
      )}
    </Answer>
  );
}
