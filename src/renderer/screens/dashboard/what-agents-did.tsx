import { useQuery } from '@tanstack/react-query';
import { LIVE } from '../../api/ledger/ledger.ts';
import { useRefusal } from '../../api/permission.ts';
import { pace } from '../../api/polling.ts';
import { Answer } from '../../components/answer.tsx';
import { Activity } from './activity.tsx';
import { ActivityTiles } from './activity-tiles.tsx';
import { AgentActivity } from './agent-activity.tsx';
import { MarksPanel } from './marks-panel.tsx';
import { NewestSessions } from './newest-sessions.tsx';
import { Troubles } from './troubles.tsx';

const NO_AGENTS: readonly never[] = [];

/** What agents did lately; for people who may not search, over time alone. */
export function WhatAgentsDid() {
  const isLocked = useRefusal('activity') !== null;
  const activity = useQuery({
    ...LIVE.investigation.activity,
    enabled: !isLocked,
    refetchInterval: ({ state }) => pace(state, 15_000),
  });
  if (isLocked) return <Activity agents={NO_AGENTS} />;
  return (
    <Answer query={activity} what="what agents did">
      {(found) => (
        <>
          <ActivityTiles activity={found} />
          <div className="dashboard-grid">
            <Activity agents={found.agents} />
            <AgentActivity activity={found} />
            <NewestSessions activity={found} />
            <Troubles activity={found} />
            <MarksPanel activity={found} />
          </div>
        </>
      )}
    </Answer>
  );
}
