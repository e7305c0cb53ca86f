/** Bundles of a dishonest service, or of somebody who alters what an honest one made. */
import {
  type AdminEventStatement,
  agentKeySignedBytes,
  type BundleAgent,
  type BundleRecord,
  type Disclosures,
  disclosureDigest,
  type FindingCode,
  formatTime,
  isWholeEvent,
  type Neighbour,
  payloadHash,
  publicKeyOf,
  type Receipt,
  recordSignedBytes,
  type ServiceKey,
  serviceKeySignedBytes,
  thumbprint,
  toBase64Url,
  withholdEvent,
} from '../../src/protocol/index.ts';
import {
  agentName,
  agentSeed,
  type Contents,
  derived,
  later,
  makeBundle,
  only,
  otherDigest,
  otherSignature,
  type Plan,
  START,
  serviceKid,
  serviceSeed,
  sign,
  signReceipt,
  uuid,
} from './bundle-maker.ts';
import { at, littleEndian } from './bytes.ts';
import { MOMENT_CASES } from './dishonest-moments.ts';
import { NEIGHBOUR_CASES } from './dishonest-neighbours.ts';
import type { Bundle } from './vectors.ts';

/** Two agents in turns, three epochs, a rotation before the last; a range of it; one agent of it. */
export const WHOLE: Plan = { agents: 2, epochs: [2, 3, 2], rotation: true };
export const RANGE: Plan = { ...WHOLE, range: [2, 6] };
export const ONE_AGENT: Plan = { ...WHOLE, onlyAgent: 1 };

/** Has the service withhold the administrative events of these indexes. */
export const withholding = (...indexes: readonly number[]): Pick<Plan, 'contents'> => ({
  contents: (contents) => ({
    ...contents,
    admin_events: contents.admin_events.map((event, index) =>
      indexes.includes(index) && isWholeEvent(event) ? withholdEvent(event) : event,
    ),
  }),
});

export const honest = makeBundle(WHOLE);

/** One way in which a bundle can be wrong, and the finding that names it. */
export interface Case {
  readonly what: string;
  readonly code: FindingCode;
  /** How the bundle is made, or the text of it. */
  readonly made: Plan | string;
  readonly receipts?: readonly Receipt[];
  readonly against?: string;
}

const WEAK_KEY = toBase64Url(littleEndian(1n));

/** Changes the bundle after all was signed. */
export const tampered = (change: (bundle: Bundle) => Bundle, plan: Plan = WHOLE): Plan => ({ ...plan, bundle: change });
export const withRecord = (index: number, change: (record: BundleRecord) => BundleRecord, plan: Plan = WHOLE): Plan =>
  tampered((bundle) => ({ ...bundle, records: bundle.records.with(index, change(at(bundle.records, index))) }), plan);
/** Changes what the bundle holds, before the service signs the manifest over it. */
export const withContents = (change: (contents: Contents) => Partial<Contents>, plan: Plan = WHOLE): Plan => ({
  ...plan,
  contents: (contents) => ({ ...contents, ...change(contents) }),
});
export const withRecords = (change: (records: readonly BundleRecord[]) => readonly BundleRecord[], plan?: Plan): Plan =>
  withContents(({ records }) => ({ records: change(records) }), plan);

/** The third event of the administrative log says that it is older than the second. */
export const OLD_EVENT_INSIDE: Plan = {
  ...WHOLE,
  adminEvent: only(3, (event) => ({ ...event, created_at: START - 24 * 3_600_000 })),
};

const DISCLOSURES: Disclosures = { n: ['A'.repeat(22), 7] };

export const extra = <T extends object>(value: T): T => ({ ...value, extra: 1 });

/** A service key that signs itself again, and its predecessor with it. */
function signedAnew(key: ServiceKey, own: number, previous: number): ServiceKey {
  const message = serviceKeySignedBytes(key);
  const [self_signature, prev_signature] = [sign(serviceSeed(own), message), sign(serviceSeed(previous), message)];
  return { ...key, self_signature, prev_signature };
}

/** One more service key that follows an earlier one. */
function following(previous: number, own: number, created_at: number): ServiceKey {
  const kid = serviceKid(own);
  const public_key = toBase64Url(publicKeyOf(serviceSeed(own)));
  const key = { kid, public_key, algorithm: 'ed25519', status: 'active', created_at, retired_at: null } as const;
  const unsigned = { ...key, prev_kid: serviceKid(previous), self_signature: '', prev_signature: '' };
  return signedAnew(unsigned, own, previous);
}

/** Frozen after the agent's last record. */
function frozenAtTheEnd(event: AdminEventStatement): AdminEventStatement {
  return { ...event, action: 'agent.freeze', target_id: agentName(1), created_at: START + 6200 };
}

/** A key revoked by attestation alone: no event of the log tells of it. */
function revokedInDirectory(agent: BundleAgent): BundleAgent {
  const keys = agent.keys.map((key) => {
    const revoked = { ...key, status: 'revoked' as const, retired_at: START + 8000 };
    return {
      ...revoked,
      attestation: sign(serviceSeed(0), agentKeySignedBytes(agent.org_id, revoked, key.service_kid)),
    };
  });
  return { ...agent, keys };
}

/** The agent was there before its key. */
function addedLater(agent: BundleAgent): BundleAgent {
  return { ...agent, created_at: at(agent.keys, 0).created_at };
}

/** A bundle of a range without records, between the first epoch and the second. */
export function emptyRange(plan: Plan = {}): Plan {
  return {
    ...WHOLE,
    range: [3, 2],
    manifest: (manifest) => {
      const { start_time, end_time } = manifest.filter;
      return { ...manifest, filter: { ...manifest.filter, start_time: end_time, end_time: start_time } };
    },
    ...plan,
  };
}

function withReceipt(neighbour: Neighbour | null, change: Partial<Receipt>): Neighbour | null {
  return neighbour && { ...neighbour, ear: { ...neighbour.ear, ...change } };
}

/** The receipt that the service gave for a record it then left out of the ledger. */
const hidden = signReceipt({
  receipt_id: uuid('hidden receipt'),
  operation_id: uuid('hidden operation'),
  org_id: honest.bundle.org.org_id,
  agent_id: agentName(0),
  seq_no: 8,
  chain_hash: otherDigest(),
  server_received_at: formatTime(START + 8000),
  service_kid: serviceKid(0),
});
const contradicting = signReceipt({ ...at(honest.receipts, 2), chain_hash: otherDigest() });

/** Every finding of protocol V132 but ISSUER_NOT_PINNED, each from a bundle that is wrong in exactly that way. */
export const dishonestCases: readonly Case[] = [
  ...MOMENT_CASES,
  ...NEIGHBOUR_CASES,
  // What cannot be read.
  { code: 'MALFORMED', what: 'a record with a member too many', made: withRecord(2, extra) },
  {
    code: 'MALFORMED',
    what: 'an operation record with a member too many',
    made: withRecord(2, ({ eor, ear }) => ({ eor: extra(eor), ear })),
  },
  {
    code: 'MALFORMED',
    what: 'a receipt with a member too many',
    made: withRecord(0, ({ eor, ear }) => ({ eor, ear: extra(ear) })),
  },
  { code: 'MALFORMED', what: 'a file cut short', made: honest.text.slice(0, honest.text.length * 0.7) },
  { code: 'MALFORMED', what: 'a file that goes on', made: `${honest.text}{}` },
  ...(['epochs', 'agents', 'admin_events', 'service_keys'] as const).map((member) => ({
    code: 'MALFORMED' as const,
    what: `an element of ${member} with a member too many`,
    made: tampered((bundle) => ({
      ...bundle,
      [member]: bundle[member].map((item, index) => (index === 0 ? extra(item) : item)),
    })),
  })),
  {
    code: 'MALFORMED',
    what: 'an organization with a member too many',
    made: tampered((bundle) => ({ ...bundle, org: extra(bundle.org) })),
  },
  {
    code: 'MALFORMED',
    what: 'a manifest with a member too many',
    made: tampered((bundle) => ({ ...bundle, manifest: extra(bundle.manifest) })),
  },
  {
    code: 'MALFORMED',
    what: 'a manifest signature that is none',
    made: tampered((bundle) => ({ ...bundle, manifest_signature: 'AA' })),
  },
  {
    code: 'MALFORMED',
    what: 'an agent listed twice',
    made: withContents(({ agents }) => ({ agents: [...agents, at(agents, 0)] })),
  },
  {
    code: 'MALFORMED',
    what: 'an agent key listed twice',
    made: { ...WHOLE, agent: only(0, (agent) => ({ ...agent, keys: [...agent.keys, ...agent.keys] })) },
  },
  {
    code: 'MALFORMED',
    what: 'an agent of another organization',
    made: { ...WHOLE, agent: only(1, (agent) => ({ ...agent, org_id: 'org_other' })) },
  },
  {
    code: 'UNSUPPORTED_VERSION',
    what: 'a bundle of a later version',
    made: honest.text.replace('countersign.bundle.v1', 'countersign.bundle.v2'),
  },

  // Keys.
  {
    code: 'SERVICE_KEY_INVALID',
    what: 'a service key that did not sign itself',
    made: { ...WHOLE, serviceKey: only(0, (key) => ({ ...key, self_signature: otherSignature() })) },
  },
  {
    code: 'SERVICE_KEY_INVALID',
    what: 'a second service key that the first did not sign',
    made: { ...WHOLE, serviceKey: only(1, (key) => ({ ...key, prev_signature: otherSignature() })) },
  },
  {
    code: 'SERVICE_KEY_INVALID',
    what: 'a second service key without the signature of the first',
    made: { ...WHOLE, serviceKey: only(1, (key) => ({ ...key, prev_signature: null })) },
  },
  {
    code: 'SERVICE_KEY_INVALID',
    what: 'a service key that is not named by its thumbprint, signed all the same',
    made: {
      ...WHOLE,
      serviceKey: only(1, (key) => {
        const statement = { ...key, kid: 'service-key-2' };
        const message = serviceKeySignedBytes(statement);
        return {
          ...statement,
          self_signature: sign(serviceSeed(1), message),
          prev_signature: sign(serviceSeed(0), message),
        };
      }),
    },
  },
  {
    code: 'SERVICE_KEY_INVALID',
    what: 'a service key listed twice',
    made: withContents(({ service_keys }) => ({ service_keys: [...service_keys, at(service_keys, 0)] })),
  },
  {
    code: 'KEY_WEAK',
    what: 'a service key of small order',
    made: {
      ...WHOLE,
      serviceKey: only(0, (key) => ({ ...key, public_key: WEAK_KEY, kid: thumbprint(littleEndian(1n)) })),
    },
  },
  {
    code: 'KEY_WEAK',
    what: 'an agent key of small order, attested',
    made: { ...WHOLE, agentKey: only(0, (key) => ({ ...key, public_key: WEAK_KEY })) },
  },
  {
    code: 'KEY_ATTESTATION_INVALID',
    what: "an agent key without the service's word",
    made: { ...WHOLE, attestedKey: only(0, (key) => ({ ...key, attestation: otherSignature() })) },
  },
  {
    code: 'KEY_ATTESTATION_INVALID',
    what: 'an agent key exchanged for another',
    made: {
      ...WHOLE,
      attestedKey: only(0, (key) => ({ ...key, public_key: toBase64Url(publicKeyOf(derived('stranger'))) })),
    },
  },
  {
    code: 'KEY_ATTESTATION_INVALID',
    what: 'an agent key exchanged for one of small order',
    made: { ...WHOLE, attestedKey: only(0, (key) => ({ ...key, public_key: WEAK_KEY })) },
  },
  {
    code: 'KEY_ATTESTATION_INVALID',
    what: "an agent key that is attested as another agent's",
    made: { ...WHOLE, agentKey: only(0, (key) => ({ ...key, agent_id: agentName(1) })) },
  },
  {
    code: 'KEY_ATTESTATION_INVALID',
    what: 'an agent key attested as active and retired at once',
    made: { ...WHOLE, agentKey: only(0, (key) => ({ ...key, retired_at: START + 60_000 })) },
  },
  {
    code: 'KEY_ATTESTATION_INVALID',
    what: 'an agent key attested by a service key that the bundle lacks',
    made: { ...WHOLE, attestedKey: only(0, (key) => ({ ...key, service_kid: thumbprint(derived('nobody')) })) },
  },
  {
    code: 'KEY_UNKNOWN',
    what: 'a record signed with a key that the bundle lacks',
    made: { ...WHOLE, record: only(3, (record) => ({ ...record, agent_pubkey_kid: 'k2' })) },
  },
  {
    code: 'KEY_UNKNOWN',
    what: 'an agent left out of the directory',
    made: withContents(({ agents }) => ({ agents: agents.slice(1) })),
  },
  {
    code: 'KEY_USED_AFTER_REVOCATION',
    what: 'records accepted after their key was revoked',
    made: { ...WHOLE, agentKey: only(0, (key) => ({ ...key, status: 'revoked', retired_at: START + 4000 })) },
  },

  // Records.
  {
    code: 'SIGNATURE_INVALID',
    what: 'a record that its agent did not sign, accepted by the service',
    made: {
      ...WHOLE,
      signedRecord: only(2, (record) => ({ ...record, signature: sign(agentSeed(1), recordSignedBytes(record)) })),
    },
  },
  {
    code: 'SIGNATURE_INVALID',
    what: 'a record altered after it was accepted',
    made: withRecord(2, ({ eor, ear }) => ({ eor: { ...eor, subject: 'another file' }, ear })),
  },
  {
    code: 'SIGNATURE_INVALID',
    what: 'a payload altered together with its hash',
    made: withRecord(2, ({ eor, ear }) => ({
      eor: { ...eor, payload: { n: 0 }, payload_hash: payloadHash({ n: 0 }) },
      ear,
    })),
  },
  {
    code: 'SIGNATURE_INVALID',
    what: 'two records that exchanged their agents’ part',
    made: tampered(({ records, ...rest }) => ({
      ...rest,
      records: records.with(2, {
        ...at(records, 2),
        eor: { ...at(records, 2).eor, signature: at(records, 4).eor.signature },
      }),
    })),
  },
  {
    code: 'SIGNATURE_INVALID',
    what: 'a time to live shortened to one that had passed',
    made: withRecord(2, ({ eor, ear }) => ({ eor: { ...eor, ttl_ms: 1 }, ear })),
  },
  {
    code: 'RECEIPT_SIGNATURE_INVALID',
    what: 'a receipt moved to an hour later',
    made: withRecord(2, ({ eor, ear }) => ({
      eor,
      ear: { ...ear, server_received_at: later(ear.server_received_at, 3_600_000) },
    })),
  },
  {
    code: 'RECEIPT_SIGNATURE_INVALID',
    what: 'a receipt moved to an hour before',
    made: withRecord(2, ({ eor, ear }) => ({
      eor,
      ear: { ...ear, server_received_at: later(ear.server_received_at, -3_600_000) },
    })),
  },
  {
    code: 'RECEIPT_SIGNATURE_INVALID',
    what: 'a receipt moved far ahead in the sequence',
    made: withRecord(2, ({ eor, ear }) => ({ eor, ear: { ...ear, seq_no: 100 } })),
  },
  {
    code: 'PAYLOAD_HASH_MISMATCH',
    what: 'an altered payload',
    made: withRecord(2, ({ eor, ear }) => ({ eor: { ...eor, payload: { n: 4 } }, ear })),
  },
  {
    code: 'PAYLOAD_HASH_MISMATCH',
    what: 'a payload that never had the hash that was signed',
    made: { ...WHOLE, record: only(2, (record) => ({ ...record, payload_hash: otherDigest() })) },
  },
  {
    code: 'DISCLOSURE_INVALID',
    what: 'a disclosure next to a plain payload',
    made: withRecords((records) => records.with(2, { ...at(records, 2), disclosures: DISCLOSURES })),
  },
  {
    code: 'DISCLOSURE_INVALID',
    what: 'a disclosure of which the salted payload has another digest',
    made: withRecords((records) => records.with(2, { ...at(records, 2), disclosures: DISCLOSURES }), {
      ...WHOLE,
      record: only(2, (record) => {
        const payload = { _sd: { n: disclosureDigest(['A'.repeat(22), 8]) } };
        return { ...record, payload, payload_hash: payloadHash(payload) };
      }),
    }),
  },
  {
    code: 'CHAIN_HASH_MISMATCH',
    what: "a receipt for another record, the agent's last",
    made: { ...WHOLE, receipt: only(6, (receipt) => ({ ...receipt, chain_hash: otherDigest() })) },
  },
  {
    code: 'CHAIN_HASH_MISMATCH',
    what: 'a receipt for another record, whose agent went on from the right one',
    made: { ...WHOLE, receipt: only(2, (receipt) => ({ ...receipt, chain_hash: otherDigest() })) },
  },
  {
    code: 'CHAIN_BROKEN',
    what: 'a record that continues from nowhere',
    made: { ...WHOLE, record: only(4, (record) => ({ ...record, prev_chain_hash: otherDigest() })) },
  },
  {
    code: 'CHAIN_BROKEN',
    what: "an agent's first record of all that names one before it",
    made: { ...WHOLE, record: only(1, (record) => ({ ...record, prev_chain_hash: otherDigest() })) },
  },
  {
    code: 'CHAIN_FORK',
    what: 'a record that begins its chain again',
    made: { ...WHOLE, record: only(4, (record) => ({ ...record, prev_chain_hash: null })) },
  },
  {
    code: 'CHAIN_FORK',
    what: 'two records that continue from the same one',
    made: {
      ...WHOLE,
      record: only(4, (record) => ({ ...record, prev_chain_hash: at(honest.bundle.records, 2).eor.prev_chain_hash })),
    },
  },
  {
    code: 'NONCE_REUSED',
    what: 'a nonce that its agent used before',
    made: { ...WHOLE, record: only(4, (record) => ({ ...record, nonce: at(honest.bundle.records, 0).eor.nonce })) },
  },
  {
    code: 'OPERATION_ID_REUSED',
    what: "another agent's operation_id, in capitals",
    made: {
      ...WHOLE,
      record: only(3, (record) => ({
        ...record,
        operation_id: at(honest.bundle.records, 0).eor.operation_id.toUpperCase(),
      })),
    },
  },
  {
    code: 'TTL_VIOLATED',
    what: 'a record accepted too late',
    made: { ...WHOLE, record: only(2, (record) => ({ ...record, ttl_ms: 249 })) },
  },
  {
    code: 'TIME_ORDER',
    what: 'a record issued more than five minutes after it was received',
    made: { ...WHOLE, record: only(2, (record) => ({ ...record, issued_at: later(record.issued_at, 300_251) })) },
  },

  // Receipts.
  {
    code: 'RECEIPT_SIGNATURE_INVALID',
    what: 'a receipt that the service did not sign',
    made: { ...WHOLE, signedReceipt: only(2, (receipt) => ({ ...receipt, service_signature: otherSignature() })) },
  },
  {
    code: 'RECEIPT_SIGNATURE_INVALID',
    what: 'a receipt signed by another service key than it names',
    made: { ...WHOLE, signedReceipt: only(2, (receipt) => signReceipt(receipt, 1)) },
  },
  ...(['operation_id', 'org_id', 'agent_id'] as const).map((member) => ({
    code: 'RECEIPT_MISMATCH' as const,
    what: `a receipt with another ${member}`,
    made: {
      ...WHOLE,
      receipt: only<Omit<Receipt, 'service_signature'>>(2, (receipt) => ({ ...receipt, [member]: uuid('other') })),
    },
  })),
  {
    code: 'TIME_ORDER',
    what: 'a record received before the one that precedes it',
    made: {
      ...WHOLE,
      receipt: only(3, (receipt) => ({ ...receipt, server_received_at: later(receipt.server_received_at, -1001) })),
    },
  },

  // The run of numbers.
  { code: 'SEQUENCE_GAP', what: 'a record left out', made: withRecords((records) => records.toSpliced(3, 1)) },
  {
    code: 'SEQUENCE_GAP',
    what: 'a record removed from the file',
    made: tampered((bundle) => ({ ...bundle, records: bundle.records.toSpliced(3, 1) })),
  },
  {
    code: 'SEQUENCE_GAP',
    what: 'the first records of the range left out',
    made: withRecords((records) => records.slice(1)),
  },
  {
    code: 'SEQUENCE_GAP',
    what: 'the last records of the range left out',
    made: withRecords((records) => records.slice(0, -1)),
  },
  {
    code: 'SEQUENCE_GAP',
    what: 'an epoch of records left out',
    made: withRecords((records) => records.toSpliced(2, 3)),
  },
  {
    code: 'SEQUENCE_DUPLICATE',
    what: 'a record twice',
    made: withRecords((records) => records.toSpliced(3, 0, at(records, 3))),
  },
  {
    code: 'SEQUENCE_DUPLICATE',
    what: 'a record again at the end',
    made: withRecords((records) => [...records, at(records, 0)]),
  },
  {
    code: 'SEQUENCE_ORDER',
    what: 'two records that changed places',
    made: withRecords((records) => records.with(2, at(records, 3)).with(3, at(records, 2))),
  },
  { code: 'SEQUENCE_ORDER', what: 'the records in reverse', made: withRecords((records) => records.toReversed()) },

  // Epochs.
  {
    code: 'EPOCH_SIGNATURE_INVALID',
    what: 'an epoch that the service did not sign',
    made: { ...WHOLE, signedEpoch: only(1, (epoch) => ({ ...epoch, signature_by_service: otherSignature() })) },
  },
  {
    code: 'EPOCH_SIGNATURE_INVALID',
    what: 'an epoch of another organization',
    made: { ...WHOLE, epoch: only(1, (epoch) => ({ ...epoch, org_id: 'org_other' })) },
  },
  {
    code: 'EPOCH_ROOT_MISMATCH',
    what: 'another root',
    made: { ...WHOLE, epoch: only(1, (epoch) => ({ ...epoch, root_hash: otherDigest() })) },
  },
  {
    code: 'EPOCH_CHAIN_BROKEN',
    what: 'an epoch that follows another one',
    made: { ...WHOLE, epoch: only(1, (epoch) => ({ ...epoch, prev_epoch_hash: otherDigest() })) },
  },
  {
    code: 'EPOCH_CHAIN_BROKEN',
    what: 'a first epoch with one before it',
    made: { ...WHOLE, epoch: only(0, (epoch) => ({ ...epoch, prev_epoch_hash: otherDigest() })) },
  },
  {
    code: 'EPOCH_CHAIN_BROKEN',
    what: 'a later epoch with none before it, where the bundle begins',
    made: { ...WHOLE, range: [3, 7], epoch: only(1, (epoch) => ({ ...epoch, prev_epoch_hash: null })) },
  },
  {
    code: 'EPOCH_CHAIN_BROKEN',
    what: 'an epoch number left out',
    made: {
      ...WHOLE,
      epoch: only(2, (epoch) => ({ ...epoch, epoch_no: 4 })),
      manifest: (manifest) => ({ ...manifest, log_head: { seq_no: 7, epoch_no: 4 } }),
    },
  },
  {
    code: 'EPOCH_GAP',
    what: 'a leaf count that is not the length of the run',
    made: { ...WHOLE, epoch: only(1, (epoch) => ({ ...epoch, leaf_count: 4 })) },
  },
  {
    code: 'EPOCH_GAP',
    what: 'an epoch that begins after a record that none covers',
    made: { ...WHOLE, epoch: only(1, (epoch) => ({ ...epoch, first_seq_no: 4, leaf_count: 2 })) },
  },
  {
    code: 'EPOCH_GAP',
    what: 'the last epoch left out',
    made: withContents(({ epochs }) => ({ epochs: epochs.slice(0, -1) })),
  },
  {
    code: 'TIME_ORDER',
    what: 'an epoch that ends before it begins',
    made: { ...WHOLE, epoch: only(1, (epoch) => ({ ...epoch, end_time: later(epoch.start_time, -1) })) },
  },
  {
    code: 'TIME_ORDER',
    what: 'an epoch that ends before it begins, none of whose records is in the bundle',
    made: {
      ...WHOLE,
      epochs: [1, 1, 1],
      onlyAgent: 0,
      epoch: only(1, (epoch) => ({ ...epoch, end_time: later(epoch.start_time, -1) })),
    },
  },
  {
    code: 'TIME_ORDER',
    what: 'an epoch that begins with none of its records',
    made: { ...WHOLE, epoch: only(1, (epoch) => ({ ...epoch, start_time: later(epoch.start_time, 1) })) },
  },
  {
    code: 'TIME_ORDER',
    what: 'an epoch that closed before its last record',
    made: { ...WHOLE, epoch: only(1, (epoch) => ({ ...epoch, end_time: later(epoch.start_time, 1) })) },
  },
  {
    code: 'LOG_ROOT_MISMATCH',
    what: 'a hash of a gap that is another one',
    made: withRecord(1, (record) => ({ ...record, gap: [otherDigest()] }), ONE_AGENT),
  },
  {
    code: 'INCLUSION_INVALID',
    what: "a gap left out in one agent's bundle",
    made: withRecord(1, ({ gap: _, ...record }) => record, ONE_AGENT),
  },
  {
    code: 'INCLUSION_INVALID',
    what: 'a gap of one hash too many',
    made: withRecord(1, ({ gap = [], ...record }) => ({ ...record, gap: [...gap, otherDigest()] }), ONE_AGENT),
  },
  {
    code: 'INCLUSION_INVALID',
    what: 'a gap that is not cut where the epoch before it ends',
    made: withRecord(1, ({ gap: _, ...record }) => ({ ...record, gap: [otherDigest()] }), {
      ...WHOLE,
      agents: 4,
      epochs: [3, 4],
      rotation: false,
      onlyAgent: 1,
    }),
  },
  {
    code: 'INCLUSION_INVALID',
    what: 'a gap where no receipt is left out',
    made: withRecord(3, (record) => ({ ...record, gap: [otherDigest()] })),
  },
  {
    code: 'INCLUSION_INVALID',
    what: 'the hashes before the receipt that is next before the range left out',
    made: withContents(
      ({ edges: { before, ...edges } }) => ({ edges: { ...edges, before: before && { ear: before.ear } } }),
      { ...WHOLE, range: [3, 6] },
    ),
  },
  {
    code: 'INCLUSION_INVALID',
    what: 'the rest of the log left out',
    made: withContents(({ edges }) => ({ edges: { ...edges, rest: [] } }), { ...WHOLE, range: [2, 5] }),
  },
  {
    code: 'LOG_ROOT_MISMATCH',
    what: 'another rest of the log',
    made: withContents(({ edges }) => ({ edges: { ...edges, rest: edges.rest.map(() => otherDigest()) } }), {
      ...WHOLE,
      range: [2, 5],
    }),
  },
  {
    code: 'LOG_ROOT_MISMATCH',
    what: 'no newest epoch',
    made: withContents(({ edges }) => ({ edges: { ...edges, head: null } })),
  },

  // The administrative log.
  {
    code: 'ADMIN_CHAIN_BROKEN',
    what: 'an altered event',
    made: { ...WHOLE, hashedEvent: only(2, (event) => ({ ...event, actor: 'somebody else' })) },
  },
  {
    code: 'ADMIN_CHAIN_BROKEN',
    what: 'an event that follows another one',
    made: { ...WHOLE, adminEvent: only(2, (event) => ({ ...event, prev_event_hash: otherDigest() })) },
  },
  {
    code: 'ADMIN_CHAIN_BROKEN',
    what: 'an event left out',
    made: withContents(({ admin_events }) => ({ admin_events: admin_events.toSpliced(1, 1) })),
  },
  {
    code: 'MANIFEST_MISMATCH',
    what: 'an event withheld that the manifest does not name',
    made: { ...WHOLE, ...withholding(3), manifest: ({ withheld_events_digest: _, ...manifest }) => manifest },
  },
  {
    code: 'ADMIN_CHAIN_BROKEN',
    what: 'an event withheld, with another hash before it',
    made: withContents(({ admin_events }) => ({
      admin_events: admin_events.map((event, n) =>
        n === 2 && isWholeEvent(event) ? { ...withholdEvent(event), prev_event_hash: otherDigest() } : event,
      ),
    })),
  },
  { code: 'ADMIN_CHAIN_BROKEN', what: 'all events left out', made: withContents(() => ({ admin_events: [] })) },
  {
    code: 'ADMIN_CHAIN_BROKEN',
    what: 'an event of another organization',
    made: { ...WHOLE, adminEvent: only(2, (event) => ({ ...event, org_id: 'org_other' })) },
  },
  {
    code: 'ADMIN_CHAIN_BROKEN',
    what: 'an epoch sealed over another log',
    made: { ...WHOLE, epoch: only(1, (epoch) => ({ ...epoch, admin_head_hash: otherDigest() })) },
  },
  {
    code: 'ADMIN_CHAIN_BROKEN',
    what: 'an epoch sealed over an earlier state of the log than the one before',
    made: {
      ...WHOLE,
      epoch: only(2, (epoch) => ({ ...epoch, admin_head_hash: at(honest.bundle.admin_events, 1).event_hash })),
    },
  },

  // The manifest.
  {
    code: 'MANIFEST_SIGNATURE_INVALID',
    what: 'a manifest that the service did not sign',
    made: tampered((bundle) => ({ ...bundle, manifest_signature: otherSignature() })),
  },
  ...(
    [
      { record_count: 8 },
      { first_seq_no: 2 },
      { last_seq_no: 8 },
      { redacted_count: 1 },
      { org_id: 'org_other' },
      { records_digest: otherDigest() },
      { epochs_digest: otherDigest() },
      { admin_events_digest: otherDigest() },
      { directory_digest: otherDigest() },
      { log_head: { seq_no: 6, epoch_no: 3 } },
      { log_head: { seq_no: 7, epoch_no: 2 } },
      { filter: { start_time: formatTime(START + 1001), end_time: formatTime(START + 60_000), agent_id: null } },
      { filter: { start_time: formatTime(START), end_time: formatTime(START + 7000), agent_id: null } },
      { filter: { start_time: formatTime(START), end_time: formatTime(START + 60_000), agent_id: agentName(0) } },
    ] as const
  ).map((wrong) => ({
    code: 'MANIFEST_MISMATCH' as const,
    what: `a manifest of something else: ${JSON.stringify(wrong)}`,
    made: { ...WHOLE, manifest: (manifest: Bundle['manifest']) => ({ ...manifest, ...wrong }) },
  })),
  {
    code: 'DIRECTORY_MISMATCH',
    what: 'another name of the organization',
    made: tampered((bundle) => ({ ...bundle, org: { ...bundle.org, name: 'Other' } })),
  },

  // Keys in their time and in their line.
  {
    code: 'SERVICE_KEY_INVALID',
    what: 'two service keys that follow one',
    made: withContents(({ service_keys }) => ({ service_keys: [...service_keys, following(0, 9, START - 500)] })),
  },
  {
    code: 'SERVICE_KEY_INVALID',
    what: 'two service keys that follow each other',
    made: { ...WHOLE, serviceKey: only(0, (key) => signedAnew({ ...key, prev_kid: serviceKid(1) }, 0, 1)) },
  },
  {
    code: 'SERVICE_KEY_INVALID',
    what: 'a service key that was retired at another time than the next one was made',
    made: { ...WHOLE, serviceKey: only(0, (key) => ({ ...key, retired_at: START })) },
  },
  {
    code: 'SERVICE_KEY_INVALID',
    what: 'a service key that is retired, and none follows it',
    made: { ...WHOLE, serviceKey: only(1, (key) => ({ ...key, status: 'retired', retired_at: START + 3_600_000 })) },
  },
  {
    code: 'SERVICE_KEY_MISUSED',
    what: 'a record countersigned by a key that had been replaced',
    made: {
      ...WHOLE,
      receipt: only(6, (receipt) => ({ ...receipt, service_kid: serviceKid(0) })),
      signedReceipt: only(6, (receipt) => signReceipt(receipt, 0)),
    },
  },
  {
    code: 'SERVICE_KEY_MISUSED',
    what: 'a record countersigned by a key before it was made',
    made: {
      ...WHOLE,
      receipt: only(4, (receipt) => ({ ...receipt, service_kid: serviceKid(1) })),
      signedReceipt: only(4, (receipt) => signReceipt(receipt, 1)),
    },
  },
  {
    code: 'KEY_NOT_YET_VALID',
    what: 'a record accepted before its key was given to the agent',
    made: { ...WHOLE, agentKey: only(0, (key) => ({ ...key, created_at: START + 2000 })), agent: only(0, addedLater) },
  },
  {
    code: 'AGENT_BARRED',
    what: 'records accepted after their agent was deleted',
    made: {
      ...WHOLE,
      agent: only(0, (agent) => ({ ...agent, status: 'deleted', updated_at: START + 4000 })),
    },
  },
  {
    code: 'AGENT_BARRED',
    what: 'records accepted while their agent was frozen',
    made: { ...WHOLE, agent: only(1, (agent) => ({ ...agent, status: 'frozen', updated_at: START + 3000 })) },
  },
  {
    code: 'RECEIPT_ID_REUSED',
    what: 'one receipt_id for all receipts',
    made: { ...WHOLE, receipt: (receipt) => ({ ...receipt, receipt_id: uuid('receipt 1') }) },
  },

  // The directory and the log.
  {
    code: 'DIRECTORY_MISMATCH',
    what: 'an agent that no event registers',
    made: { ...WHOLE, adminEvent: only(2, (event) => ({ ...event, action: 'agent.update', details: {} })) },
  },
  {
    code: 'DIRECTORY_MISMATCH',
    what: 'another key than the log gave the agent',
    made: {
      ...WHOLE,
      adminEvent: only(2, (event) => ({ ...event, details: { keys: [{ kid: 'k1', thumbprint: serviceKid(7) }] } })),
    },
  },
  {
    code: 'DIRECTORY_MISMATCH',
    what: 'an organization that is called otherwise than its events have it',
    made: { ...WHOLE, contents: ({ org, ...contents }) => ({ ...contents, org: { ...org, name: 'Example Bank' } }) },
  },
  {
    code: 'DIRECTORY_MISMATCH',
    what: 'an organization that no event creates',
    made: { ...WHOLE, adminEvent: only(0, (event) => ({ ...event, action: 'org.change' })) },
  },
  {
    code: 'DIRECTORY_MISMATCH',
    what: 'a creation that does not say what the organization is called',
    made: { ...WHOLE, adminEvent: only(0, (event) => ({ ...event, details: {} })) },
  },
  {
    code: 'DIRECTORY_MISMATCH',
    what: 'an agent that was frozen, shown as active',
    made: { ...WHOLE, adminEvent: only(4, frozenAtTheEnd) },
  },
  {
    code: 'DIRECTORY_MISMATCH',
    what: 'a registration that does not say which keys',
    made: { ...WHOLE, adminEvent: only(1, (event) => ({ ...event, details: { keys: ['k1'] } })) },
  },
  {
    code: 'ADMIN_CHAIN_BROKEN',
    what: 'an event behind the head of an epoch that says it is older than the epoch',
    made: {
      ...WHOLE,
      adminEvent: only(4, (event) => ({ ...event, created_at: START + 4000 })),
      epoch: only(1, (epoch) => ({ ...epoch, admin_head_hash: at(honest.bundle.admin_events, 3).event_hash })),
    },
  },

  // The log as one tree, and what stands beside the range.
  {
    code: 'LOG_ROOT_MISMATCH',
    what: 'an epoch that seals another log than its records',
    made: { ...WHOLE, epoch: only(1, (epoch) => ({ ...epoch, log_root: otherDigest() })) },
  },
  {
    code: 'LOG_ROOT_MISMATCH',
    what: 'a range that continues another log',
    made: withContents(
      ({ edges: { before, ...edges } }) => ({
        edges: { ...edges, before: before && { ...before, gap: [otherDigest()] } },
      }),
      { ...WHOLE, range: [3, 6] },
    ),
  },
  {
    code: 'EDGE_INVALID',
    what: 'a neighbour that the service did not sign',
    made: withContents(
      ({ edges }) => ({ edges: { ...edges, before: withReceipt(edges.before, { seq_no: 9 }) } }),
      RANGE,
    ),
  },
  {
    code: 'SEQUENCE_GAP',
    what: 'the newest epoch and its records left out, and the range said to end before it',
    made: {
      ...withContents(({ records, epochs }) => ({ records: records.slice(0, 5), epochs: epochs.slice(0, 2) })),
      manifest: (manifest) => ({ ...manifest, filter: { ...manifest.filter, end_time: formatTime(START + 5600) } }),
    },
  },
  {
    code: 'SEQUENCE_GAP',
    what: 'the oldest epoch and its records left out',
    made: withContents(({ records, epochs, edges }) => ({
      records: records.slice(2),
      epochs: epochs.slice(1),
      edges: { ...makeBundle({ ...WHOLE, range: [3, 7] }).bundle.edges, before: edges.before },
    })),
  },
  {
    code: 'SEQUENCE_GAP',
    what: "one agent's newest record left out",
    made: withContents(({ records }) => ({ records: records.slice(0, -1) }), ONE_AGENT),
  },
  {
    code: 'MANIFEST_MISMATCH',
    what: 'a bundle made before its records',
    made: { ...WHOLE, manifest: (manifest) => ({ ...manifest, created_at: formatTime(START + 6800) }) },
  },
  {
    code: 'EPOCH_GAP',
    what: 'an epoch 5 that begins with the first receipt',
    made: {
      ...WHOLE,
      epochs: [7],
      rotation: false,
      epoch: (epoch) => ({ ...epoch, epoch_no: 5, prev_epoch_hash: otherDigest() }),
      manifest: (m) => ({ ...m, log_head: { seq_no: 7, epoch_no: 5 } }),
    },
  },

  // What others hold.
  { code: 'RECORD_OMITTED', what: 'a kept receipt that the ledger lacks', made: WHOLE, receipts: [hidden] },
  {
    code: 'RECORD_OMITTED',
    what: "a kept receipt that one agent's bundle lacks",
    made: { ...WHOLE, onlyAgent: 0 },
    receipts: [hidden],
  },
  { code: 'EQUIVOCATION', what: 'a kept receipt that says something else', made: WHOLE, receipts: [contradicting] },
  {
    code: 'EQUIVOCATION',
    what: 'two kept receipts for one number, of which the ledger has one',
    made: WHOLE,
    receipts: [contradicting, at(honest.receipts, 2)],
  },
  {
    code: 'EQUIVOCATION',
    what: 'another bundle with another record under the same number',
    made: WHOLE,
    against: makeBundle({ ...WHOLE, record: only(6, (record) => ({ ...record, subject: 'another file' })) }).text,
  },
  {
    code: 'EQUIVOCATION',
    what: 'another bundle with another epoch under the same number',
    made: WHOLE,
    against: makeBundle({ ...WHOLE, epoch: only(2, (epoch) => ({ ...epoch, end_time: later(epoch.end_time, 1) })) })
      .text,
  },
  {
    code: 'EQUIVOCATION',
    what: 'another bundle whose epoch links to another one than the epoch of that number',
    made: { ...WHOLE, range: [1, 5] },
    against: makeBundle({
      ...WHOLE,
      range: [6, 7],
      record: only(2, (record) => ({ ...record, subject: 'another file' })),
    }).text,
  },
  {
    code: 'EQUIVOCATION',
    what: 'another bundle that seals the same run under another number',
    made: WHOLE,
    against: makeBundle({
      ...WHOLE,
      epoch: only(2, (epoch) => ({ ...epoch, epoch_no: 6, prev_epoch_hash: otherDigest() })),
      manifest: (manifest) => ({
        ...manifest,
        log_head: { seq_no: 7, epoch_no: 6 },
        created_at: formatTime(START + 8_000_000),
      }),
    }).text,
  },
  {
    code: 'EQUIVOCATION',
    what: 'another bundle, made later, of a shorter ledger',
    made: WHOLE,
    against: makeBundle({
      ...WHOLE,
      epochs: [2, 3],
      range: [1, 5],
      rotation: false,
      manifest: (manifest) => ({ ...manifest, created_at: formatTime(START + 8_000_000) }),
    }).text,
  },
  {
    code: 'EQUIVOCATION',
    what: 'another bundle whose key was revoked at another time',
    made: { ...WHOLE, agentKey: only(1, (key) => ({ ...key, status: 'revoked', retired_at: START + 3_600_000 })) },
    against: makeBundle({
      ...WHOLE,
      agentKey: only(1, (key) => ({ ...key, status: 'revoked', retired_at: START + 3_500_000 })),
    }).text,
  },
  {
    code: 'CONTRADICTION',
    what: 'an earlier bundle in which a key is revoked that is active in the later one',
    made: WHOLE,
    against: makeBundle({
      ...withContents(({ agents }) => ({ agents: agents.map(revokedInDirectory) })),
      manifest: (manifest) => ({ ...manifest, created_at: formatTime(START + 60_000) }),
    }).text,
  },
];

/** The bundle of a case, as text. */
export function textOf({ made }: Case): string {
  return typeof made === 'string' ? made : makeBundle(made).text;
}
