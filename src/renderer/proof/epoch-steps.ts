import {
  type Epoch,
  epochHash,
  epochSignedBytes,
  formatDigest,
  parseDigest,
  receiptSignedBytes,
  verifyInclusion,
} from '../../protocol/index.ts';
import type { EpochRow, ServiceKeys, StoredOperation } from '../api/answers.ts';
import { type Climb, climb } from './merkle-climb.ts';
import { leafOf, serviceSignatureStep } from './receipt-steps.ts';
import { comparison, hexOf, type Step, withoutWork } from './step.ts';

/** The way of a record to its epoch's root; null where there is none that fits. */
export function climbOf(operation: StoredOperation, epoch: Epoch): Climb[] | null {
  const inclusion = operation.epoch?.inclusion;
  if (inclusion == null) return null;
  return climb(leafOf(operation), inclusion.leaf_index, epoch.leaf_count, inclusion.path.map(parseDigest));
}

/**
 * That the record is in its epoch's tree, level by level.
 * @param isExcerpt whether other records of the epoch may be left out
 */
export function inclusionStep(operation: StoredOperation, epoch: Epoch | null, isExcerpt: boolean): Step {
  const about = { id: 'inclusion', title: 'Inclusion in the epoch', rule: 'protocol §6, RFC 6962 §2.1.1' };
  if (operation.epoch === null) {
    return isExcerpt
      ? withoutWork(about, 'cannot_check', 'The file has no epoch that seals it; its receipt is signed.')
      : withoutWork(about, 'not_checked', 'The record waits to be sealed; its receipt is signed already.');
  }
  if (epoch === null) return withoutWork(about, 'cannot_check', 'The epoch could not be read.');
  const { inclusion } = operation.epoch;
  if (inclusion === null) {
    const why = 'The file has no proof of it, and not all records of the epoch to make one.';
    if (isExcerpt) return withoutWork(about, 'cannot_check', why);
    return {
      ...about,
      outcome: 'fail',
      sentence: 'The service has no proof: the stored ledger was changed.',
      operands: [],
    };
  }
  const leaf = leafOf(operation);
  const levels = climbOf(operation, epoch);
  const root = parseDigest(epoch.root_hash);
  const isPlace = epoch.first_seq_no + inclusion.leaf_index === operation.ear.seq_no;
  const proof = {
    leafHash: leaf,
    leafIndex: inclusion.leaf_index,
    treeSize: epoch.leaf_count,
    path: inclusion.path.map(parseDigest),
    root,
  };
  const holds = isPlace && verifyInclusion(proof);
  const computed = levels?.at(-1)?.parent.hash ?? leaf;
  return {
    ...about,
    outcome: holds ? 'pass' : 'fail',
    sentence: holds
      ? `Leaf ${inclusion.leaf_index} of ${epoch.leaf_count}: ${inclusion.path.length} levels lead to the root.`
      : 'The path does not lead to the root of the epoch.',
    operands: [
      { label: '0x00, JCS(receipt)', value: `00${hexOf(receiptSignedBytes(operation.ear))}` },
      { label: 'Leaf, its SHA-256', value: hexOf(leaf) },
      ...(levels ?? []).flatMap(({ sibling, siblingIsLeft, parent }, n) => [
        { label: `${n + 1}: ${siblingIsLeft ? 'left' : 'right'} sibling`, value: hexOf(sibling.hash) },
        { label: `${n + 1}: H(01, l, r)`, value: hexOf(parent.hash) },
      ]),
      { label: 'Computed root', value: formatDigest(computed), bad: !holds },
      { label: 'root_hash', value: epoch.root_hash, bad: !holds },
    ],
  };
}

export function epochSignatureStep(
  epoch: Epoch | null,
  isSealed: boolean,
  keys: ServiceKeys | undefined,
  isExcerpt: boolean,
): Step {
  const about = { id: 'epoch', title: "Epoch's signature", rule: 'protocol §6' };
  if (!isSealed && isExcerpt) return withoutWork(about, 'cannot_check', 'The file has no epoch that seals the record.');
  if (!isSealed) return withoutWork(about, 'not_checked', 'No epoch has sealed the record yet.');
  if (epoch === null) return withoutWork(about, 'cannot_check', 'The epoch could not be read.');
  const statement = { bytes: epochSignedBytes(epoch), kid: epoch.service_kid, signature: epoch.signature_by_service };
  return serviceSignatureStep(about, statement, keys);
}

/**
 * That an epoch refers to the one before it, and begins where that ended.
 * @param isExcerpt whether the epoch before it may be there and only left out
 */
export function epochLinkStep(epoch: Epoch, previous: EpochRow | null | undefined, isExcerpt: boolean): Step {
  const about = { id: 'epoch-link', title: 'Link to the previous epoch', rule: 'protocol §6' };
  if (previous === undefined) return withoutWork(about, 'cannot_check', 'The previous epoch could not be read.');
  if (previous === null && isExcerpt && epoch.epoch_no > 1) {
    return withoutWork(about, 'cannot_check', 'The epoch before it is not in the file.');
  }
  const isFirst = previous === null;
  const computed = isFirst ? 'null' : epochHash(epochSignedBytes({ ...previous, org_id: epoch.org_id }));
  const begins = isFirst ? 1 : previous.last_seq_no + 1;
  const link = comparison(
    about,
    { label: isFirst ? 'No previous epoch' : `Hash of epoch ${previous.epoch_no}`, value: computed },
    { label: 'prev_epoch_hash', value: epoch.prev_epoch_hash ?? 'null' },
    [],
    {
      pass: isFirst
        ? 'It is the first epoch, and says so.'
        : 'It refers to the epoch before it and continues where that ended.',
      fail: 'The chain of epochs is broken before this one.',
    },
  );
  if (link.outcome === 'fail' || begins === epoch.first_seq_no) return link;
  return {
    ...link,
    outcome: 'fail',
    sentence: 'There is a gap between the epochs.',
    operands: [...link.operands, { label: 'first_seq_no', value: `${epoch.first_seq_no}, not ${begins}`, bad: true }],
  };
}

/** That the run of records is as long as the epoch says. */
export function epochRunStep({ first_seq_no: first, last_seq_no: last, leaf_count: leaves }: EpochRow): Step {
  const holds = last - first + 1 === leaves;
  return {
    id: 'epoch-run',
    title: 'Run of records',
    rule: 'protocol §6',
    outcome: holds ? 'pass' : 'fail',
    sentence: holds ? 'A run without gaps, one leaf for each record.' : 'The numbers of records and leaves differ.',
    operands: [
      { label: 'first_seq_no', value: String(first) },
      { label: 'last_seq_no', value: String(last) },
      { label: 'leaf_count', value: String(leaves), bad: !holds },
    ],
  };
}
