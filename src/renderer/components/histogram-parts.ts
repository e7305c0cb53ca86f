import type { Histogram } from '../api/answers.ts';
import { agentLook } from '../lib/agent-look.ts';

/** One of the parts that bars are made of, such as those of an agent. */
export interface HistogramPart {
  readonly name: string;
  /** The token of its colour. */
  readonly colour: string;
  /** Operations of each bar; as many as the whole has bars. */
  readonly counts: readonly number[];
}

/** Agents that can be told apart in a bar. */
export const CHART_AGENTS = 8;

const NO_PARTS: readonly HistogramPart[] = [];

/** What the agents with the most have of each bar; of a single agent there are no parts. */
export function agentParts({ agents }: Histogram): readonly HistogramPart[] {
  if (agents === undefined || agents.data.length < 2) return NO_PARTS;
  return agents.data.map(({ agent_id: name, counts }) => {
    return { name, colour: `--agent-${agentLook(name).colour}`, counts };
  });
}

/** Parts one on the other, from the lowest: of each bar the sum of a part and of those below it. The rest of the whole comes last. */
export function stacked(whole: Histogram, parts: readonly HistogramPart[]): number[][] {
  const sums: number[][] = [];
  for (const { counts } of parts) {
    const below = sums.at(-1);
    sums.push(whole.counts.map((most, n) => Math.min(most, (below?.[n] ?? 0) + (counts[n] ?? 0))));
  }
  return [...sums, [...whole.counts]];
}
