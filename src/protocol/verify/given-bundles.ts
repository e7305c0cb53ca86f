import type { OtherBundle } from './other-bundle.ts';
import type { Side } from './side.ts';
import type { ChainConflict, ChainEnds, Continuations } from './two-chains.ts';
import { type Judging, judgeLedgers } from './two-ledgers.ts';
import { judgeEpochMoments, judgeMoments } from './two-moments.ts';

/** A bundle that was given. */
export interface Given {
  readonly bundle: OtherBundle;
  /** Its place among the files given, from 1. */
  readonly file: number;
  readonly ends: ChainEnds;
}

type BundleJudging = Omit<Judging, 'file'>;

/** Where the chains of a bundle of all agents do not continue in another one that follows it, or that it follows. */
function brokenEnds(subject: Side, other: Side, ends: ChainEnds): readonly ChainConflict[] {
  const isWhole = ({ signed, covers, manifest }: Side): boolean =>
    signed && covers.records && manifest.filter.agent_id === null;
  const { first_seq_no: first, last_seq_no: last } = subject.manifest;
  return !isWhole(subject) || !isWhole(other) || first === null || last === null ? [] : ends.finish([first, last]);
}

async function tellChains(
  conflicts: readonly ChainConflict[],
  { isSigned, unsigned, log }: BundleJudging,
): Promise<void> {
  for (const { theirs, own, where, message } of conflicts) {
    if (!(await isSigned({ receipt: theirs })) || !(await isSigned({ receipt: own }))) unsigned(where);
    else log.add('CONTRADICTION', { where, expected: theirs.chain_hash, actual: own.chain_hash, message });
  }
}

/** Holds each two bundles against each other (protocol V110): the verified one and all that were given. */
export async function judgeBundles(
  subject: Side,
  others: readonly Given[],
  continued: Continuations,
  judging: BundleJudging,
): Promise<void> {
  const { isSigned } = judging;
  const orgId = subject.manifest.org_id;
  const sides: Side[] = [subject];
  for (const given of others) {
    const { manifest, manifestSignature: manifest_signature, ...bundle } = given.bundle;
    const isOurs = manifest?.org_id === orgId && manifest_signature !== null;
    const of = { file: bundle.name, ...judging };
    for (const side of sides) if (side.signed) await judgeEpochMoments(side.manifest, bundle.epochs, of);
    if (!isOurs) continue;
    const side = { ...bundle, manifest, signed: await isSigned({ manifest, manifest_signature }) };
    for (const one of sides) {
      if (side.signed) await judgeEpochMoments(manifest, one.epochs, of);
      judgeLedgers(one, side, of);
      await judgeMoments(one, side, of);
    }
    await tellChains(brokenEnds(subject, side, given.ends), judging);
    sides.push(side);
  }
  for await (const conflict of continued.conflicts(orgId, (receipt) => isSigned({ receipt }))) {
    await tellChains([conflict], judging);
  }
}
