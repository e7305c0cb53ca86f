import {
  assembleRecordProof,
  type BundleRecord,
  formatDigest,
  type ProvenRecord,
  RECORD_PROOF_TYPE,
  type RecordProof,
  recordProofBytes,
  TreeLevels,
  utf8,
} from '../protocol/index.ts';
import { nodeCrypto } from '../runtime/index.ts';
import { flippedSignature, later, otherDigest, otherText } from './alter.ts';
import { type Bundle, leafOf } from './bundle.ts';
import { flippedBit } from './damaged-bytes.ts';
import type { Copy, Expectation, Mutation, Subject } from './mutation.ts';

type About = Omit<Mutation, 'copies' | 'expected'>;

/** How many bits are flipped in the records of a proof, and how many records it shows at most. */
const FLIPPED_BITS = 20;
const SHOWN = 4;

const EMPTY = 'the bundle holds no records';

/** A record with the proof that the bundle has, or that the records of its epoch give. */
function proven({ epochs, records }: Bundle, record: BundleRecord): ProvenRecord | null {
  const { inclusion: own } = record;
  // A forged ledger may hold proofs of the one that it is modelled on.
  if (own !== undefined && epochs.some(({ epoch_id }) => epoch_id === own.epoch_id))
    return { ...record, inclusion: own };
  const { seq_no: seqNo } = record.ear;
  const epoch = epochs.find(({ first_seq_no: first, last_seq_no: last }) => seqNo >= first && seqNo <= last);
  if (epoch === undefined) return null;
  const { first_seq_no: first, last_seq_no: last, epoch_id } = epoch;
  const sealed = records.filter(({ ear }) => ear.seq_no >= first && ear.seq_no <= last);
  if (sealed.length !== epoch.leaf_count) return null;
  const levels = new TreeLevels(
    sealed.map((one) => leafOf(one, nodeCrypto.sha256)),
    nodeCrypto.sha256,
  );
  const path = levels.path(seqNo - first).map(formatDigest);
  return { ...record, inclusion: { epoch_id, leaf_index: seqNo - first, path } };
}

/** The proof of some records of a bundle, from its first to its last; null where there are none. */
function proofOf(bundle: Bundle): RecordProof | null {
  const { records } = bundle;
  const places = Array.from({ length: SHOWN }, (_, n) => Math.floor((n * (records.length - 1)) / (SHOWN - 1)));
  const picked = [...new Set(places)].flatMap((place) => {
    const record = records[place];
    const found = record === undefined ? null : proven(bundle, record);
    return found === null ? [] : [found];
  });
  return picked.length === 0 ? null : assembleRecordProof({ ...bundle, serviceKeys: bundle.service_keys }, picked);
}

/** As somebody else writes it, whatever its parts are. */
function textOf(proof: object): string {
  return JSON.stringify(proof);
}

interface Changed {
  readonly proof: RecordProof;
  /** The record that the seed chooses. */
  readonly record: ProvenRecord;
  readonly subject: Subject;
}

/** A mutation of the proof; `change` answers a sentence why it does not apply. */
function proofMutation(
  about: About,
  change: (changed: Changed) => object | string | Uint8Array,
  expected: Expectation = 'failed',
  lacking: (proof: RecordProof, subject: Subject) => string | null = () => null,
): Mutation {
  return {
    ...about,
    expected,
    copies: (subject) => {
      const proof = proofOf(subject.bundle);
      const record = proof?.records[subject.number(about.id, proof.records.length)];
      if (proof === null || record === undefined) return EMPTY;
      const why = lacking(proof, subject);
      if (why !== null) return why;
      const make = (): string | Uint8Array => {
        const copy = change({ proof, record, subject });
        return typeof copy === 'string' || copy instanceof Uint8Array ? copy : textOf(copy);
      };
      return [{ at: `seq_no ${record.ear.seq_no}`, make }];
    },
  };
}

function about(id: string, title: string, attack: string): About {
  return { id: `proof-${id}`, title: `a proof of records: ${title}`, attack };
}

/** A change of the record that the seed chooses. */
function recordMutation(
  what: About,
  change: (record: ProvenRecord, changed: Changed) => object,
  lacking?: (proof: RecordProof) => string | null,
): Mutation {
  const changeOne = (changed: Changed): object => {
    const records = changed.proof.records.map((one) => (one === changed.record ? change(one, changed) : one));
    return { ...changed.proof, records };
  };
  return proofMutation(what, changeOne, 'failed', lacking);
}

const oneRecord = ({ records }: RecordProof): string | null =>
  records.length > 1 ? null : 'the bundle holds one record';

/** The records of a proof. The names next to them are not signed there (protocol §13). */
function flippedBits(subject: Subject): readonly Copy[] | string {
  const proof = proofOf(subject.bundle);
  if (proof === null) return EMPTY;
  const text = textOf(proof);
  const [from, to] = [text.indexOf('"records":['), text.lastIndexOf('],"epochs":')];
  const within = [utf8(text.slice(0, from)).length, utf8(text.slice(0, to)).length] as const;
  return Array.from({ length: FLIPPED_BITS }, (_, n) => flippedBit(subject, text, `proof bit ${n}`, within));
}

/** Proofs of records of the bundle, changed as somebody does who was handed one. */
export const PROOFS_OF_RECORDS: readonly Mutation[] = [
  proofMutation(
    about('control', 'as it is written', 'none: a control'),
    ({ proof }) => recordProofBytes(proof),
    'verified',
  ),
  proofMutation(
    about('control-spelling', 'with white space, its members in another order', 'none: a control'),
    ({ proof: { type, service_keys, records, ...rest } }) =>
      JSON.stringify({ type, ...rest, records, service_keys }, null, 1),
    'verified',
  ),
  recordMutation(
    about('payload', 'a payload put in or edited', 'make an operation say something else'),
    ({ eor, ...rest }) => ({ ...rest, eor: { ...eor, payload: { ...eor.payload, edited: true } } }),
  ),
  recordMutation(
    about('subject', 'a subject edited', 'let an operation concern something else'),
    ({ eor, ...rest }) => ({
      ...rest,
      eor: { ...eor, subject: otherText(eor.subject) },
    }),
  ),
  recordMutation(
    about('received', 'a server_received_at moved', 'let a record be received earlier'),
    ({ ear, ...rest }) => ({
      ...rest,
      ear: { ...ear, server_received_at: later(ear.server_received_at, -1) },
    }),
  ),
  recordMutation(about('seq-no', 'a seq_no edited', 'move a record within the ledger'), ({ ear, ...rest }) => ({
    ...rest,
    ear: { ...ear, seq_no: ear.seq_no + 1 },
  })),
  recordMutation(
    about('signature', "a bit of an agent's signature flipped", 'none: damage'),
    ({ eor, ...rest }, { subject }) => ({
      ...rest,
      eor: { ...eor, signature: flippedSignature(eor.signature, subject.number('proof signature', 512)) },
    }),
  ),
  recordMutation(
    about('leaf-index', 'a leaf_index edited', 'move a record within its epoch'),
    ({ inclusion, ...rest }) => ({
      ...rest,
      inclusion: { ...inclusion, leaf_index: inclusion.leaf_index + 1 },
    }),
  ),
  recordMutation(about('path', 'a hash added to an inclusion path', 'none: damage'), ({ inclusion, ear, ...rest }) => ({
    ...rest,
    ear,
    inclusion: { ...inclusion, path: [...inclusion.path, ear.chain_hash] },
  })),
  recordMutation(
    about('without-path', 'an inclusion proof removed', 'show a record that nothing seals'),
    ({ inclusion: _, ...rest }) => rest,
  ),
  recordMutation(
    about('foreign-record', "a record of another organization's ledger put in", 'pass off what somebody else did'),
    (record, { subject }) => ({ ...subject.other.records[0], inclusion: record.inclusion }),
  ),
  proofMutation(
    about('reorder', 'its records reversed', 'let things happen in another order'),
    ({ proof }) => ({ ...proof, records: proof.records.toReversed() }),
    'failed',
    oneRecord,
  ),
  proofMutation(about('repeat', 'a record twice', 'let an operation happen twice'), ({ proof, record }) => ({
    ...proof,
    records: proof.records.flatMap((one) => (one === record ? [one, one] : [one])),
  })),
  proofMutation(about('no-records', 'all records removed', 'have an empty proof pass'), ({ proof }) => ({
    ...proof,
    records: [],
  })),
  proofMutation(about('epoch', "an epoch's root edited", 'seal other records'), ({ proof }) => ({
    ...proof,
    epochs: proof.epochs.map((epoch, n) => (n === 0 ? { ...epoch, root_hash: otherDigest(epoch.root_hash) } : epoch)),
  })),
  proofMutation(about('without-epoch', 'an epoch removed', 'show a record that nothing seals'), ({ proof }) => ({
    ...proof,
    epochs: proof.epochs.slice(1),
  })),
  proofMutation(
    about('agent-key', "an agent's key replaced", 'sign in the name of an agent'),
    ({ proof, subject }) => ({
      ...proof,
      agents: proof.agents.map((agent, n) =>
        n > 0
          ? agent
          : {
              ...agent,
              keys: agent.keys.map((key) => ({ ...key, public_key: subject.other.service_keys[0]?.public_key })),
            },
      ),
    }),
  ),
  proofMutation(about('without-agent', 'an agent removed', 'hide who signed'), ({ proof }) => ({
    ...proof,
    agents: proof.agents.slice(1),
  })),
  proofMutation(about('service-keys', "another issuer's keys put in", 'pass for the issuer'), ({ proof, subject }) => ({
    ...proof,
    service_keys: subject.other.service_keys,
  })),
  proofMutation(
    about('forged', 'of a ledger that somebody else made up, sound in itself', 'pass for the issuer'),
    ({ subject }) => proofOf(subject.other) ?? '',
    'unverified',
    (_, { other }) => (proofOf(other) === null ? 'nothing of it can be proven' : null),
  ),
  proofMutation(about('version', 'another version', 'have other rules apply'), ({ proof }) => ({
    ...proof,
    type: RECORD_PROOF_TYPE.replace('.v1', '.v2'),
  })),
  proofMutation(about('member', 'a member added', 'have two readers disagree'), ({ proof }) => ({
    ...proof,
    format: 'x',
  })),
  proofMutation(about('truncate', 'cut short', 'none: damage'), ({ proof }) => textOf(proof).slice(0, -1)),
  {
    ...about('flip-bit', 'one bit of its records flipped', 'none: damage'),
    expected: 'failed',
    copies: flippedBits,
  },
];
