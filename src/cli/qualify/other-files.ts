import { nodeCrypto } from '../../node/index.ts';
import {
  type BundleRecord,
  checkpointOrigin,
  checkpointText,
  formatCheckpoint,
  fromBase64Url,
  parseTime,
  payloadHash,
  type Receipt,
  thumbprint,
  utf8,
} from '../../protocol/index.ts';
import { later, otherDigest, otherText } from './alter.ts';
import { type Bundle, nodesOf, withGaps, writeBundle } from './bundle.ts';
import { rotated, sealAgain, signedReceipt } from './dishonest-service.ts';
import { canForge, type ForgedBundle, forgersKey, signedAnew } from './forge.ts';
import { type Copy, failing, type Given, type Mutation, place, type Subject, withRecord } from './mutation.ts';
import { rootAt } from './reseal.ts';

const NO_RECORDS = 'the bundle holds no records';
const TOO_LARGE = 'its trees are too large to be built again';
export const NOT_TO_ITS_END = 'the bundle does not show the last two epochs of the ledger';

/** A checkpoint in the name of the service: of its newest epoch but for what is said otherwise. */
export function checkpointOf(
  { bundle: { edges, manifest }, service }: ForgedBundle,
  other: Partial<Parameters<typeof checkpointText>[0]> = {},
  key = service,
): string {
  const { last_seq_no: size = 0, log_root: root = '' } = edges.head ?? {};
  const statement = { origin: checkpointOrigin(manifest.org_id), size, root, ...other };
  const signature = fromBase64Url(key.sign(utf8(checkpointText(statement))), 64);
  return formatCheckpoint(statement, fromBase64Url(key.publicKey, 32), signature, nodeCrypto.sha256);
}

/** The ledger in which its service says something else in a receipt, all that follows signed with it. */
export function withReceipt(forged: ForgedBundle, index: number, said: Partial<Receipt>): Bundle {
  const records = forged.bundle.records.map((record, at) =>
    at === index ? { ...record, ear: signedReceipt({ ...record.ear, ...said }, forged.service) } : record,
  );
  return signedAnew(sealAgain({ ...forged.bundle, records }, forged), forged.service);
}

/** The copy of a ledger in which its service gave another receipt for a record, all of it signed. */
function fork(forged: ForgedBundle, index: number): Bundle {
  const id = forged.bundle.records[index]?.ear.receipt_id ?? '';
  return withReceipt(forged, index, { receipt_id: otherText(id) });
}

/** The ledger as if its newest epoch had never been, all of it signed; null where it does not show both ends of that. */
export function withoutNewest({ bundle, service }: ForgedBundle): Bundle | null {
  const { epochs, edges, records, manifest } = bundle;
  const [left, newest] = epochs.slice(-2);
  const isWhole = edges.after === null && manifest.filter.agent_id === null;
  if (newest === undefined || left === undefined || !isWhole || edges.head?.epoch_no !== newest.epoch_no) return null;
  const { last_seq_no: seq_no, epoch_no } = left;
  const shorter = {
    ...bundle,
    epochs: epochs.slice(0, -1),
    records: records.filter(({ ear }) => ear.seq_no <= seq_no),
    edges: { ...edges, head: left },
    manifest: { ...manifest, log_head: { seq_no, epoch_no } },
  };
  return signedAnew(withGaps(shorter, nodesOf(bundle)), service);
}

/** A record before which a range can begin: another one is before it, at an earlier time. */
function beginningOf({ records, manifest }: Bundle): number | null {
  if (manifest.filter.agent_id !== null) return null;
  const at = records.findIndex(({ ear }, n) => {
    const before = records[n - 1]?.ear;
    return before !== undefined && parseTime(before.server_received_at) < parseTime(ear.server_received_at);
  });
  return at < 1 ? null : at;
}

/** What comes from a record on, with another receipt before it than the ledger has, sealed and signed. */
function afterInventedPast(forged: ForgedBundle): Bundle | null {
  const { bundle, service } = forged;
  const from = beginningOf(bundle);
  const [before, first] = from === null ? [] : bundle.records.slice(from - 1, from + 1);
  if (from === null || before === undefined || first === undefined) return null;
  const { filter } = bundle.manifest;
  const range = {
    ...bundle,
    records: bundle.records.slice(from),
    epochs: bundle.epochs.filter(({ last_seq_no }) => last_seq_no >= first.ear.seq_no),
    edges: { ...bundle.edges, before: { ear: before.ear } },
    manifest: { ...bundle.manifest, filter: { ...filter, start_time: first.ear.server_received_at } },
  };
  const { edges, ...rest } = withGaps(range, nodesOf(bundle));
  const ear = signedReceipt({ ...before.ear, receipt_id: otherText(before.ear.receipt_id) }, service);
  return signedAnew(sealAgain({ ...rest, edges: { ...edges, before: { ...edges.before, ear } } }, forged), service);
}

/** A kept checkpoint of the log as it was where a range with an invented past begins. */
function trueEdge(forged: ForgedBundle): Given {
  const { ear } = forged.bundle.records[(beginningOf(forged.bundle) ?? 1) - 1] ?? {};
  const size = ear?.seq_no ?? 0;
  const root = rootAt(size, nodesOf(forged.bundle)) ?? '';
  return { checkpoints: [checkpointOf(forged, { size, root })], trusted: [forged.service.publicKey] };
}

/** The ledger in which another key takes over, and signs the bundle. */
function withHeir(forged: ForgedBundle, label: string): Bundle {
  const { manifest } = forged.bundle;
  const heir = forgersKey(label);
  const bundle = rotated(forged, parseTime(manifest.created_at), label) ?? forged.bundle;
  const service_kid = thumbprint(fromBase64Url(heir.publicKey, 32));
  return signedAnew({ ...bundle, manifest: { ...manifest, service_kid } }, heir);
}

/** A copy of the bundle itself, damaged without a key, against the bundle as it was. */
function damaged(
  about: Omit<Mutation, 'copies' | 'expected'>,
  change: (bundle: Bundle, index: number) => Bundle,
): Mutation {
  return {
    ...about,
    expected: 'failed',
    isHonest: true,
    copies: (subject: Subject): readonly Copy[] | string => {
      const { bundle } = subject;
      const index = subject.record(about.id);
      if (index === null) return NO_RECORDS;
      return [
        {
          at: place(bundle, index),
          make: () => writeBundle(change(bundle, index)),
          given: () => ({ against: [subject.text] }),
        },
      ];
    },
  };
}

function damagedRecord(
  about: Omit<Mutation, 'copies' | 'expected'>,
  change: (record: BundleRecord) => BundleRecord,
): Mutation {
  return damaged(about, (bundle, index) => {
    const record = bundle.records[index];
    return record === undefined ? bundle : withRecord(bundle, index, change(record));
  });
}

/** Two ledgers of one service, of which the reader has files: what `given` says besides the bundle as it was. */
function forked(
  about: Pick<Mutation, 'id' | 'title' | 'attack' | 'finding'>,
  given: (own: ForgedBundle, index: number) => Given,
  make: (own: ForgedBundle, index: number) => Bundle | null = ({ bundle }) => bundle,
  { where, lacking = '' }: { readonly where?: string; readonly lacking?: string } = {},
): Mutation {
  return failing(about, (subject) => {
    const { bundle } = subject;
    const index = subject.record(about.id);
    if (index === null) return NO_RECORDS;
    if (!canForge(bundle)) return TOO_LARGE;
    const { ownService } = subject;
    const made = make(ownService, index);
    if (made === null) return lacking;
    return [
      {
        at: where ?? place(bundle, index),
        make: () => writeBundle(made),
        given: () => given(ownService, index),
      },
    ];
  });
}

/** The bundle with a checkpoint that somebody kept, of the size of its newest epoch. @param root the root that it states */
function checkpointed(
  about: Pick<Mutation, 'id' | 'title' | 'attack' | 'finding'>,
  by: 'its own key' | 'an absent key',
  root: (root: string) => string,
  expected: Mutation['expected'] = 'failed',
): Mutation {
  return {
    ...about,
    expected,
    copies: (subject) => {
      if (!canForge(subject.bundle)) return TOO_LARGE;
      const { bundle, service } = subject.ownService;
      const { head } = bundle.edges;
      if (head === null) return 'the ledger has no epoch';
      const key = by === 'its own key' ? service : forgersKey(about.id);
      const checkpoint = checkpointOf(subject.ownService, { root: root(head.log_root) }, key);
      const trusted = [service.publicKey, key.publicKey];
      return [
        {
          at: 'the newest epoch',
          make: () => writeBundle(bundle),
          given: () => ({ checkpoints: [checkpoint], trusted }),
        },
      ];
    },
  };
}

const receiptsOf = (...bundles: readonly Bundle[]): string =>
  bundles.flatMap(({ records }) => records.map(({ ear }) => JSON.stringify(ear))).join('\n');

/** Copies verified with other files of the ledger: what contradicts it is found, and nobody is accused of what nobody signed. */
export const OTHER_FILES: readonly Mutation[] = [
  {
    id: 'control-against-itself',
    title: 'the bundle against itself',
    attack: 'none: control',
    expected: 'verified',
    copies: (subject) => [
      { at: 'the file', make: () => subject.text, given: () => ({ against: [subject.text] }) },
      { at: 'its receipts', make: () => subject.text, given: () => ({ receipts: receiptsOf(subject.bundle) }) },
    ],
  },
  forked(
    {
      id: 'fork-against-kept',
      title: 'another receipt for a record, all signed, against a bundle made before',
      attack: 'show two readers two ledgers',
      finding: 'EQUIVOCATION',
    },
    ({ bundle }) => ({ against: [writeBundle(bundle)] }),
    fork,
  ),
  forked(
    {
      id: 'fork-against-receipts',
      title: 'another receipt for a record, all signed, with the receipts that were kept',
      attack: 'show the auditor another ledger than the agents',
      finding: 'EQUIVOCATION',
    },
    ({ bundle }) => ({ receipts: receiptsOf(bundle) }),
    fork,
  ),
  forked(
    {
      id: 'two-kept-receipts',
      title: 'the bundle with two kept receipts of one record',
      attack: 'give two agents two receipts',
      finding: 'EQUIVOCATION',
    },
    (own, index) => ({ receipts: receiptsOf(own.bundle, fork(own, index)) }),
  ),
  forked(
    {
      id: 'two-kept-bundles',
      title: 'the bundle with two others, which contradict each other',
      attack: 'show two others two ledgers',
      finding: 'EQUIVOCATION',
    },
    (own, index) => ({ against: [writeBundle(own.bundle), writeBundle(fork(own, index))] }),
  ),
  forked(
    {
      id: 'two-names',
      title: 'the bundle with another that has the same administrative log and another name, signed',
      attack: 'be called one thing by one reader, and another by the next',
      finding: 'CONTRADICTION',
    },
    ({ bundle, service }) => {
      const org = { ...bundle.org, name: otherText(bundle.org.name) };
      return { against: [writeBundle(signedAnew({ ...bundle, org }, service))] };
    },
    undefined,
    { where: 'the directory' },
  ),
  forked(
    {
      id: 'newest-left-out-receipts',
      title: 'the ledger said to end an epoch earlier, all signed, with the receipts that were kept',
      attack: 'hide what came last',
      finding: 'RECORD_OMITTED',
    },
    ({ bundle }) => ({ receipts: receiptsOf(bundle) }),
    withoutNewest,
    { where: 'the newest epoch', lacking: NOT_TO_ITS_END },
  ),
  forked(
    {
      id: 'newest-left-out-kept',
      title: 'the ledger said to end an epoch earlier, all signed, against a bundle that has it',
      attack: 'hide what came last',
      finding: 'RECORD_OMITTED',
    },
    ({ bundle }) => ({ against: [writeBundle(bundle)] }),
    withoutNewest,
    { where: 'the newest epoch', lacking: NOT_TO_ITS_END },
  ),
  forked(
    {
      id: 'invented-past',
      title: 'a range behind another past than the ledger has, all signed, with a kept checkpoint of where it begins',
      attack: 'invent what nobody is shown',
      finding: 'CONTRADICTION',
    },
    trueEdge,
    afterInventedPast,
    { where: 'before the range', lacking: 'the bundle holds no two records of different times, or is of one agent' },
  ),
  forked(
    {
      id: 'two-heirs',
      title: 'another key after the service key than in a bundle made before, all signed',
      attack: 'take over with a key that nobody gave the service',
      finding: 'EQUIVOCATION',
    },
    (own) => ({ against: [writeBundle(withHeir(own, 'an heir'))] }),
    (own) => withHeir(own, 'another heir'),
    { where: 'the service keys' },
  ),
  checkpointed(
    {
      id: 'two-roots',
      title: 'a kept checkpoint of another root of the log, by the service key',
      attack: 'show two readers two logs',
      finding: 'EQUIVOCATION',
    },
    'its own key',
    otherDigest,
  ),
  checkpointed(
    {
      id: 'two-roots-absent-key',
      title: 'a kept checkpoint of another root of the log, by a trusted key that the bundle lacks',
      attack: 'show two readers two logs, and hide the key of one',
      finding: 'CONTRADICTION',
    },
    'an absent key',
    otherDigest,
  ),
  checkpointed(
    {
      id: 'control-absent-key',
      title: 'a kept checkpoint of the same root, by a trusted key that the bundle lacks',
      attack: 'none: control',
    },
    'an absent key',
    (root) => root,
    'verified',
  ),
  damagedRecord(
    {
      id: 'edit-record-against-kept',
      title: 'a record edited with its hash, against the bundle as it was',
      attack: 'let an honest service seem to contradict itself',
    },
    ({ eor, ...rest }) => {
      const payload = { ...eor.payload, edited: true };
      return { ...rest, eor: { ...eor, payload, payload_hash: payloadHash(payload, nodeCrypto.sha256) } };
    },
  ),
  damagedRecord(
    {
      id: 'edit-receipt-against-kept',
      title: 'a receipt edited, against the bundle as it was',
      attack: 'let an honest service seem to have given two receipts',
    },
    ({ ear, ...rest }) => ({ ...rest, ear: { ...ear, server_received_at: later(ear.server_received_at, -1) } }),
  ),
  damaged(
    {
      id: 'edit-names-against-kept',
      title: 'the names of organization and agents edited, against the bundle as it was',
      attack: 'let an honest service seem to have named them twice',
    },
    (bundle) => ({
      ...bundle,
      org: { ...bundle.org, name: otherText(bundle.org.name) },
      agents: bundle.agents.map((agent) => ({ ...agent, display_name: otherText(agent.display_name) })),
    }),
  ),
];
