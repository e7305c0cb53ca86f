import { formatDigest, type Sha256 } from '../digest.ts';
import { CompactRange } from '../merkle/tree.ts';
import type { Manifest } from '../statements/manifest.ts';
import type { Kept, KeptIndex } from './kept-index.ts';
import type { IsSigned, LogRoot, StatementJudging, StatementSet } from './statement-set.ts';

/**
 * The log as kept receipts give it (protocol V123): those that follow each other from 1 without a gap determine its root at each of
 * their numbers. Of each number the first given that is signed counts; signatures are looked at where several differ, and all
 * of them before a root speaks against anybody.
 */
class KeptRoots {
  readonly #receipts: readonly (readonly Kept[])[];
  readonly #isSigned: IsSigned;
  readonly #hash: Sha256;
  #signedUpTo = 0;

  private constructor(receipts: readonly (readonly Kept[])[], isSigned: IsSigned, hash: Sha256) {
    this.#receipts = receipts;
    this.#isSigned = isSigned;
    this.#hash = hash;
  }

  static async of(kept: KeptIndex, orgId: string, isSigned: IsSigned, hash: Sha256): Promise<KeptRoots> {
    const receipts: (readonly Kept[])[] = [];
    for (;;) {
      const here = kept.at(receipts.length + 1).filter(({ receipt }) => receipt.org_id === orgId);
      const chosen = await one(here, isSigned);
      if (chosen.length === 0) return new KeptRoots(receipts, isSigned, hash);
      receipts.push(chosen);
    }
  }

  /** The roots that the receipts give at some sizes. */
  at(sizes: Iterable<number>): LogRoot[] {
    const tree = new CompactRange(0, this.#hash);
    const within = [...sizes].filter((size) => size > 0 && size <= this.#receipts.length).sort((a, b) => a - b);
    return within.flatMap((size) => {
      for (const [kept] of this.#receipts.slice(tree.end, size)) if (kept !== undefined) tree.push(kept.leaf);
      const last = this.#receipts[size - 1]?.[0];
      if (last === undefined) return [];
      const isProven = (): Promise<boolean> => this.#areSigned(size);
      const { where, file } = last;
      return [{ size, root: formatDigest(tree.root()), where, file, isProven, isCompared: false }];
    });
  }

  /** Whether every receipt up to a size is signed. */
  async #areSigned(size: number): Promise<boolean> {
    for (; this.#signedUpTo < size; this.#signedUpTo++) {
      if (!(await isOneSigned(this.#receipts[this.#signedUpTo] ?? [], this.#isSigned))) return false;
    }
    return true;
  }
}

async function isOneSigned(kept: readonly Kept[], isSigned: IsSigned): Promise<boolean> {
  for (const { receipt, copy } of kept) {
    if (await isSigned({ receipt })) return true;
    if (copy !== null && (await isSigned({ receipt: copy }))) return true;
  }
  return false;
}

/** The receipts of one statement that count under a number: the only one given, or the first that is signed. */
async function one(here: readonly Kept[], isSigned: IsSigned): Promise<readonly Kept[]> {
  const [first] = here;
  if (first === undefined) return [];
  const text = formatDigest(first.leaf);
  if (here.every(({ leaf }) => formatDigest(leaf) === text)) return here;
  for (const kept of here) if (await isOneSigned([kept], isSigned)) return [kept];
  return [];
}

/** What states roots of one log, or gives them. */
interface RootSources {
  readonly manifest: Manifest;
  /** The roots that the bundle gives, as digests by size. */
  readonly logRoots: ReadonlyMap<number, string>;
  readonly statements: StatementSet;
  readonly kept: KeptIndex;
}

/** Of each size the log has one root, whoever states it and whatever gives it (protocol V123, V124). */
export async function judgeRoots(
  { manifest, logRoots, statements, kept }: RootSources,
  judging: StatementJudging & { readonly hash: Sha256 },
): Promise<void> {
  // What is stated stays where it is, and is made where something was given of its size.
  const roots = new Map<number, LogRoot>();
  const given: LogRoot[] = [...logRoots].map(([size, root]) => ({
    size,
    root,
    where: {},
    file: 0,
    isCompared: false,
    isProven: () => Promise.resolve(true),
  }));
  const keptRoots = await KeptRoots.of(kept, manifest.org_id, judging.isSigned, judging.hash);
  given.push(...keptRoots.at(new Set([...statements.sizes(), ...given.map(({ size }) => size)])));
  for (const root of given) {
    const first = roots.get(root.size) ?? statements.rootAt(root.size);
    if (first === null || (root.file === 0 && first.isCompared)) roots.set(root.size, root);
    else if (first.root !== root.root && first.file + root.file > 0) await judgeRoot(first, root, judging);
  }
}

async function judgeRoot(first: LogRoot, other: LogRoot, { unsigned, log }: StatementJudging): Promise<void> {
  const later = first.file > other.file ? first : other;
  for (const one of [first, other]) {
    if (await one.isProven()) continue;
    unsigned(one.file === 0 ? later.where : one.where);
    return;
  }
  log.add('CONTRADICTION', {
    where: later.where,
    expected: first.root,
    actual: other.root,
    message: `What was given leads to another root of the log at the size ${first.size} than what the service signed.`,
  });
}
