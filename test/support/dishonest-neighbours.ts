/** Neighbours whose epochs no ledger could have had beside the ones in the bundle. */
import {
  type Epoch,
  type EpochStatement,
  epochHash,
  epochSignedBytes,
  formatTime,
  type Neighbour,
} from '../../src/protocol/index.ts';
import { type Contents, otherDigest, type Plan, START, signEpoch } from './bundle-maker.ts';
import type { Case } from './dishonest.ts';

/** Number 2 ends the first epoch of four and number 8 begins the last: both are neighbours of what lies between. */
const PLAN: Plan = { agents: 2, epochs: [2, 3, 2, 2], range: [3, 7] };

const hashOf = (epoch: Epoch): string => epochHash(epochSignedBytes(epoch));

function withEpoch(neighbour: Neighbour | null, change: Partial<EpochStatement>): Neighbour {
  if (neighbour === null) throw new Error('the range has a neighbour on each side');
  const { signature_by_service: _, ...epoch } = neighbour.epoch;
  return { ...neighbour, epoch: signEpoch({ ...epoch, ...change }) };
}

/** The epoch of one neighbour otherwise, and all behind it linked with that and signed anew. */
function neighbours({
  before: ofBefore = {},
  after: ofAfter = {},
}: {
  readonly before?: Partial<EpochStatement>;
  readonly after?: Partial<EpochStatement>;
}): (contents: Contents) => Contents {
  return (contents) => {
    const before = withEpoch(contents.edges.before, ofBefore);
    let prev_epoch_hash = hashOf(before.epoch);
    const epochs = contents.epochs.map(({ signature_by_service: _, ...epoch }) => {
      const linked = signEpoch({ ...epoch, prev_epoch_hash });
      prev_epoch_hash = hashOf(linked);
      return linked;
    });
    const after = withEpoch(contents.edges.after, { prev_epoch_hash, ...ofAfter });
    return { ...contents, epochs, edges: { ...contents.edges, before, after } };
  };
}

const before = (change: Partial<EpochStatement>): Plan => ({ ...PLAN, contents: neighbours({ before: change }) });
const after = (change: Partial<EpochStatement>): Plan => ({ ...PLAN, contents: neighbours({ after: change }) });

/** The same ledger, its neighbours' epochs signed again as they were: what the cases differ from. */
export const HONEST_NEIGHBOURS: Plan = before({});

export const NEIGHBOUR_CASES: readonly Case[] = [
  {
    code: 'LOG_ROOT_MISMATCH',
    what: 'an epoch before the range that seals another log than the one the frontier is of',
    made: before({ log_root: otherDigest() }),
  },
  {
    code: 'ADMIN_CHAIN_BROKEN',
    what: 'an epoch before the range that seals another administrative log',
    made: before({ admin_head_hash: otherDigest() }),
  },
  {
    code: 'ADMIN_CHAIN_BROKEN',
    what: 'an epoch after the range that seals no event, though those before it did',
    made: after({ admin_head_hash: null }),
  },
  {
    code: 'EDGE_INVALID',
    what: 'an epoch before the range that ended before its receipt was given',
    made: before({ end_time: formatTime(START + 1900) }),
  },
  {
    code: 'EDGE_INVALID',
    what: 'an epoch after the range that began before the range ended',
    made: after({ start_time: formatTime(START + 7100) }),
  },
  {
    code: 'EDGE_INVALID',
    what: 'an epoch after the range that says it began before its first receipt',
    made: after({ start_time: formatTime(START + 7900) }),
  },
  {
    code: 'EDGE_INVALID',
    what: 'a first epoch that follows another',
    made: before({ prev_epoch_hash: otherDigest() }),
  },
  {
    code: 'EDGE_INVALID',
    what: 'an epoch after the range whose number leaves room for epochs without a receipt, and so for no link',
    made: {
      ...after({ epoch_no: 6, prev_epoch_hash: otherDigest() }),
      manifest: (manifest) => ({ ...manifest, log_head: { seq_no: 9, epoch_no: 6 } }),
    },
  },
];
