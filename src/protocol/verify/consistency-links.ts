import { formatDigest, parseDigest, type Sha256 } from '../digest.ts';
import { consistencyRoots } from '../merkle/consistency.ts';
import type { Checkpoint } from '../statements/checkpoint.ts';
import type { ConsistencyLink } from '../statements/consistency-proof.ts';
import type { FindingPlace } from './report.ts';

/** A consistency proof whose checkpoint is signed. */
export interface SignedLink {
  readonly checkpoint: Checkpoint;
  readonly link: ConsistencyLink;
  readonly where: FindingPlace;
}

/** What a proof says of the root at its smaller size. */
export interface LinkAnswer {
  readonly link: SignedLink;
  /** The root with which the proof begins, as somebody stated it. */
  readonly stated: string;
  /** The one that follows from the proof and its signed checkpoint; null where the proof does not lead to that. */
  readonly shown: string | null;
}

/** @param stated a digest */
function follow(signed: SignedLink, stated: string, hash: Sha256): LinkAnswer {
  const { link, checkpoint } = signed;
  const proof = {
    firstSize: link.oldSize,
    secondSize: checkpoint.size,
    path: link.path,
    firstRoot: parseDigest(stated),
  };
  const roots = consistencyRoots(proof, hash);
  const leads = roots !== null && formatDigest(roots.second) === checkpoint.root;
  return { link: signed, stated, shown: leads ? formatDigest(roots.first) : null };
}

/**
 * What consistency proofs say of a checkpoint that the bundle itself does not give a root for (protocol V121), in
 * the order of the proofs: those whose checkpoint it is, from a size that the bundle has, and those that begin at its size
 * and lead to one that the bundle has.
 * @param known the root that the bundle has at a size; null where it has none
 */
export async function* answersOf(
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
  links: readonly SignedLink[],
  known: (size: number) => Promise<string | null>,
  hash: Sha256,
): AsyncGenerator<LinkAnswer> {
  for (const signed of links) {
    const { checkpoint, link } = signed;
    if (checkpoint.size === size && checkpoint.root === root) {
      const stated = await known(link.oldSize);
      if (stated !== null) yield follow(signed, stated, hash);
    } else if (link.oldSize === size) {
      const answer = follow(signed, root, hash);
      // Where the two agree, that says something of the bundle if that has the larger one.
      if (answer.shown !== root || (await known(checkpoint.size)) === checkpoint.root) yield answer;
    }
  }
}
