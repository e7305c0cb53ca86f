/** Newest epochs that no ledger could have behind the ones in the bundle. */
import {
  type Epoch,
  type EpochStatement,
  epochHash,
  epochSignedBytes,
  formatTime,
  type Manifest,
} from '../../src/protocol/index.ts';
import { type Contents, otherDigest, type Plan, START, signEpoch } from './bundle-maker.ts';
import { at } from './bytes.ts';
import type { Case } from './dishonest.ts';

/** Number 8 begins the last epoch of four, which the bundle shows as the newest and not as one of its own. */
const PLAN: Plan = { agents: 2, epochs: [2, 3, 2, 2], range: [3, 7] };

/** The newest epoch otherwise, signed anew. */
function newest(
  change: (epochs: readonly Epoch[]) => Partial<EpochStatement>,
  manifest: (stated: Manifest) => Manifest = (same) => same,
): Plan {
  const contents = ({ edges, ...rest }: Contents): Contents => {
    if (edges.head === null) throw new Error('the ledger has a newest epoch');
    const { signature_by_service: _, ...head } = edges.head;
    return { ...rest, edges: { ...edges, head: signEpoch({ ...head, ...change(rest.epochs) }) } };
  };
  return { ...PLAN, contents, manifest };
}

const hashOf = (epoch: Epoch): string => epochHash(epochSignedBytes(epoch));

/** The same ledger, its newest epoch signed again as it was: what the cases differ from. */
export const HONEST_NEIGHBOURS: Plan = newest(() => ({}));

export const NEIGHBOUR_CASES: readonly Case[] = [
  {
    code: 'LOG_ROOT_MISMATCH',
    what: 'a newest epoch that seals another log than the one that the bundle shows',
    made: newest(() => ({ log_root: otherDigest() })),
  },
  {
    code: 'ADMIN_CHAIN_BROKEN',
    what: 'a newest epoch that seals another administrative log',
    made: newest(() => ({ admin_head_hash: otherDigest() })),
  },
  {
    code: 'ADMIN_CHAIN_BROKEN',
    what: 'a newest epoch that seals no event, though those before it did',
    made: newest(() => ({ admin_head_hash: null })),
  },
  {
    code: 'EDGE_INVALID',
    what: 'a newest epoch that ended before the receipt next after the range was given',
    made: newest(() => ({ end_time: formatTime(START + 7900) })),
  },
  {
    code: 'TIME_ORDER',
    what: 'a newest epoch that began before the one before it ended',
    made: newest(() => ({ start_time: formatTime(START + 6900) })),
  },
  {
    code: 'EPOCH_CHAIN_BROKEN',
    what: 'a newest epoch that follows another one',
    made: newest(() => ({ prev_epoch_hash: otherDigest() })),
  },
  {
    code: 'EPOCH_CHAIN_BROKEN',
    what: 'a newest epoch of the number of one in the bundle',
    made: newest(
      (epochs) => ({ epoch_no: 3, prev_epoch_hash: hashOf(at(epochs, 0)) }),
      (stated) => ({ ...stated, log_head: { seq_no: 9, epoch_no: 3 } }),
    ),
  },
  {
    code: 'EPOCH_CHAIN_BROKEN',
    what: 'a newest epoch with the id of another',
    made: newest((epochs) => ({ epoch_id: at(epochs, 1).epoch_id })),
  },
  {
    code: 'EPOCH_GAP',
    what: 'a newest epoch whose number leaves room for epochs without a receipt, and so for no link',
    made: newest(
      () => ({ epoch_no: 6, prev_epoch_hash: otherDigest() }),
      (stated) => ({ ...stated, log_head: { seq_no: 9, epoch_no: 6 } }),
    ),
  },
  {
    code: 'EPOCH_SIGNATURE_INVALID',
    what: 'a newest epoch that somebody else signed',
    made: newest(() => ({ org_id: 'org_other' })),
  },
  {
    code: 'MANIFEST_MISMATCH',
    what: 'a newest epoch that is not the head of the ledger',
    made: { ...PLAN, manifest: (stated) => ({ ...stated, log_head: { seq_no: 12, epoch_no: 5 } }) },
  },
];
