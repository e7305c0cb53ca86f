import type { Edges, Epoch } from '../../protocol/index.ts';
import { flippedSignature, later, otherDigest } from './alter.ts';
import { type About, failing, type Mutation, recordMutation, type Subject, written } from './mutation.ts';

function epochMutation(about: About, change: (epoch: Epoch, subject: Subject) => Epoch): Mutation {
  return failing(about, (subject) => {
    const { bundle } = subject;
    const index = bundle.epochs.length === 0 ? 0 : subject.number(about.id, bundle.epochs.length);
    const epoch = bundle.epochs[index];
    if (epoch === undefined) return 'the bundle holds no epochs';
    return written(`epoch ${epoch.epoch_no}`, () => ({
      ...bundle,
      epochs: bundle.epochs.with(index, change(epoch, subject)),
    }));
  });
}

/** A change of the hashes before a record that stands behind receipts which are left out. */
function gapMutation(about: About, change: (gap: readonly string[]) => readonly string[]): Mutation {
  return recordMutation(
    about,
    (record) => (record.gap === undefined ? record : { ...record, gap: change(record.gap) }),
    ({ gap }) => gap !== undefined,
    'no receipt of the log is left out before a record',
  );
}

/** A change of what leads from the last receipt to the newest epoch. */
function headMutation(
  about: About,
  change: (edges: Edges) => Edges,
  lacking: (edges: Edges) => string | null,
): Mutation {
  return failing(
    about,
    ({ bundle }) =>
      lacking(bundle.edges) ?? written('the end of the log', () => ({ ...bundle, edges: change(bundle.edges) })),
  );
}

const noHead = ({ head }: Edges): string | null => (head === null ? 'the ledger is empty' : null);

/** Epochs, and the way through the log. */
export const ALTERED_EPOCHS: readonly Mutation[] = [
  {
    id: 'swap-epochs',
    title: 'two epochs exchanged',
    attack: 'let records be sealed by an epoch that is not theirs',
    expected: 'failed',
    copies: (subject) => {
      const { bundle } = subject;
      if (bundle.epochs.length < 2) return 'the bundle holds a single epoch';
      const index = subject.number('swap-epochs', bundle.epochs.length - 1);
      const epochs = bundle.epochs.toSpliced(index, 2, ...bundle.epochs.slice(index, index + 2).reverse());
      return written(`epochs ${bundle.epochs[index]?.epoch_no} and the next`, () => ({ ...bundle, epochs }));
    },
  },
  {
    id: 'foreign-epoch',
    title: 'an epoch taken from another organization',
    attack: "pass off another ledger's seal as this one's",
    expected: 'failed',
    copies: (subject) => {
      const { bundle } = subject;
      if (bundle.epochs.length === 0) return 'the bundle holds no epochs';
      const [, ...rest] = bundle.epochs;
      return written('the first epoch', () => ({ ...bundle, epochs: [...subject.other.epochs.slice(0, 1), ...rest] }));
    },
  },
  {
    id: 'delete-epoch',
    title: 'an epoch deleted',
    attack: 'let records stand unsealed',
    expected: 'failed',
    copies: (subject) => {
      const { bundle } = subject;
      if (bundle.epochs.length === 0) return 'the bundle holds no epochs';
      const index = subject.number('delete-epoch', bundle.epochs.length);
      return written(`epoch ${bundle.epochs[index]?.epoch_no}`, () => ({
        ...bundle,
        epochs: bundle.epochs.toSpliced(index, 1),
      }));
    },
  },
  epochMutation({ id: 'edit-epoch-root', title: "an epoch's root edited", attack: 'seal other records' }, (epoch) => ({
    ...epoch,
    root_hash: otherDigest(epoch.root_hash),
  })),
  epochMutation(
    { id: 'edit-epoch-end', title: "an epoch's end moved", attack: 'let records be sealed at another time' },
    (epoch) => ({ ...epoch, end_time: later(epoch.end_time, 1) }),
  ),
  epochMutation(
    { id: 'edit-epoch-link', title: 'prev_epoch_hash edited', attack: 'hide an epoch that was removed' },
    (epoch) => ({ ...epoch, prev_epoch_hash: otherDigest(epoch.prev_epoch_hash ?? epoch.root_hash) }),
  ),
  epochMutation(
    { id: 'edit-admin-head', title: 'admin_head_hash edited', attack: 'seal over another administrative log' },
    (epoch) => ({ ...epoch, admin_head_hash: otherDigest(epoch.admin_head_hash ?? epoch.root_hash) }),
  ),
  epochMutation(
    { id: 'flip-epoch-signature', title: "a bit of an epoch's signature flipped", attack: 'none: damage' },
    (epoch, subject) => ({
      ...epoch,
      signature_by_service: flippedSignature(epoch.signature_by_service, subject.number('epoch signature', 512)),
    }),
  ),
  epochMutation(
    { id: 'edit-log-root', title: "an epoch's root of the log edited", attack: 'seal another log' },
    (epoch) => ({ ...epoch, log_root: otherDigest(epoch.log_root) }),
  ),
  gapMutation(
    { id: 'edit-gap', title: 'a hash before a record edited', attack: 'let a record be in another log' },
    ([first = '', ...rest]) => [otherDigest(first), ...rest],
  ),
  gapMutation(
    { id: 'lengthen-gap', title: 'a hash before a record put in', attack: 'let a record be at another place' },
    (gap) => [...gap, ...gap.slice(-1)],
  ),
  gapMutation(
    { id: 'shorten-gap', title: 'a hash before a record taken out', attack: 'let a record be at another place' },
    (gap) => gap.slice(1),
  ),
  headMutation(
    { id: 'edit-head', title: "the newest epoch's root of the log edited", attack: 'let the log end elsewhere' },
    ({ head, ...edges }) => ({ ...edges, head: head && { ...head, log_root: otherDigest(head.log_root) } }),
    noHead,
  ),
  headMutation(
    { id: 'delete-head', title: 'the newest epoch deleted', attack: 'let records stand unsealed' },
    (edges) => ({ ...edges, head: null }),
    noHead,
  ),
  headMutation(
    { id: 'edit-rest', title: 'a hash of the rest of the log edited', attack: 'let the log end elsewhere' },
    ({ rest: [first = '', ...others], ...edges }) => ({ ...edges, rest: [otherDigest(first), ...others] }),
    ({ rest }) => (rest.length === 0 ? 'the bundle reaches to the end of the log' : null),
  ),
];
