import { parseDigest } from '../digest.ts';
import { DigestSet } from './digest-set.ts';

/** A record as its agent's chain sees it; the digests as they stand there. */
export interface ChainedRecord {
  readonly agentId: string;
  readonly seqNo: number;
  readonly prevChainHash: string | null;
  /** The service's word, not the recomputed hash: it is what the next record was linked to. */
  readonly chainHash: string;
}

/** What is wrong with a record's place in its chain, and with which hash it should have continued it. */
export interface BrokenLink {
  readonly code: 'CHAIN_FORK' | 'CHAIN_BROKEN';
  readonly expected: string | null;
}

/** Follows the chains of agents through records in the order of their numbers. */
export interface ChainLinks {
  /** How many records are linked as they should be. */
  readonly count: number;
  /** @param first the sequence number of the first record */
  take(record: ChainedRecord, first: number | null): BrokenLink | null;
}

/** In a bundle or a ledger no record of an agent is left out between two others of it. */
export class UnbrokenChains implements ChainLinks {
  readonly #heads = new Map<string, string>();
  /** Tells only which of two names a failure gets, so fewer bits do. */
  readonly #previousHashes = new DigestSet(64);
  count = 0;

  take({ agentId, prevChainHash, chainHash }: ChainedRecord, first: number | null): BrokenLink | null {
    const head = this.#heads.get(agentId);
    this.#heads.set(agentId, chainHash);
    const unusedBefore = prevChainHash === null || this.#previousHashes.add(parseDigest(prevChainHash));
    // A range may begin within a chain, but not where it begins with the ledger itself.
    const mayBegin = prevChainHash === null || first !== 1;
    if (head === undefined ? mayBegin : prevChainHash === head) {
      this.count++;
      return null;
    }
    const fork = head !== undefined && (prevChainHash === null || !unusedBefore);
    return { code: fork ? 'CHAIN_FORK' : 'CHAIN_BROKEN', expected: head ?? null };
  }
}

interface Head {
  readonly seqNo: number;
  readonly chainHash: string;
  /** All that the agent's records had, this one's too. */
  readonly hashes: Set<string>;
}

/** In a proof of records others of the same agent may lie between two: what can be told all the same (protocol R8). */
export class PickedChains implements ChainLinks {
  readonly #heads = new Map<string, Head>();
  readonly #previousHashes = new Set<string>();
  count = 0;

  take({ agentId, seqNo, prevChainHash, chainHash }: ChainedRecord): BrokenLink | null {
    const head = this.#heads.get(agentId);
    const follows = head !== undefined && prevChainHash === head.chainHash;
    const fork =
      prevChainHash === null
        ? head !== undefined
        : this.#previousHashes.has(prevChainHash) || (!follows && head?.hashes.has(prevChainHash) === true);
    const broken = head === undefined ? seqNo === 1 && prevChainHash !== null : !follows && seqNo === head.seqNo + 1;
    if (prevChainHash !== null) this.#previousHashes.add(prevChainHash);
    this.#heads.set(agentId, { seqNo, chainHash, hashes: (head?.hashes ?? new Set()).add(chainHash) });
    if (fork || broken) return { code: fork ? 'CHAIN_FORK' : 'CHAIN_BROKEN', expected: head?.chainHash ?? null };
    if (follows) this.count++;
    return null;
  }
}
