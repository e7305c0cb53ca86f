/** Proofs of records out of bundles, whatever was done to these before. */

import { type Contents, nodesOf, withGaps } from '../../../src/cli/qualify/bundle.ts';
import {
  canonicalBytes,
  type Edges,
  type Json,
  ProtocolError,
  RECORD_PROOF_TYPE,
} from '../../../src/protocol/index.ts';
import type { Draw } from './draw.ts';
import { type Branch, branchesOf, copyOf, isBranch, type Tree } from './tree.ts';

function numberOf({ ear }: Branch): number {
  return isBranch(ear) ? Number(ear['seq_no']) : Number.NaN;
}

function covers(epoch: Branch, seqNo: number): boolean {
  return seqNo >= Number(epoch['first_seq_no']) && seqNo <= Number(epoch['last_seq_no']);
}

/** Records with the gaps between them, as far as the bundle leads through the log; as they stand where it does not. */
function laid(bundle: Branch, records: readonly Branch[], head: Tree): Pick<Contents, 'records' | 'edges'> {
  const edges = { before: null, after: null, rest: [], head } as unknown as Edges;
  const chosen = { records: records as unknown as Contents['records'], edges, epochs: [] };
  try {
    return withGaps(chosen, nodesOf(bundle as unknown as Contents));
  } catch (error) {
    if (!(error instanceof ProtocolError || error instanceof TypeError || error instanceof RangeError)) throw error;
    return chosen;
  }
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
      return { agent_id: agent['agent_id'] ?? null, keys: branchesOf(agent['keys']).filter(isUsed) };
    });
  const last = records.at(-1) ?? {};
  const epoch = epochs.find((one) => covers(one, numberOf(last))) ?? null;
  const { records: shown, edges } = laid(bundle, records, epoch);
  return copyOf({
    agents,
    org_id: isBranch(bundle['org']) ? (bundle['org']['org_id'] ?? null) : null,
    records: shown as unknown as Tree,
    seal: { epoch, rest: edges.rest as unknown as Tree },
    service_keys: bundle['service_keys'] ?? null,
    type: RECORD_PROOF_TYPE,
  });
}

/** As a writer writes it, where it can be; what has no canonical form is none of its. */
export function canonicalText(value: Tree): string {
  try {
    return new TextDecoder().decode(canonicalBytes(value as Json));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return JSON.stringify(value);
  }
}
