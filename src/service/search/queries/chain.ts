import { type ChainAnswer, type ChainPart, type ChainRow, LIMITS } from '../../../api/index.ts';
import { parseTime } from '../../../protocol/index.ts';

/** One side of a sequence number. */
export type Side = { readonly before: number } | { readonly after: number };

/** An agent's chain as one ledger has it. */
export interface Chain {
  /** Records on one side, the nearest first. */
  links(side: Side, most: number): ChainRow[];
  /** The sequence number of the newest record issued at a time or before, in milliseconds since 1970; 0 where there is none. */
  newestAt(time: number): number | Promise<number>;
}

/** A part of an agent's chain, newest first. @throws what the chain throws, of a part that is named by a time */
export async function readChain(
  chain: Chain,
  { before = Number.MAX_SAFE_INTEGER, after, at, limit = LIMITS.page.default }: ChainPart,
): Promise<ChainAnswer> {
  const isAny = (side: Side): boolean => chain.links(side, 1).length > 0;
  if (after !== undefined) {
    const following = chain.links({ after }, limit + 1);
    const data = following.slice(0, limit).reverse();
    const oldest = data.at(-1);
    return { data, older: oldest !== undefined && isAny({ before: oldest.seq_no }), newer: following.length > limit };
  }
  const end = at === undefined ? before : (await chain.newestAt(parseTime(at))) + 1;
  const found = chain.links({ before: end }, limit + 1);
  const newest = found[0]?.seq_no ?? end - 1;
  return { data: found.slice(0, limit), older: found.length > limit, newer: isAny({ after: newest }) };
}
