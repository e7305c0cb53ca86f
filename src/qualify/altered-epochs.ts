import type { BundleRecord, Epoch, Inclusion } from '../protocol/index.ts';
import { flippedSignature, later, otherDigest, otherText } from './alter.ts';
import { type Mutation, recordMutation, type Subject, written } from './mutation.ts';

type About = Omit<Mutation, 'copies' | 'expected'>;

function epochMutation(about: About, change: (epoch: Epoch, subject: Subject) => Epoch): Mutation {
  return {
    ...about,
    expected: 'failed',
    copies: (subject) => {
      const { bundle } = subject;
      const index = bundle.epochs.length === 0 ? 0 : subject.number(about.id, bundle.epochs.length);
      const epoch = bundle.epochs[index];
      if (epoch === undefined) return 'the bundle holds no epochs';
      return written(`epoch ${epoch.epoch_no}`, () => ({
        ...bundle,
        epochs: bundle.epochs.with(index, change(epoch, subject)),
      }));
    },
  };
}

const proved = ({ inclusion }: BundleRecord): boolean => inclusion !== undefined;
const NO_PROOFS = 'no record has an inclusion proof: all epochs are whole';

function proofMutation(about: About, change: (inclusion: Inclusion) => Inclusion, wanted = proved): Mutation {
  return recordMutation(
    about,
    (record) => (record.inclusion === undefined ? record : { ...record, inclusion: change(record.inclusion) }),
    wanted,
    NO_PROOFS,
  );
}

/** Epochs and proofs. */
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
  proofMutation(
    { id: 'edit-proof-path', title: 'a hash of an inclusion path edited', attack: 'let a record be in an epoch' },
    (inclusion) => {
      const [first, ...rest] = inclusion.path;
      return { ...inclusion, path: first === undefined ? [`sha256:${'0'.repeat(64)}`] : [otherDigest(first), ...rest] };
    },
  ),
  proofMutation(
    { id: 'edit-proof-index', title: 'leaf_index of a proof edited', attack: 'let a record be at another place' },
    (inclusion) => ({ ...inclusion, leaf_index: inclusion.leaf_index + 1 }),
  ),
  proofMutation(
    { id: 'edit-proof-epoch', title: 'epoch_id of a proof edited', attack: 'let a record be in another epoch' },
    (inclusion) => ({ ...inclusion, epoch_id: otherText(inclusion.epoch_id) }),
  ),
];
