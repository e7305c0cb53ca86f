import { nodeCrypto } from '../../node/index.ts';
import {
  assembleRecordProof,
  type BundleRecord,
  epochSealing,
  RECORD_PROOF_TYPE,
  type RecordProof,
  RecordProofError,
  recordProofBytes,
  utf8,
} from '../../protocol/index.ts';
import { flippedSignature, later, otherDigest, otherText } from './alter.ts';
import { type Bundle, nodesOf } from './bundle.ts';
import { flippedBit } from './damaged-bytes.ts';
import type { About, Copy, Expectation, Mutation, Subject } from './mutation.ts';

/** How many bits are flipped in the records of a proof, and how many records it shows at most. */
const FLIPPED_BITS = 20;
const SHOWN = 4;

export const EMPTY = 'no proof can be made of its records: there are none, or its clock was corrected between them';

/** The proof of some records of a bundle, from its first to its last; null where there are none. */
export function proofOf(bundle: Bundle): RecordProof | null {
  const { records, epochs } = bundle;
  const places = Array.from({ length: SHOWN }, (_, n) => Math.floor((n * (records.length - 1)) / (SHOWN - 1)));
  const picked = [...new Set(places)].flatMap((place) => records[place] ?? []);
  const epoch = epochSealing(epochs, picked.at(-1)?.ear.seq_no ?? 0);
  if (epoch === undefined) return null;
  const directory = { orgId: bundle.org.org_id, agents: bundle.agents, serviceKeys: bundle.service_keys };
  try {
    return assembleRecordProof(directory, picked, epoch, nodesOf(bundle, nodeCrypto.sha256));
  } catch (error) {
    if (error instanceof RecordProofError && error.code === 'CLOCK_CORRECTED') return null;
    throw error;
  }
}

/** As somebody else writes it, whatever its parts are. */
function textOf(proof: object): string {
  return JSON.stringify(proof);
}

interface Changed {
  readonly proof: RecordProof;
  /** The record that the seed chooses. */
  readonly record: BundleRecord;
  readonly subject: Subject;
}

/** A mutation of the proof; `change` answers a sentence why it does not apply. */
function proofMutation(
  about: About,
  change: (changed: Changed) => object | string | Uint8Array,
  expected: Expectation = 'failed',
  lacking: (proof: RecordProof, record: BundleRecord, subject: Subject) => string | null = () => null,
): Mutation {
  return {
    ...about,
    expected,
    copies: (subject) => {
      const proof = proofOf(subject.bundle);
      const record = proof?.records[subject.number(about.id, proof.records.length)];
      if (proof === null || record === undefined) return EMPTY;
      const why = lacking(proof, record, subject);
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
  change: (record: BundleRecord, changed: Changed) => object,
  lacking?: (proof: RecordProof, record: BundleRecord) => string | null,
): Mutation {
  const changeOne = (changed: Changed): object => {
    const records = changed.proof.records.map((one) => (one === changed.record ? change(one, changed) : one));
    return { ...changed.proof, records };
  };
  return proofMutation(what, changeOne, 'failed', lacking);
}

const oneRecord = ({ records }: RecordProof): string | null =>
  records.length > 1 ? null : 'the bundle holds one record';

/** Where the record that the seed chooses is the first of the ledger, there is nothing before it. */
const hasGap = (_: RecordProof, { gap }: BundleRecord): string | null =>
  gap === undefined ? 'no receipt of the log is left out before the record' : null;

/** The records of a proof. The names next to them are not signed there (protocol R4). */
function flippedBits(subject: Subject): readonly Copy[] | string {
  const proof = proofOf(subject.bundle);
  if (proof === null) return EMPTY;
  const text = textOf(proof);
  const [from, to] = [text.indexOf('"records":['), text.lastIndexOf('],"seal":')];
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
    about('gap', 'a hash before a record edited', 'let a record be in another log'),
    ({ gap: [first = '', ...others] = [], ...rest }) => ({ ...rest, gap: [otherDigest(first), ...others] }),
    hasGap,
  ),
  recordMutation(about('long-gap', 'a hash put in before a record', 'none: damage'), ({ gap = [], ear, ...rest }) => ({
    ...rest,
    ear,
    gap: [...gap, ear.chain_hash],
  })),
  recordMutation(
    about('without-gap', 'the hashes before a record removed', 'show a record that nothing seals'),
    ({ gap: _, ...rest }) => rest,
    hasGap,
  ),
  recordMutation(
    about('foreign-record', "a record of another organization's ledger put in", 'pass off what somebody else did'),
    (record, { subject }) => ({ ...subject.other.records[0], gap: record.gap }),
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
  proofMutation(about('epoch', "its epoch's root of the log edited", 'seal other records'), ({ proof }) => ({
    ...proof,
    seal: { ...proof.seal, epoch: { ...proof.seal.epoch, log_root: otherDigest(proof.seal.epoch.log_root) } },
  })),
  proofMutation(about('without-epoch', 'its epoch removed', 'show a record that nothing seals'), ({ proof }) => ({
    ...proof,
    seal: { rest: proof.seal.rest },
  })),
  proofMutation(
    about('rest', 'a hash put in behind its last record', 'let a record be at another place'),
    ({ proof: { seal, ...rest } }) => ({
      ...rest,
      seal: { ...seal, rest: [...seal.rest, seal.epoch.log_root] },
    }),
  ),
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
  proofMutation(about('named', 'an agent given a name', 'have a name pass for proven'), ({ proof }) => ({
    ...proof,
    agents: proof.agents.map((agent) => ({ ...agent, display_name: 'Ada Lovelace (CFO)' })),
  })),
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
    (_, __, { other }) => (proofOf(other) === null ? 'nothing of it can be proven' : null),
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
