import { utf8 } from '../../../src/protocol/index.ts';
import { FAMILIES, type Family } from './bases.ts';
import { BUNDLE_CHANGES } from './changes.ts';
import { DISCLOSURE_CHANGES } from './disclosures.ts';
import { Draw } from './draw.ts';
import { proofText, proofTreeOf } from './proofs.ts';
import { LEVELS, type Level, reseal } from './reseal.ts';
import { remade } from './steps.ts';
import { type Surroundings, surroundingsOf } from './surroundings.ts';
import { changedText, textOf } from './text.ts';
import { copyOf, type Tree } from './tree.ts';

/** What was changed: nothing, a step of the making, values of the bundle, its text; or a proof of records was made of it. */
export type Way = 'honest' | 'step' | 'values' | 'text' | 'proof';

/** A bundle with all that a reader gives beside it; the same for the same seed and number. */
export interface Mutant extends Surroundings {
  readonly number: number;
  readonly way: Way;
  /** What was changed in the bundle, for whoever reads it. */
  readonly how: string;
  readonly file: Uint8Array;
}

interface Changed {
  readonly how: string;
  readonly bundle: Tree;
  readonly receipts: readonly Tree[];
  readonly file?: Uint8Array;
}

/** How deep the changed values are signed again. */
function levelsOf(draw: Draw): readonly Level[] {
  return draw.weighted<readonly Level[]>([
    [25, []],
    [30, LEVELS],
    [10, ['counts', 'manifest']],
    [8, ['manifest']],
    [6, ['receipts', 'edges', 'epochs', 'counts', 'manifest']],
    [6, ['events', 'edges', 'epochs', 'counts', 'manifest']],
    [5, ['records', 'receipts']],
    [10, LEVELS.filter(() => draw.chance(60))],
  ]);
}

function withValues(family: Family, draw: Draw, others: readonly Tree[]): Changed {
  const base = draw.pick(family.honest)();
  const bundle = copyOf(base.bundle);
  const done: string[] = [];
  for (let left = draw.pick([1, 1, 1, 2, 2, 3, 4]); left > 0; left--) {
    const changes = draw.chance(family.salted ? 70 : 4) ? DISCLOSURE_CHANGES : BUNDLE_CHANGES;
    done.push(draw.weighted(changes)(bundle, draw, others));
  }
  const levels = levelsOf(draw);
  reseal(bundle, levels);
  const how = `${base.name}: ${done.join('; ')}; signed: ${levels.join(' ') || 'nothing'}`;
  return { how, bundle, receipts: base.receipts };
}

function changedBundle(way: Way, family: Family, draw: Draw, others: readonly Tree[]): Changed {
  if (way === 'values') return withValues(family, draw, others);
  if (way === 'step' && family.plans.length > 0) {
    const plan = draw.below(family.plans.length);
    const made = remade(draw.pick(family.plans.slice(plan, plan + 1)), draw, others);
    if (made !== undefined) return { ...made, how: `${family.name} ${plan}: ${made.what}` };
  }
  const base = draw.pick(family.honest)();
  if (way !== 'text') return { ...base, how: base.name };
  const inside = draw.chance(40) ? withValues(family, draw, others) : { ...base, how: base.name };
  return { ...inside, file: changedText(textOf(inside.bundle), draw) };
}

/** A proof of records of a bundle that was changed or not, itself changed or not. */
function changedProof(family: Family, draw: Draw, others: readonly Tree[]): Changed {
  const base = draw.pick(family.honest)();
  const inside = draw.chance(50) ? withValues(family, draw, others) : { ...base, how: base.name };
  const proof = proofTreeOf(inside.bundle, draw);
  const done: string[] = [];
  const strangers = others.map((other) => proofTreeOf(other, draw));
  for (let left = draw.pick([0, 0, 1, 1, 2]); left > 0; left--) {
    const changes = draw.chance(family.salted ? 40 : 4) ? DISCLOSURE_CHANGES : BUNDLE_CHANGES;
    done.push(draw.weighted(changes)(proof, draw, strangers));
  }
  const how = `proof of ${inside.how}; then: ${done.join('; ') || 'nothing'}`;
  const text = proofText(proof);
  const file = draw.chance(12) ? changedText(text, draw) : utf8(text.toWellFormed());
  return { how, bundle: proof, receipts: inside.receipts, file };
}

/** Makes one mutant. */
export function mutantOf(seed: number, number: number): Mutant {
  const draw = new Draw(seed, number);
  const family = draw.weighted(FAMILIES);
  const way = draw.weighted<Way>([
    [12, 'honest'],
    [22, 'step'],
    [50, 'values'],
    [16, 'text'],
    [16, 'proof'],
  ]);
  const others = [draw.pick([...family.honest, ...family.rewritten])(), draw.pick(family.honest)()].map(
    ({ bundle }) => bundle,
  );
  const isProof = way === 'proof';
  const { how, bundle, receipts, file } = isProof
    ? changedProof(family, draw, others)
    : changedBundle(way, family, draw, others);
  const surroundings = surroundingsOf(family, bundle, receipts, draw, others);
  // A proof is compared with nothing.
  const nothing = { receipts: [], against: [], checkpoints: [], madeNotBefore: null };
  return {
    ...(isProof ? { ...surroundings, ...nothing } : surroundings),
    ...{ number, way, how },
    file: file ?? utf8(textOf(bundle).toWellFormed()),
  };
}
