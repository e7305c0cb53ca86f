/** How far the enumeration goes: all ranges between two records, agents and moments, or some of them. */
import type { Request } from './exporting.ts';
import { type AgentName, MOMENTS, NOW } from './history.ts';

export interface Bounds {
  /** Of these every set of records is shown. */
  readonly cut: readonly Request[];
  /** With these every lie is told. */
  readonly lied: readonly Request[];
  /** These are made of every history one step away, and of every one two steps away. */
  readonly asked: readonly Request[];
  readonly askedOfPairs: readonly Request[];
  readonly stolen: readonly Request[];
}

/** Before, between and behind the five records. */
const TIMES = [0, 11, 15, 25, 29, 100] as const;
const AGENTS: readonly (AgentName | null)[] = [null, 'ann', 'bob'];

function requests(
  ranges: readonly (readonly [number, number])[],
  agents = AGENTS,
  made: readonly number[] = [NOW],
): Request[] {
  return made.flatMap((moment) =>
    agents.flatMap((agent) => ranges.map(([from, to]) => ({ from, to, agent, made: moment }))),
  );
}

const ALL_RANGES = TIMES.flatMap((from) => TIMES.filter((to) => to > from).map((to) => [from, to] as const));

/** Every range, agent and moment. */
export const cutsOf = (): readonly Request[] => requests(ALL_RANGES, AGENTS, MOMENTS);

const WHOLE = [[0, 100]] as const;

/** About a minute on one idle core. */
export const QUICK: Bounds = {
  cut: requests([
    [0, 100],
    [0, 15],
    [15, 100],
    [11, 29],
  ]),
  lied: [
    ...requests(
      [
        [0, 100],
        [11, 29],
      ],
      [null],
    ),
    ...requests([[15, 100]], ['bob']),
    ...requests([[0, 25]], ['ann']),
  ],
  asked: [
    ...requests(
      [
        [0, 100],
        [0, 15],
        [29, 100],
      ],
      [null],
    ),
    ...requests([[15, 100]], ['ann']),
    ...requests([[0, 15]], ['bob']),
  ],
  askedOfPairs: requests(WHOLE, [null]),
  stolen: requests(WHOLE, [null]),
};

/** Hours: every range, agent and moment, and histories two steps away. */
export const DEEP: Bounds = {
  cut: cutsOf(),
  lied: requests(ALL_RANGES),
  asked: cutsOf(),
  askedOfPairs: requests(
    [
      [0, 100],
      [15, 100],
      [29, 100],
    ],
    [null, 'bob'],
  ),
  stolen: requests(ALL_RANGES),
};
