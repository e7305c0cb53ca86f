/**
 * What somebody who holds the service key could do unnoticed, under the labels that it was found with: every verifier of an earlier
 * form of the protocol took each of these for verified.
 */
import {
  agentKeySignedBytes,
  type BundleAgent,
  formatTime,
  publicKeyOf,
  toBase64Url,
} from '../../src/protocol/index.ts';
import {
  agentSeed,
  only,
  otherDigest,
  type Plan,
  START,
  serviceKid,
  serviceSeed,
  sign,
  signEpoch,
  signReceipt,
  uuid,
} from './bundle-maker.ts';
import { ONE_AGENT, RANGE, WHOLE, withContents } from './dishonest.ts';

const FAR = '9999-12-31T23:59:59.999Z';
const HOUR = 3_600_000;

/** The first `keep` records, with the epochs that they are in. */
const cutTail =
  (keep: number, epochs: number): NonNullable<Plan['contents']> =>
  (contents) => ({
    ...contents,
    records: contents.records.slice(0, keep),
    epochs: contents.epochs.slice(0, epochs),
  });
export const made =
  (created_at: string): NonNullable<Plan['manifest']> =>
  (manifest) => ({ ...manifest, created_at });

/** Signed by the retired key alone, as a thief of it would. */
export const BY_RETIRED: Plan = {
  ...WHOLE,
  receipt: (receipt) => ({ ...receipt, service_kid: serviceKid(0) }),
  signedReceipt: (receipt) => signReceipt(receipt, 0),
  epoch: (epoch) => ({ ...epoch, service_kid: serviceKid(0) }),
  signedEpoch: (epoch) => signEpoch(epoch, 0),
};

function withOwnKey(agent: BundleAgent): BundleAgent {
  const [key] = agent.keys;
  if (key === undefined) throw new Error('the agent has a key');
  const added = { ...key, kid: 'k2', public_key: toBase64Url(publicKeyOf(agentSeed(7))) };
  const attestation = sign(serviceSeed(0), agentKeySignedBytes(agent.org_id, added, serviceKid(0)));
  return { ...agent, keys: [...agent.keys, { ...added, attestation }] };
}

/** Bundles that are refused by themselves. */
export const ALONE: readonly (readonly [label: string, what: string, plan: Plan])[] = [
  ['A1', 'the last epoch left out with its records', { ...WHOLE, contents: cutTail(5, 2) }],
  [
    'A2',
    'the first epoch left out with its records',
    withContents(({ records, epochs }) => ({ records: records.slice(2), epochs: epochs.slice(1) })),
  ],
  [
    'A3',
    'the epochs at both ends left out',
    withContents(({ records, epochs }) => ({ records: records.slice(2, 5), epochs: epochs.slice(1, 2) })),
  ],
  [
    'A4',
    'the last epoch left out of a bundle from the end of time',
    { ...WHOLE, contents: cutTail(5, 2), manifest: made(FAR) },
  ],
  [
    'A5',
    'the last record left out, its epoch said to go on for ever',
    { ...WHOLE, contents: cutTail(6, 3), epoch: only(2, (epoch) => ({ ...epoch, end_time: FAR })) },
  ],
  [
    'A6',
    'the first record left out, its epoch said to have begun long ago',
    {
      ...withContents(({ records }) => ({ records: records.slice(1) })),
      epoch: only(0, (epoch) => ({ ...epoch, start_time: '0001-01-01T00:00:00.000Z' })),
    },
  ],
  ['A7', 'a bundle from the year 1', { ...WHOLE, manifest: made('0001-01-01T00:00:00.000Z') }],
  [
    'A8',
    "one agent's first record left out",
    withContents(({ records }) => ({ records: records.slice(1) }), ONE_AGENT),
  ],
  [
    'A9',
    "one agent's last record left out",
    withContents(({ records }) => ({ records: records.slice(0, -1) }), ONE_AGENT),
  ],
  [
    'A10',
    'an agent key made after its records',
    { ...WHOLE, agentKey: (key) => ({ ...key, created_at: START + HOUR }) },
  ],
  [
    'A11',
    'a service key retired in 1970 that signs today',
    { ...WHOLE, serviceKey: only(0, (key) => ({ ...key, retired_at: 0 })) },
  ],
  [
    'A12, A5b',
    'epochs that overlap in time',
    { ...WHOLE, epoch: (epoch) => ({ ...epoch, end_time: FAR }), manifest: made(FAR) },
  ],
  [
    'A13',
    'a first epoch of number 5',
    {
      epochs: [3],
      epoch: (epoch) => ({ ...epoch, epoch_no: 5, prev_epoch_hash: otherDigest() }),
      manifest: (manifest) => ({ ...manifest, log_head: { seq_no: 3, epoch_no: 5 } }),
    },
  ],
  [
    'A14',
    'a head of 99 epochs',
    { ...WHOLE, manifest: (manifest) => ({ ...manifest, log_head: { seq_no: 7, epoch_no: 99 } }) },
  ],
  [
    'A15',
    'a head of 99 records',
    { ...WHOLE, manifest: (manifest) => ({ ...manifest, log_head: { seq_no: 99, epoch_no: 3 } }) },
  ],
  [
    'A17',
    'an event behind the head of an epoch that says it is an hour older',
    {
      ...WHOLE,
      adminEvent: only(4, (event) => ({ ...event, created_at: START - HOUR / 2 })),
    },
  ],
  [
    'A22',
    'two keys that follow one',
    { ...WHOLE, rotation: true, serviceKey: only(1, (key) => ({ ...key, prev_kid: serviceKid(1) })) },
  ],
  [
    'A24',
    'receipts by the old and the new key in turns',
    {
      ...WHOLE,
      receipt: (receipt, index) => ({ ...receipt, service_kid: serviceKid(index % 2) }),
      signedReceipt: (receipt, index) => signReceipt(receipt, index % 2),
    },
  ],
  ['A25', 'a service key of the year 287396', { epochs: [2], serviceKey: (key) => ({ ...key, created_at: 9.007e15 }) }],
  [
    'A26',
    "a key of the operator's own, attested and in no event",
    { ...WHOLE, contents: (contents) => ({ ...contents, agents: contents.agents.map(withOwnKey) }) },
  ],
  [
    'C6',
    'records after the deletion of their agent',
    { ...WHOLE, agent: only(0, (agent) => ({ ...agent, status: 'deleted', updated_at: START + 2000 })) },
  ],
  [
    'C3',
    'an agent that no event registers',
    { ...WHOLE, adminEvent: only(2, (event) => ({ ...event, action: 'agent.update' })) },
  ],
  ['C7', 'one receipt_id for all', { ...WHOLE, receipt: (receipt) => ({ ...receipt, receipt_id: uuid('one') }) }],
];

const earlier: Plan = { ...WHOLE, range: [1, 5] };
const rewritten = (step: Pick<Plan, 'record' | 'receipt'>): Plan => ({ ...WHOLE, ...step, range: [6, 7] });

/** Bundles that are refused next to another one. */
export const TOGETHER: readonly (readonly [label: string, what: string, plan: Plan, against: Plan])[] = [
  [
    'A16b',
    'an administrative log that lost an event',
    {
      ...WHOLE,
      manifest: made(formatTime(START + 3 * HOUR)),
      adminEvent: only(4, (event) => ({ ...event, action: 'agent.freeze', target_id: 'nobody' })),
    },
    WHOLE,
  ],
  [
    'A20b',
    'history rewritten between two ranges',
    rewritten({ record: only(2, (record) => ({ ...record, subject: 'another file' })) }),
    earlier,
  ],
  [
    'A21b',
    'a revocation taken back',
    { ...WHOLE, rotation: false },
    {
      ...WHOLE,
      epochs: [2, 3],
      rotation: false,
      agentKey: only(1, (key) => ({ ...key, status: 'revoked', retired_at: START + 5500 })),
      manifest: made(formatTime(START + 5600)),
    },
  ],
  [
    'C12, H2',
    'a run sealed twice, under two numbers',
    {
      ...RANGE,
      range: [6, 7],
      epoch: only(2, (epoch) => ({ ...epoch, epoch_no: 6, prev_epoch_hash: otherDigest() })),
      manifest: (manifest) => ({ ...manifest, log_head: { seq_no: 7, epoch_no: 6 } }),
    },
    WHOLE,
  ],
  [
    'H1',
    'a later bundle of a shorter ledger',
    { ...WHOLE, epochs: [2, 3], rotation: false, manifest: made(formatTime(START + 5 * HOUR)) },
    { ...WHOLE, rotation: false },
  ],
  [
    'H3',
    "an agent's chain that starts over",
    rewritten({ record: only(6, (record) => ({ ...record, prev_chain_hash: null })) }),
    earlier,
  ],
];
