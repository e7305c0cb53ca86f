/** How far the enumeration goes: all ranges between two records, agents and moments, or some of them. */
import type { Request } from './exporting.ts';
import { type AgentName, MOMENTS, NOW } from './history.ts';

export interface Bounds {
  /** Of these every set of records is shown. */
  readonly cut: readonly Request[];
  /** With these every lie is told. */
  readonly lied: readonly Request[];
  /** These are made of every history one step away. */
  readonly asked: readonly Request[];
  readonly stolen: readonly Request[];
  /** Histories two steps away, and lies about one that is one step away; none where left out. */
  readonly twice?: Twice;
}

interface Twice {
  readonly requests: readonly Request[];
  /** One of so many pairs of steps is taken, and one of so many lies after a step: all of them would take days. */
  readonly oneOfPairs: number;
  readonly oneOfLies: number;
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
  cut: cutsOf(),
  lied: [
    ...requests(
      [
        [0, 100],
        [0, 15],
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
    // Where an earlier form was deceived, and no other request of these tells.
    ...requests(WHOLE, [null], [21]),
    ...requests([[11, 29]], ['ann']),
  ],
  stolen: requests(WHOLE, [null]),
};

const WIDER = [
  [0, 100],
  [0, 15],
  [15, 100],
  [11, 29],
  [29, 100],
] as const;

/** Some minutes: every range and agent is lied about, more is asked of other histories, and some of those are two steps away. */
export const DEEP: Bounds = {
  cut: cutsOf(),
  lied: requests(ALL_RANGES),
  asked: [...requests(WIDER), ...requests(WHOLE, [null], MOMENTS.slice(0, -1))],
  stolen: [...requests(WIDER, [null]), ...requests(WHOLE, ['ann', 'bob'])],
  // Numbers without a factor in common with how many steps and lies there are: each of these is in some pair.
  twice: { requests: requests(WHOLE, [null]), oneOfPairs: 11, oneOfLies: 41 },
};
