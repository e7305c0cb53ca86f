import { utf8 } from '../../../src/protocol/index.ts';
import { FAMILIES, type Family } from './bases.ts';
import { changedCase } from './case-files.ts';
import { changedCertificate } from './certificates.ts';
import { BUNDLE_CHANGES } from './changes.ts';
import { changedReport, packed } from './contained.ts';
import { DISCLOSURE_CHANGES } from './disclosures.ts';
import { Draw } from './draw.ts';
import type { Kind } from './job.ts';
import { canonicalText, proofTreeOf } from './proofs.ts';
import { LEVELS, type Level, reseal, resealProof } from './reseal.ts';
import { remade } from './steps.ts';
import { type Beside, type Surroundings, surroundingsOf } from './surroundings.ts';
import { changedText, textOf } from './text.ts';
import { copyOf, type Tree } from './tree.ts';
import type { ReaderName } from './verifier-process.ts';

/**
 * What was changed: nothing, a step of the making, values of the bundle, its text, or what is given beside it; a proof of records, a
 * report of chosen records, or a case that was made of it, or a bundle within another file; or a certificate of retention.
 */
export type Way =
  | 'honest'
  | 'step'
  | 'values'
  | 'text'
  | Beside
  | 'proof'
  | 'report'
  | 'packed'
  | 'case'
  | 'certificate';

/** How often each is wanted. */
export const WAYS: readonly (readonly [weight: number, way: Way])[] = [
  [12, 'honest'],
  [20, 'step'],
  [46, 'values'],
  [14, 'text'],
  [16, 'proof'],
  [7, 'receipts'],
  [7, 'against'],
  [7, 'checkpoints'],
  [16, 'report'],
  [6, 'packed'],
  [8, 'case'],
  [10, 'certificate'],
];

/** A file with all that a reader gives beside it; the same for the same seed and number. */
export interface Mutant extends Surroundings {
  readonly number: number;
  readonly way: Way;
  readonly kind: Kind;
  /** Who reads files of this kind, that of the protocol first. */
  readonly readers: readonly ReaderName[];
  /** What was changed in the file, for whoever reads it. */
  readonly how: string;
  readonly file: Uint8Array;
  /** Whether nothing was changed of the file itself. */
  readonly isHonest: boolean;
  /** Whether something was changed that a signature covers in every byte, and nothing was signed again: nobody may call it verified. */
  readonly isForged: boolean;
  /** Whether it is an archive that may not unpack to its end. */
  readonly isDamagedArchive?: boolean;
}

interface Changed {
  readonly how: string;
  readonly bundle: Tree;
  readonly receipts: readonly Tree[];
  readonly file?: Uint8Array;
  /** Whether it is as a service makes it. */
  readonly isHonest?: boolean;
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
  if (way !== 'text') return { ...base, bundle: copyOf(base.bundle), how: base.name, isHonest: true };
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
  const isSigned = done.length > 0 && draw.chance(50);
  if (isSigned) resealProof(proof);
  const how = `proof of ${inside.how}; then: ${done.join('; ') || 'nothing'}${isSigned ? '; signed' : ''}`;
  const text = canonicalText(proof);
  const isRespelled = draw.chance(12);
  const file = isRespelled ? changedText(text, draw) : utf8(text.toWellFormed());
  const isHonest = inside.bundle === base.bundle && done.length === 0 && !isRespelled;
  return { how, bundle: proof, receipts: inside.receipts, file, isHonest };
}

/** Files with a proof or a bundle inside. */
const IN_ANOTHER: ReadonlySet<Way> = new Set<Way>(['report', 'packed']);

/** What goes into another file: for a report a proof of records. */
function changedProofOrBundle(way: Way, family: Family, draw: Draw, others: readonly Tree[]): Changed {
  if (way === 'report') return changedProof(family, draw, others);
  return changedBundle(draw.pick<Way>(['honest', 'values']), family, draw, others);
}

const BESIDE: ReadonlySet<Way> = new Set<Way>(['receipts', 'against', 'checkpoints']);
const isBeside = (way: Way): way is Beside => BESIDE.has(way);

/** What nothing is given beside. */
const NOTHING = { receipts: [], against: [], checkpoints: [], madeNotBefore: null };

const OF_FILES = ['protocol', 'single-file', 'python'] as const;

/** Makes one mutant. */
export async function mutantOf(seed: number, number: number): Promise<Mutant> {
  const draw = new Draw(seed, number);
  const family = draw.weighted(FAMILIES);
  const way = draw.weighted(WAYS);
  const others = [draw.pick([...family.honest, ...family.rewritten])(), draw.pick(family.honest)()].map(
    ({ bundle }) => bundle,
  );
  const base = { number, way, isForged: false, isHonest: way === 'honest', readers: OF_FILES };
  if (way === 'case') {
    const made = changedCase(draw.pick(family.honest)(), family.kids[0] ?? '', draw, others);
    const { trust, trustAgent } = surroundingsOf(family, null, [], draw, others);
    return {
      ...base,
      kind: 'case',
      readers: ['protocol', 'service'],
      ...NOTHING,
      trust,
      trustAgent,
      what: 'a case',
      ...made,
    };
  }
  if (way === 'certificate') {
    const made = changedCertificate(draw, others);
    return { ...base, kind: 'certificate', ...NOTHING, trustAgent: [], what: 'a certificate', ...made };
  }
  const changed = IN_ANOTHER.has(way)
    ? changedProofOrBundle(way, family, draw, others)
    : way === 'proof'
      ? changedProof(family, draw, others)
      : changedBundle(way, family, draw, others);
  const { bundle, receipts } = changed;
  const surroundings = surroundingsOf(family, bundle, receipts, draw, others, isBeside(way) ? way : undefined);
  if (IN_ANOTHER.has(way)) {
    const made = way === 'report' ? await changedReport(bundle, family, draw, others) : await packed(bundle, draw);
    const isHonest = made.isHonest && changed.isHonest === true;
    return {
      ...base,
      ...surroundings,
      ...NOTHING,
      kind: 'contained',
      ...made,
      isHonest,
      how: `${made.how}; of ${changed.how}`,
    };
  }
  return {
    ...base,
    ...surroundings,
    ...(way === 'proof' ? NOTHING : {}),
    kind: way === 'proof' ? 'proof' : 'bundle',
    isHonest: changed.isHonest ?? base.isHonest,
    how: changed.how,
    file: changed.file ?? utf8(textOf(bundle).toWellFormed()),
  };
}
