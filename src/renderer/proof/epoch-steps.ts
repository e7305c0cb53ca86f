import {
  type Epoch,
  epochHash,
  epochSignedBytes,
  formatDigest,
  isSealedIn,
  parseDigest,
  receiptSignedBytes,
} from '../../protocol/index.ts';
import type { EpochRow, ServiceKeys, StoredOperation } from '../api/answers.ts';
import { type Climb, climb } from './merkle-climb.ts';
import { leafOf, serviceSignatureStep } from './receipt-steps.ts';
import { comparison, hexOf, type Step, withoutWork } from './step.ts';
import { EPOCH_STEPS, RULES } from './texts.ts';

/** The way of a record to the root of the log that its epoch sealed; null where there is none that fits. */
export function climbOf(operation: StoredOperation, epoch: Epoch): Climb[] | null {
  const inclusion = operation.epoch?.inclusion;
  if (inclusion == null) return null;
  return climb(leafOf(operation), inclusion.leaf_index, epoch.last_seq_no, inclusion.path.map(parseDigest));
}

/**
 * That the record is in the log that its epoch sealed, level by level.
 * @param isExcerpt whether other records of the epoch may be left out
 */
export function inclusionStep(operation: StoredOperation, epoch: Epoch | null, isExcerpt: boolean): Step {
  const about = { id: 'inclusion', title: EPOCH_STEPS.inclusion, rule: RULES.inclusion };
  if (operation.epoch === null) {
    return isExcerpt
      ? withoutWork(about, 'cannot_check', EPOCH_STEPS.noEpochReceiptSigned)
      : withoutWork(about, 'not_checked', EPOCH_STEPS.notSealedYet);
  }
  if (epoch === null) return withoutWork(about, 'cannot_check', EPOCH_STEPS.epochUnread);
  const { inclusion } = operation.epoch;
  if (inclusion === null) {
    const why = EPOCH_STEPS.noProofInFile;
    if (isExcerpt) return withoutWork(about, 'cannot_check', why);
    return {
      ...about,
      outcome: 'fail',
      sentence: EPOCH_STEPS.noProofAtService,
      operands: [],
    };
  }
  const leaf = leafOf(operation);
  const levels = climbOf(operation, epoch);
  const holds = isSealedIn(epoch, { seqNo: operation.ear.seq_no, leafHash: leaf }, inclusion);
  const computed = levels?.at(-1)?.parent.hash ?? leaf;
  return {
    ...about,
    outcome: holds ? 'pass' : 'fail',
    sentence: holds
      ? EPOCH_STEPS.leads(inclusion.leaf_index, epoch.last_seq_no, inclusion.path.length)
      : EPOCH_STEPS.doesNotLead,
    operands: [
      { label: EPOCH_STEPS.receiptBytes, value: `00${hexOf(receiptSignedBytes(operation.ear))}` },
      { label: EPOCH_STEPS.leaf, value: hexOf(leaf) },
      ...(levels ?? []).flatMap(({ sibling, siblingIsLeft, parent }, n) => [
        {
          label: EPOCH_STEPS.sibling(n + 1, siblingIsLeft ? EPOCH_STEPS.left : EPOCH_STEPS.right),
          value: hexOf(sibling.hash),
        },
        { label: EPOCH_STEPS.parent(n + 1), value: hexOf(parent.hash) },
      ]),
      { label: EPOCH_STEPS.computedRoot, value: formatDigest(computed), bad: !holds },
      { label: 'log_root', value: epoch.log_root, bad: !holds },
    ],
  };
}

export function epochSignatureStep(
  epoch: Epoch | null,
  isSealed: boolean,
  keys: ServiceKeys | undefined,
  isExcerpt: boolean,
): Step {
  const about = { id: 'epoch', title: EPOCH_STEPS.epochSignature, rule: RULES.epochSignature };
  if (!isSealed && isExcerpt) return withoutWork(about, 'cannot_check', EPOCH_STEPS.noEpochInFile);
  if (!isSealed) return withoutWork(about, 'not_checked', EPOCH_STEPS.noEpochYet);
  if (epoch === null) return withoutWork(about, 'cannot_check', EPOCH_STEPS.epochUnread);
  const statement = { bytes: epochSignedBytes(epoch), kid: epoch.service_kid, signature: epoch.signature_by_service };
  return serviceSignatureStep(about, statement, keys);
}

/**
 * That an epoch refers to the one before it, and begins where that ended.
 * @param isExcerpt whether the epoch before it may be there and only left out
 */
export function epochLinkStep(epoch: Epoch, previous: EpochRow | null | undefined, isExcerpt: boolean): Step {
  const about = { id: 'epoch-link', title: EPOCH_STEPS.linkToPrevious, rule: RULES.epochLink };
  if (previous === undefined) return withoutWork(about, 'cannot_check', EPOCH_STEPS.previousUnread);
  if (previous === null && isExcerpt && epoch.epoch_no > 1) {
    return withoutWork(about, 'cannot_check', EPOCH_STEPS.previousNotInFile);
  }
  const isFirst = previous === null;
  const computed = isFirst ? 'null' : epochHash(epochSignedBytes({ ...previous, org_id: epoch.org_id }));
  const begins = isFirst ? 1 : previous.last_seq_no + 1;
  const link = comparison(
    about,
    { label: isFirst ? EPOCH_STEPS.noPrevious : EPOCH_STEPS.hashOf(previous.epoch_no), value: computed },
    { label: 'prev_epoch_hash', value: epoch.prev_epoch_hash ?? 'null' },
    [],
    {
      pass: isFirst ? EPOCH_STEPS.isFirst : EPOCH_STEPS.continues,
      fail: EPOCH_STEPS.broken,
    },
  );
  if (link.outcome === 'fail' || begins === epoch.first_seq_no) return link;
  return {
    ...link,
    outcome: 'fail',
    sentence: EPOCH_STEPS.gap,
    operands: [
      ...link.operands,
      { label: 'first_seq_no', value: EPOCH_STEPS.notNumber(epoch.first_seq_no, begins), bad: true },
    ],
  };
}

/** That the run of records is as long as the epoch says. */
export function epochRunStep({ first_seq_no: first, last_seq_no: last, leaf_count: leaves }: EpochRow): Step {
  const holds = last - first + 1 === leaves;
  return {
    id: 'epoch-run',
    title: EPOCH_STEPS.run,
    rule: RULES.epochRun,
    outcome: holds ? 'pass' : 'fail',
    sentence: holds ? EPOCH_STEPS.noGaps : EPOCH_STEPS.numbersDiffer,
    operands: [
      { label: 'first_seq_no', value: String(first) },
      { label: 'last_seq_no', value: String(last) },
      { label: 'leaf_count', value: String(leaves), bad: !holds },
    ],
  };
}
