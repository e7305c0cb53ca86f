import { nodeCrypto } from '../../node/index.ts';
import {
  type BundleRecord,
  checkpointOrigin,
  checkpointText,
  formatCheckpoint,
  fromBase64Url,
  payloadHash,
  utf8,
} from '../../protocol/index.ts';
import { later, otherDigest, otherText } from './alter.ts';
import { type Bundle, writeBundle } from './bundle.ts';
import { sealAgain, signedReceipt } from './dishonest-service.ts';
import { canForge, type ForgedBundle, forgersKey, signedAnew } from './forge.ts';
import { type Copy, failing, type Given, type Mutation, place, type Subject, withRecord } from './mutation.ts';

const NO_RECORDS = 'the bundle holds no records';
const TOO_LARGE = 'its trees are too large to be built again';

/** The copy of a ledger in which its service gave another receipt for a record, all of it signed. */
function fork(forged: ForgedBundle, index: number): Bundle {
  const records = forged.bundle.records.map((record, at) => {
    if (at !== index) return record;
    const ear = { ...record.ear, receipt_id: otherText(record.ear.receipt_id) };
    return { ...record, ear: signedReceipt(ear, forged.service) };
  });
  return signedAnew(sealAgain({ ...forged.bundle, records }, forged), forged.service);
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
  make: (own: ForgedBundle, index: number) => Bundle = ({ bundle }) => bundle,
): Mutation {
  return failing(about, (subject) => {
    const { bundle } = subject;
    const index = subject.record(about.id);
    if (index === null) return NO_RECORDS;
    if (!canForge(bundle)) return TOO_LARGE;
    const { ownService } = subject;
    return [
      {
        at: place(bundle, index),
        make: () => writeBundle(make(ownService, index)),
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
      const statement = { origin: checkpointOrigin(head.org_id), size: head.last_seq_no, root: root(head.log_root) };
      const signature = fromBase64Url(key.sign(utf8(checkpointText(statement))), 64);
      const checkpoint = formatCheckpoint(statement, fromBase64Url(key.publicKey, 32), signature);
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
