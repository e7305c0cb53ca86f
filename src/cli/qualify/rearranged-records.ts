import {
  type BundleRecord,
  chainHash,
  fromBase64Url,
  receiptSignedBytes,
  recordSignedBytes,
} from '../../protocol/index.ts';
import { otherUuid } from './alter.ts';
import { type Bundle, countsOf } from './bundle.ts';
import { forgersKey } from './forge.ts';
import {
  type About,
  failing,
  type Mutation,
  place,
  recordMutation,
  type Subject,
  withRecord,
  written,
} from './mutation.ts';

/** A mutation of the list of records that needs at least this many. */
function listMutation(
  about: About,
  least: number,
  change: (records: readonly BundleRecord[], index: number) => readonly BundleRecord[],
  choose: (subject: Subject, count: number) => number = (subject, count) => subject.number(about.id, count - 1),
): Mutation {
  return failing(about, (subject) => {
    const { bundle } = subject;
    if (bundle.records.length < least) return `the bundle holds fewer than ${least} records`;
    const index = choose(subject, bundle.records.length);
    return written(place(bundle, index), () => ({ ...bundle, records: change(bundle.records, index) }));
  });
}

/** Exchanges two elements. */
function exchanged<T>(list: readonly T[], first: number, second: number): readonly T[] {
  const [a, b] = [list[first], list[second]];
  return a === undefined || b === undefined ? list : list.with(first, b).with(second, a);
}

/** The bundle that ends after this many records, with an honest-looking manifest that nobody signed. */
function tailCut(bundle: Bundle, keep: number): Bundle {
  const records = bundle.records.slice(0, keep);
  const last = records.at(-1)?.ear.seq_no ?? 0;
  const epochs = bundle.epochs.filter(({ first_seq_no }) => first_seq_no <= last);
  const { format, manifest, manifest_signature, ...contents } = { ...bundle, records, epochs };
  const log_head = { seq_no: last, epoch_no: epochs.at(-1)?.epoch_no ?? 0 };
  return { format, ...contents, manifest: { ...manifest, ...countsOf(contents), log_head }, manifest_signature };
}

/** A record that nobody accepted, made after the pattern of another one and signed with a stranger's key. */
function forgedRecord({ eor, ear }: BundleRecord): BundleRecord {
  const [agent, service] = [forgersKey('a stranger'), forgersKey('a strange service')];
  const { signature: _, ...unsigned } = {
    ...eor,
    operation_id: otherUuid(eor.operation_id),
    nonce: 'forged-nonce-1',
    prev_chain_hash: ear.chain_hash,
  };
  const signed = recordSignedBytes(unsigned);
  const signature = agent.sign(signed);
  const { service_signature: __, ...receipt } = {
    ...ear,
    operation_id: unsigned.operation_id,
    seq_no: ear.seq_no + 1,
    chain_hash: chainHash(signed, fromBase64Url(signature, 64)),
  };
  return {
    eor: { ...unsigned, signature },
    ear: { ...receipt, service_signature: service.sign(receiptSignedBytes(receipt)) },
  };
}

const first = (): number => 0;
const last = (_: Subject, count: number): number => count - 1;

/** Records deleted, inserted and moved. */
export const REARRANGED_RECORDS: readonly Mutation[] = [
  listMutation(
    { id: 'delete-first', title: 'the first record deleted', attack: 'hide how it began' },
    1,
    (records) => records.slice(1),
    first,
  ),
  listMutation(
    { id: 'delete-middle', title: 'a record in the middle deleted', attack: 'hide an operation' },
    3,
    (records, index) => records.toSpliced(index, 1),
    (subject, count) => 1 + subject.number('delete-middle', count - 2),
  ),
  listMutation(
    { id: 'delete-last', title: 'the last record deleted', attack: 'hide the latest operation' },
    1,
    (records) => records.slice(0, -1),
    last,
  ),
  listMutation({ id: 'delete-all', title: 'all records deleted', attack: 'hide everything' }, 1, () => [], first),
  {
    id: 'cut-tail',
    title: 'the tail cut off, the manifest rewritten',
    attack: 'hide the latest operations, without the obvious trace',
    expected: 'failed',
    copies: (subject) => {
      const { bundle } = subject;
      const count = bundle.records.length;
      if (count < 2) return 'the bundle holds a single record';
      const keep = 1 + subject.number('cut-tail', count - 1);
      return written(`after ${place(bundle, keep - 1)}`, () => tailCut(bundle, keep));
    },
  },
  {
    id: 'cut-last-epoch',
    title: 'the last epoch cut off with its records, the manifest rewritten',
    attack: 'hide the latest operations at a clean edge',
    expected: 'failed',
    copies: ({ bundle }) => {
      const from = bundle.epochs.at(-1)?.first_seq_no ?? 0;
      const keep = bundle.records.filter(({ ear }) => ear.seq_no < from).length;
      if (bundle.epochs.length < 2 || keep === 0) return 'the bundle has records of one epoch only';
      return written(`before seq_no ${from}`, () => tailCut(bundle, keep));
    },
  },
  listMutation(
    { id: 'insert-copy', title: 'a record inserted twice', attack: 'let something happen twice' },
    1,
    (records, index) => records.toSpliced(index, 0, ...records.slice(index, index + 1)),
    (subject, count) => subject.number('insert-copy', count),
  ),
  listMutation(
    { id: 'append-copy', title: 'a record appended again at the end', attack: 'replay an operation' },
    2,
    (records, index) => [...records, ...records.slice(index, index + 1)],
  ),
  listMutation(
    { id: 'insert-forged', title: "a record inserted, signed with a stranger's keys", attack: 'invent an operation' },
    1,
    (records, index) => records.toSpliced(index + 1, 0, ...records.slice(index, index + 1).map(forgedRecord)),
    (subject, count) => subject.number('insert-forged', count),
  ),
  listMutation(
    { id: 'reorder', title: 'two neighbouring records exchanged', attack: 'reverse cause and effect' },
    2,
    (records, index) => exchanged(records, index, index + 1),
  ),
  listMutation(
    { id: 'reverse', title: 'all records in reverse', attack: 'confuse a reader' },
    2,
    (records) => records.toReversed(),
    first,
  ),
  {
    id: 'exchange-operations',
    title: 'two records exchanged under their receipts',
    attack: 'let an operation take the place and time of another',
    expected: 'failed',
    copies: (subject) => {
      const { bundle } = subject;
      const count = bundle.records.length;
      if (count < 2) return 'the bundle holds a single record';
      const index = subject.number('exchange-operations', count - 1);
      const [a, b] = [bundle.records[index], bundle.records[index + 1]];
      if (a === undefined || b === undefined) return 'the bundle holds a single record';
      const change = (): Bundle =>
        withRecord(withRecord(bundle, index, { ...a, eor: b.eor }), index + 1, { ...b, eor: a.eor });
      return written(place(bundle, index), change);
    },
  },
  recordMutation(
    {
      id: 'delete-gap',
      title: 'the hashes before a record deleted',
      attack: 'let a record count that no epoch holds',
    },
    ({ gap: _, ...rest }) => rest,
    ({ gap }) => gap !== undefined,
    'no receipt of the log is left out before a record',
  ),
];
