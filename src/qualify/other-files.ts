import { payloadHash } from '../protocol/index.ts';
import { nodeCrypto } from '../runtime/index.ts';
import { later, otherText } from './alter.ts';
import { type Bundle, writeBundle } from './bundle.ts';
import { sealAgain, signedReceipt } from './dishonest-service.ts';
import { canForge, type ForgedBundle, signedAnew } from './forge.ts';
import { type Copy, type Mutation, place, type Subject, withRecord } from './mutation.ts';

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
          against: () => subject.text,
        },
      ];
    },
  };
}

/** Copies verified against another file of the ledger: what contradicts it is found, and nobody is accused of what nobody signed. */
export const OTHER_FILES: readonly Mutation[] = [
  {
    id: 'control-against-itself',
    title: 'the bundle against itself',
    attack: 'none: control',
    expected: 'verified',
    copies: (subject) => [{ at: 'the file', make: () => subject.text, against: () => subject.text }],
  },
  {
    id: 'fork-against-kept',
    title: 'another receipt for a record, all signed, against a bundle made before',
    attack: 'show two readers two ledgers',
    expected: 'failed',
    copies: (subject) => {
      const { bundle } = subject;
      const index = subject.record('fork-against-kept');
      if (index === null) return NO_RECORDS;
      if (!canForge(bundle)) return TOO_LARGE;
      const { ownService } = subject;
      return [
        {
          at: place(bundle, index),
          make: () => writeBundle(fork(ownService, index)),
          against: () => writeBundle(ownService.bundle),
        },
      ];
    },
  },
  damaged(
    {
      id: 'edit-record-against-kept',
      title: 'a record edited with its hash, against the bundle as it was',
      attack: 'let an honest service seem to contradict itself',
    },
    (bundle, index) => {
      const record = bundle.records[index];
      if (record === undefined) return bundle;
      const payload = { ...record.eor.payload, edited: true };
      const eor = { ...record.eor, payload, payload_hash: payloadHash(payload, nodeCrypto.sha256) };
      return withRecord(bundle, index, { ...record, eor });
    },
  ),
  damaged(
    {
      id: 'edit-receipt-against-kept',
      title: 'a receipt edited, against the bundle as it was',
      attack: 'let an honest service seem to have given two receipts',
    },
    (bundle, index) => {
      const record = bundle.records[index];
      if (record === undefined) return bundle;
      const ear = { ...record.ear, server_received_at: later(record.ear.server_received_at, -1) };
      return withRecord(bundle, index, { ...record, ear });
    },
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
