import { nodeCrypto } from '../../node/index.ts';
import {
  CompactRange,
  type Epoch,
  epochHash,
  epochSignedBytes,
  formatDigest,
  merkleRoot,
  type ReadNode,
} from '../../protocol/index.ts';
import { type Bundle, leafOf, nodesOf } from './bundle.ts';

const { sha256 } = nodeCrypto;

/** A bundle whose records and neighbours have receipts of another service, which has sealed none of them yet. */
export type Unsealed = Pick<Bundle, 'epochs' | 'edges' | 'records'>;

/** Whoever seals. */
export interface Sealer {
  readonly kid: string;
  readonly orgId: string;
  readonly sign: (message: Uint8Array) => string;
  /** What replaces an event hash. */
  readonly newHead: (head: string | null) => string | null;
}

/**
 * Epochs over new receipts. What the bundle does not show of the log stays as its gaps have it, and so do the roots that do
 * not follow from what it shows.
 */
export function reseal({ epochs: old, records, edges }: Unsealed, sealer: Sealer): Unsealed {
  const node = nodesOf({ epochs: old, records, edges }, sha256);
  const leaves = new Map(records.map((record) => [record.ear.seq_no, leafOf(record, sha256)]));
  const epochs: Epoch[] = [];
  for (const epoch of old) epochs.push(sealed(epoch, epochs.at(-1), { node, leaves, sealer }));
  const { head } = edges;
  const last = epochs.at(-1);
  const newest =
    head !== null && head.epoch_no !== last?.epoch_no ? sealed(head, last, { node, leaves, sealer }) : last;
  return { epochs, records, edges: { ...edges, head: head && (newest ?? null) } };
}

function sealed(
  { signature_by_service: _, ...old }: Epoch,
  before: Epoch | undefined,
  from: { readonly node: ReadNode; readonly leaves: ReadonlyMap<number, Uint8Array>; readonly sealer: Sealer },
): Epoch {
  const { kid, orgId, sign, newHead } = from.sealer;
  const own = Array.from({ length: old.leaf_count }, (_, n) => from.leaves.get(old.first_seq_no + n));
  const run = own.filter((leaf) => leaf !== undefined);
  const isNext = before !== undefined && before.epoch_no === old.epoch_no - 1;
  const statement = {
    ...old,
    org_id: orgId,
    root_hash: run.length === own.length ? formatDigest(merkleRoot(run, sha256)) : old.root_hash,
    log_root: rootAt(old.last_seq_no, from.node) ?? old.log_root,
    prev_epoch_hash: isNext ? epochHash(epochSignedBytes(before), sha256) : old.prev_epoch_hash,
    admin_head_hash: newHead(old.admin_head_hash),
    service_kid: kid,
  };
  return { ...statement, signature_by_service: sign(epochSignedBytes(statement)) };
}

/** The root of the log at a size; null where the subtrees at hand do not lead there. */
export function rootAt(size: number, node: ReadNode): string | null {
  try {
    return formatDigest(CompactRange.of(size, node, sha256).root());
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
