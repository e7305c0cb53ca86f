import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Activity, Histogram } from '../../api/answers.ts';
import { pace } from '../../api/polling.ts';
import { histogramQuery } from '../../api/queries.ts';
import { countsWithin, type HistogramPart } from '../../components/histogram-parts.ts';
import { agentLook } from '../../lib/agent-look.ts';

/** Each takes a query, and more than a few cannot be told apart in a bar. */
const MOST_AGENTS = 5;

/**
 * What the agents that did most have of each bar. The stretches are asked for by their borders, so that the bars are the same.
 * @param whole counts of all agents; undefined while they are not there
 */
export function useAgentParts(
  whole: Histogram | undefined,
  agents: Activity['agents'],
  bars: number,
): readonly HistogramPart[] {
  const names = useMemo(
    () =>
      agents
        .filter(({ records }) => records > 0)
        .toSorted((a, b) => b.records - a.records)
        .slice(0, MOST_AGENTS)
        .map(({ agent_id }) => agent_id),
    [agents],
  );
  const start = whole?.start_time == null ? null : Date.parse(whole.start_time);
  const range =
    whole === undefined || start === null
      ? {}
      : {
          startTime: new Date(start).toISOString(),
          endTime: new Date(start + whole.counts.length * whole.bucket_ms).toISOString(),
        };
  const counted = useQueries({
    queries: (start === null || names.length < 2 ? [] : names).map((agentId) => ({
      ...histogramQuery({ ...range, agentId }, bars),
      refetchInterval: ({ state }: { readonly state: Parameters<typeof pace>[0] }) => pace(state, 15_000),
    })),
    combine: (results) => results.map(({ data }) => data),
  });
  return useMemo(() => {
    if (whole === undefined || counted.length === 0 || counted.some((data) => data === undefined)) return [];
    return counted.map((data, n) => {
      const name = names[n] ?? '';
      return { name, colour: `--agent-${agentLook(name).colour}`, counts: countsWithin(whole, data) };
    });
  }, [whole, counted, names]);
}
