/**
 * What `verified` claims, said of bundles directly and without the verifier: each claim gives the first thing that is not so,
 * or null. What a reader holds besides the bundle is taken to be true; everything in the bundle may be a lie.
 */

import { type Bundle, leafOf } from '../../src/cli/qualify/bundle.ts';
import { type BundleRecord, equalBytes, parseTime, recordSignedBytes } from '../../src/protocol/index.ts';
import type { AgentName } from './history.ts';
import { sha256 } from './world.ts';

const receivedAt = ({ ear }: BundleRecord): number => parseTime(ear.server_received_at);

/** Whether a bundle, by what its manifest says of itself, has to hold a record, if the ledger has it. */
function covers({ manifest: { filter, created_at } }: Bundle, record: BundleRecord): boolean {
  const received = receivedAt(record);
  return (
    (filter.agent_id === null || filter.agent_id === record.ear.agent_id) &&
    received >= parseTime(filter.start_time) &&
    received < parseTime(filter.end_time) &&
    received < parseTime(created_at)
  );
}

/** One statement for two records: the same receipt, the same signed record, the same payload where both show it. */
function isSame(a: BundleRecord, b: BundleRecord): boolean {
  const [one, other] = [a.eor, b.eor];
  return (
    equalBytes(leafOf(a, sha256), leafOf(b, sha256)) &&
    equalBytes(recordSignedBytes(one), recordSignedBytes(other)) &&
    one.signature === other.signature &&
    (one.payload === undefined ||
      other.payload === undefined ||
      JSON.stringify(one.payload) === JSON.stringify(other.payload))
  );
}

const show = (records: readonly BundleRecord[]): string =>
  records.map(({ ear, eor }) => `${ear.seq_no}:${eor.subject}`).join(' ') || 'none';

/**
 * The records of some agents are the true ones: those of the true ledger that lie within the bundle's range, agent and
 * moment, all of them, in their order, with their content and their receipts.
 */
export function recordsAreTrue(
  bundle: Bundle,
  truth: readonly BundleRecord[],
  of: readonly AgentName[],
): string | null {
  const isOf = ({ ear }: BundleRecord): boolean => (of as readonly string[]).includes(ear.agent_id);
  const expected = truth.filter((record) => isOf(record) && covers(bundle, record));
  const actual = bundle.records.filter(isOf);
  const areSame =
    expected.length === actual.length &&
    expected.every((record, index) => {
      const other = actual[index];
      return other !== undefined && isSame(record, other);
    });
  return areSame ? null : `the bundle shows ${show(actual)} and the truth is ${show(expected)}`;
}

/** What stands beside the range of a bundle of one agent is what the agent did next before and next after. */
export function edgesAreTrue(bundle: Bundle, truth: readonly BundleRecord[], of: readonly AgentName[]): string | null {
  const { filter, created_at } = bundle.manifest;
  if (!of.some((agent) => agent === filter.agent_id)) return null;
  const known = truth.filter(
    (record) => record.ear.agent_id === filter.agent_id && receivedAt(record) < parseTime(created_at),
  );
  const before = known.findLast((record) => receivedAt(record) < parseTime(filter.start_time));
  const after = known.find((record) => receivedAt(record) >= parseTime(filter.end_time));
  const { edges } = bundle;
  const isTrue = edges.before?.ear.chain_hash === before?.ear.chain_hash;
  if (!isTrue || edges.before?.ear.seq_no !== before?.ear.seq_no) return 'another receipt stands before the range';
  return edges.after?.ear.seq_no === after?.ear.seq_no ? null : 'another receipt stands after the range';
}

/** Two bundles of one ledger hold the same where both have to. */
export function agree(a: Bundle, b: Bundle): string | null {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    for (const record of one.records) {
      const { seq_no } = record.ear;
      const same = other.records.find(({ ear }) => ear.seq_no === seq_no);
      if (same !== undefined && !isSame(record, same)) return `both hold a record ${seq_no}, each another one`;
      if (same === undefined && covers(other, record)) return `only one of them holds record ${seq_no}`;
    }
  }
  return null;
}

/** A bundle shows, by its own statements, that it holds its whole range: what stands beside it is next to it, and outside. */
export function rangeIsWhole({ records, edges: { before, after }, manifest }: Bundle): string | null {
  const { filter, log_head, agent_head } = manifest;
  const [start, end] = [parseTime(filter.start_time), parseTime(filter.end_time)];
  if (before !== null && parseTime(before.ear.server_received_at) >= start)
    return 'what stands before it is in the range';
  if (after !== null && parseTime(after.ear.server_received_at) < end) return 'what stands after it is in the range';
  if (records.some((record) => receivedAt(record) < start || receivedAt(record) >= end))
    return 'a record is not in the range';
  if (filter.agent_id === null) {
    const next = (before?.ear.seq_no ?? 0) + 1;
    if (records.some(({ ear }, n) => ear.seq_no !== next + n)) return 'a number is missing';
    return next + records.length === (after?.ear.seq_no ?? log_head.seq_no + 1) ? null : 'the end is missing';
  }
  let head = before?.ear.chain_hash ?? null;
  for (const { eor, ear } of records) {
    if (eor.prev_chain_hash !== head) return "a link of the agent's chain is missing";
    head = ear.chain_hash;
  }
  const ends = after === null ? (agent_head?.chain_hash ?? null) : (after.eor?.prev_chain_hash ?? null);
  return ends === head ? null : "the end of the agent's chain is missing";
}
