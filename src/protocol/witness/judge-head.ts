import { utf8 } from '../bytes.ts';
import { type HostCrypto, StrictVerifier } from '../crypto.ts';
import { parseDigest } from '../digest.ts';
import { verifyConsistency } from '../merkle/consistency.ts';
import {
  type Checkpoint,
  type CheckpointEvidence,
  checkpointOrigin,
  type NamedKey,
  parseCheckpoint,
} from '../statements/checkpoint.ts';
import {
  type ConsistencyLink,
  formatConsistencyProof,
  type KeptCheckpoint,
  parseKeptCheckpoint,
} from '../statements/consistency-proof.ts';
import { contradictionBetween } from '../verify/contradiction.ts';
import { signedEvidence } from '../verify/signed-checkpoint.ts';
import type { SignedStatement } from '../verify/signed-statement.ts';

/** What a service said of its ledger to somebody who submits to it, and what they had of it. */
export interface HeadQuestion {
  readonly orgId: string;
  /** The checkpoint or consistency proof that was answered. */
  readonly text: string;
  /** The checkpoint that is kept; null before the first. */
  readonly kept: string | null;
  /** A receipt that was shown. */
  readonly shown: SignedStatement | null;
  /** The keys of the service that are trusted here. */
  readonly keys: readonly NamedKey[];
  readonly crypto: HostCrypto;
}

/**
 * `continues`: what is to be kept from now on, null where that stays. `contradicts`: two signed statements of which only one can be true.
 * `unproven`: the log does not begin with what is kept, by hashes that prove nothing. `unsigned`: no key that is trusted signed the answer.
 */
export type HeadJudgement =
  | { readonly kind: 'continues'; readonly keep: string | null }
  | { readonly kind: 'contradicts'; readonly statements: readonly [SignedStatement, SignedStatement] }
  | { readonly kind: 'unproven' | 'unsigned' };

/** Of such a size a consistency proof does not hold the root (RFC 6962 §2.1.2): another log of that size would be found, and not proven. */
function isPowerOfTwo(size: number): boolean {
  return Number.isInteger(Math.log2(size));
}

/** Whether the log of a checkpoint begins with that of another, by the hashes between their sizes. */
export function leadsTo(from: Checkpoint, { path }: ConsistencyLink, to: Checkpoint): boolean {
  const [firstRoot, secondRoot] = [parseDigest(from.root), parseDigest(to.root)];
  return verifyConsistency({ firstSize: from.size, secondSize: to.size, firstRoot, secondRoot, path });
}

function leadsFrom(kept: Checkpoint, { checkpoint, link }: KeptCheckpoint): boolean {
  return link !== null && link.oldSize === kept.size && leadsTo(kept, link, checkpoint);
}

/**
 * Holds what a service says of its ledger against what somebody kept of it (protocol F90). Pure: who calls it keeps the checkpoint.
 * @throws ProtocolError where a text is no checkpoint
 */
export async function judgeHead({ orgId, text, kept, shown, keys, crypto }: HeadQuestion): Promise<HeadJudgement> {
  const verifier = new StrictVerifier(crypto);
  const said = parseKeptCheckpoint(utf8(text));
  const { checkpoint, link } = said;
  const signed = (one: Checkpoint): Promise<CheckpointEvidence | null> =>
    one.origin === checkpointOrigin(orgId) ? signedEvidence(one, keys, verifier, crypto.sha256) : Promise.resolve(null);
  const evidence = await signed(checkpoint);
  if (evidence === null) return { kind: 'unsigned' };
  const withWay = link === null ? evidence.checkpoint : formatConsistencyProof(link, evidence.checkpoint);
  const before = kept === null ? null : parseCheckpoint(utf8(kept));
  const had = [shown, before === null ? null : await signed(before)].filter((one) => one !== null);
  for (const one of had) {
    for (const other of [evidence, { ...evidence, checkpoint: withWay }]) {
      if (contradictionBetween(one, other) !== null) return { kind: 'contradicts', statements: [one, other] };
    }
  }
  if (before !== null && checkpoint.size < before.size) return { kind: 'continues', keep: null };
  if (before !== null && !leadsFrom(before, said)) return { kind: 'unproven' };
  const isKept = before?.size === checkpoint.size || isPowerOfTwo(checkpoint.size);
  return { kind: 'continues', keep: isKept ? null : evidence.checkpoint };
}
