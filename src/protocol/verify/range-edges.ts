import type { Epoch } from '../statements/epoch.ts';
import type { Manifest } from '../statements/manifest.ts';
import { parseTime } from '../time.ts';
import type { FindingLog } from './finding-log.ts';
import type { SequenceTrack } from './sequence-track.ts';

/** Numbers that the range should begin and end with, where they are missing. */
export interface MissingEdges {
  readonly first?: number;
  readonly last?: number;
}

/**
 * Whether a run of all agents' records begins and ends where its range does. The records beside the run are not in the
 * bundle, but the signed times of the epochs that it cuts, and the stated head of the ledger, tell when they were received.
 * @returns the numbers up to which records are missing
 */
export function checkRangeEdges(
  { filter, created_at, log_head }: Manifest,
  epochs: readonly { readonly epoch: Epoch }[],
  { first, last }: SequenceTrack,
  log: FindingLog,
): MissingEdges {
  if (filter.agent_id !== null || first === null || last === null) return {};
  let edges: MissingEdges = {};
  const missing = (where: { epoch_id?: string; epoch_no?: number; seq_no?: number }, message: string): void =>
    log.add('SEQUENCE_GAP', { where, message });
  const firstEpoch = epochs[0]?.epoch;
  if (
    firstEpoch &&
    first > firstEpoch.first_seq_no &&
    parseTime(firstEpoch.start_time) >= parseTime(filter.start_time)
  ) {
    const { epoch_id, epoch_no } = firstEpoch;
    edges = { first: firstEpoch.first_seq_no };
    missing(
      { epoch_id, epoch_no },
      `The first epoch began within the range, but its records before ${first} are missing.`,
    );
  }
  const lastEpoch = epochs.at(-1)?.epoch;
  if (lastEpoch && last < lastEpoch.last_seq_no && parseTime(lastEpoch.end_time) < parseTime(filter.end_time)) {
    const { epoch_id, epoch_no } = lastEpoch;
    edges = { ...edges, last: lastEpoch.last_seq_no };
    missing(
      { epoch_id, epoch_no },
      `The last epoch ended within the range, but its records after ${last} are missing.`,
    );
  }
  // Everything there was when the bundle was made had been received by then.
  if (parseTime(filter.end_time) > parseTime(created_at) && last < log_head.seq_no) {
    edges = { ...edges, last: Math.max(edges.last ?? 0, log_head.seq_no) };
    missing(
      { seq_no: last },
      `The range reaches beyond the making of the bundle, but records up to ${log_head.seq_no} are missing.`,
    );
  }
  return edges;
}
