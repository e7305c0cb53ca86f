import { formatDigest, type Sha256 } from '../digest.ts';
import { CompactRange } from '../merkle/tree.ts';
import type { Kept, KeptIndex } from './kept-index.ts';
import type { IsSigned, LogRoot } from './statement-set.ts';

/**
 * The log as kept receipts give it (protocol V123): those that follow each other from 1 without a gap determine its root at each of
 * their numbers. Of each number the first given that is signed counts; signatures are looked at where several differ, and all
 * of them before a root speaks against anybody.
 */
export class KeptRoots {
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
      const { where, file } = last;
      return [
        {
          size,
          root: formatDigest(tree.root()),
          where,
          file,
          isProven: () => this.#areSigned(size),
          isCompared: false,
        },
      ];
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
