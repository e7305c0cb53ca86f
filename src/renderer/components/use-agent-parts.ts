import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Histogram } from '../api/answers.ts';
import type { histogramOf } from '../api/ledger/ledger.ts';
import { agentLook } from '../lib/agent-look.ts';
import { countsWithin, type HistogramPart } from './histogram-parts.ts';

/** Each takes a query, and more than a few cannot be told apart in a bar. */
const MOST_AGENTS = 5;

/** The stretches of a whole, by their borders, and an agent. */
export interface PartFilter {
  readonly agentId: string;
  readonly startTime?: string;
  readonly endTime?: string;
}

/**
 * What agents have of each bar. The stretches are asked for by their borders, so that the bars are the same.
 * @param whole counts of all agents; undefined while they are not there
 * @param agents their ids, those that did most first; of a single one there are no parts
 * @param ask the query for the counts of one agent, in as many bars
 */
export function useAgentParts(
  whole: Histogram | undefined,
  agents: readonly string[],
  ask: (filter: PartFilter) => ReturnType<typeof histogramOf>,
): readonly HistogramPart[] {
  const names = useMemo(() => agents.slice(0, MOST_AGENTS), [agents]);
  const start = whole?.start_time == null ? null : Date.parse(whole.start_time);
  const range =
    whole === undefined || start === null
      ? {}
      : {
          startTime: new Date(start).toISOString(),
          endTime: new Date(start + whole.counts.length * whole.bucket_ms).toISOString(),
        };
  const counted = useQueries({
    queries: (start === null || names.length < 2 ? [] : names).map((agentId) => ask({ ...range, agentId })),
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
