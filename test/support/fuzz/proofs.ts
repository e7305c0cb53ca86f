/** Proofs of records out of bundles, whatever was done to these before. */
import {
  canonicalBytes,
  formatDigest,
  inclusionPath,
  type Json,
  ProtocolError,
  RECORD_PROOF_TYPE,
  type Receipt,
  receiptLeafHash,
  receiptSignedBytes,
} from '../../../src/protocol/index.ts';
import type { Draw } from './draw.ts';
import { type Branch, branchesOf, copyOf, isBranch, type Tree } from './tree.ts';

function leafOf({ ear }: Branch): Uint8Array | null {
  try {
    return receiptLeafHash(receiptSignedBytes(ear as unknown as Receipt));
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof TypeError) return null;
    throw error;
  }
}

function numberOf({ ear }: Branch): number {
  return isBranch(ear) ? Number(ear['seq_no']) : Number.NaN;
}

function covers(epoch: Branch, seqNo: number): boolean {
  return seqNo >= Number(epoch['first_seq_no']) && seqNo <= Number(epoch['last_seq_no']);
}

/** A record with a proof: its own, or the one that the records of its epoch give. */
function proven(record: Branch, all: readonly Branch[], epochs: readonly Branch[]): Branch {
  const seqNo = numberOf(record);
  const epoch = epochs.find((one) => covers(one, seqNo));
  if (record['inclusion'] !== undefined || epoch === undefined) return record;
  const own = all.filter((other) => covers(epoch, numberOf(other)));
  const leaves = own.map(leafOf).filter((leaf) => leaf !== null);
  const path = leaves.length === own.length ? inclusionPath(leaves, own.indexOf(record)).map(formatDigest) : [];
  const leafIndex = seqNo - Number(epoch['first_seq_no']);
  return { ...record, inclusion: { epoch_id: epoch['epoch_id'] ?? null, leaf_index: leafIndex, path } };
}

/** Some records of a bundle as their proof, with what they need of it. */
export function proofTreeOf(bundle: Tree, draw: Draw): Tree {
  if (!isBranch(bundle)) return bundle;
  const [all, epochs] = [branchesOf(bundle['records']), branchesOf(bundle['epochs'])];
  const share = draw.pick([20, 50, 100]);
  const picked = all.filter(() => draw.chance(share));
  const records = picked.length > 0 ? picked : all.slice(0, 1);
  const signers = records.map(({ eor }) => (isBranch(eor) ? eor : {}));
  const agents = branchesOf(bundle['agents'])
    .filter(({ agent_id: id }) => signers.some((eor) => eor['agent_id'] === id))
    .map((agent) => {
      const isUsed = ({ kid }: Branch): boolean =>
        signers.some((eor) => eor['agent_id'] === agent['agent_id'] && eor['agent_pubkey_kid'] === kid);
      return { ...agent, keys: branchesOf(agent['keys']).filter(isUsed) };
    });
  return copyOf({
    agents,
    epochs: epochs.filter((epoch) => records.some((record) => covers(epoch, numberOf(record)))),
    org: bundle['org'] ?? null,
    records: records.map((record) => proven(record, all, epochs)),
    service_keys: bundle['service_keys'] ?? null,
    type: RECORD_PROOF_TYPE,
  });
}

/** As a writer writes it, where it can be; what has no canonical form is none of its. */
export function proofText(proof: Tree): string {
  try {
    return new TextDecoder().decode(canonicalBytes(proof as Json));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return JSON.stringify(proof);
  }
}
