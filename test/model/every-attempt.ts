/** All adversaries with the readers whom each tries to deceive. */
import * as adversary from './adversaries.ts';
import type { Bounds } from './bounds.ts';
import { type Attempt, Exploration, type Wanted } from './exploring.ts';
import { KNOWLEDGE, type Knowledge, TRUSTING_THE_SECOND, TRUSTING_THE_SERVICE } from './knowledge.ts';

type Adversary = readonly [name: string, attempts: Generator<Attempt>, readers: readonly Knowledge[]];

function adversariesOf(bounds: Bounds): readonly Adversary[] {
  return [
    ['cuts', adversary.cuts(bounds), KNOWLEDGE],
    ['lies', adversary.lies(bounds), KNOWLEDGE],
    ['rewritten', adversary.rewritten(bounds), KNOWLEDGE],
    // Without another bundle nobody can know which of two second keys is the true one; whoever keeps receipts of it does.
    [
      'forked keys',
      adversary.forkedKeys(bounds),
      KNOWLEDGE.filter(({ name }) => name !== 'nothing but the pinned key'),
    ],
    ['stolen key', adversary.stolenKey(bounds), [TRUSTING_THE_SECOND]],
    ['outsider', adversary.outsider(bounds), [TRUSTING_THE_SERVICE]],
    ['rewritten twice', adversary.rewrittenTwice(bounds), KNOWLEDGE],
  ];
}

/** Tries the attempts of every adversary, as many as a run makes and all that are wanted, on every reader whom they would deceive. */
export async function exploreAll(bounds: Bounds, wanted: readonly Wanted[]): Promise<Exploration> {
  const exploration = new Exploration(wanted);
  for (const [name, attempts, readers] of adversariesOf(bounds)) {
    for (const attempt of attempts) await exploration.try(name, attempt, readers);
  }
  return exploration;
}
