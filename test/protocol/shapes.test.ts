import { describe, expect, it } from 'vitest';
import { parseReceipt, parseStoredRecord, parseSubmittedRecord, toBase64Url } from '../../src/protocol/index.ts';
import { parseAdminEvent } from '../../src/protocol/statements/admin-event.ts';
import { parseBundleAgent } from '../../src/protocol/statements/agent-key.ts';
import { parseEpoch } from '../../src/protocol/statements/epoch.ts';
import { parseManifest } from '../../src/protocol/statements/manifest.ts';
import { parseServiceKey } from '../../src/protocol/statements/service-key.ts';
import { at } from '../support/bytes.ts';
import { refusal } from '../support/refusals.ts';
import { vectorBundle } from '../support/vectors.ts';

interface Rule {
  readonly member: string;
  readonly accepted: readonly unknown[];
  readonly refused: readonly unknown[];
}

const bundle = vectorBundle('bundle-whole.json');
const { eor, ear } = at(bundle.records, 0);

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const NO_STRINGS: readonly unknown[] = [null, 1, true, [], {}, ['a']];
const NO_DIGESTS: readonly unknown[] = [
  '',
  DIGEST.slice(1),
  DIGEST.toUpperCase(),
  `${DIGEST}0`,
  `${DIGEST}\n`,
  1,
  [DIGEST],
];
const NO_INTEGERS: readonly unknown[] = ['1', 1.5, null, 2 ** 53, -(2 ** 53), Number.NaN, [1], true];
const NO_TIMES: readonly unknown[] = ['', '2026-03-01', '2026-02-30T00:00:00Z', '2026-03-01T00:00:00', 0, null];
const ID = ['a', 'x'.repeat(256), '株式会社', '\u{1f600}'];
const NO_IDS: readonly unknown[] = ['', 'x'.repeat(257), 'a\ud800', ...NO_STRINGS];
const SIGNATURE = toBase64Url(new Uint8Array(64).fill(7));
const NO_SIGNATURES: readonly unknown[] = [
  '',
  SIGNATURE.slice(1),
  `${SIGNATURE}A`,
  `${SIGNATURE.slice(0, -1)}x`,
  `+${SIGNATURE.slice(1)}`,
  ...NO_STRINGS,
];
const KEY = toBase64Url(new Uint8Array(32).fill(7));
const NO_KEYS: readonly unknown[] = ['', KEY.slice(1), `${KEY}A`, `${KEY}=`, `${KEY.slice(0, -1)}x`, ...NO_STRINGS];

const UUIDS = [
  '027f4e49-56b1-4108-804b-7792b13a7f6e',
  '027F4E49-56B1-4108-904B-7792B13A7F6E',
  '00000000-0000-4000-b000-000000000000',
];
const NO_UUIDS: readonly unknown[] = [
  '',
  '027f4e49-56b1-1108-804b-7792b13a7f6e',
  '027f4e49-56b1-7108-804b-7792b13a7f6e',
  '027f4e49-56b1-4108-c04b-7792b13a7f6e',
  '027f4e49-56b1-4108-704b-7792b13a7f6e',
  '027f4e4956b14108804b7792b13a7f6e',
  '{027f4e49-56b1-4108-804b-7792b13a7f6e}',
  'urn:uuid:027f4e49-56b1-4108-804b-7792b13a7f6e',
  '027f4e49-56b1-4108-804b-7792b13a7f6',
  '027f4e49-56b1-4108-804b-7792b13a7f6g',
  ' 027f4e49-56b1-4108-804b-7792b13a7f6e',
  '027f4e49-56b1-4108-804b-7792b13a7f6e\n',
  ...NO_STRINGS,
];

/** The rules of protocol F30, field by field, less payload and signature. */
const RECORD_RULES: readonly Rule[] = [
  { member: 'op_version', accepted: [1], refused: [0, 2, '1', 1.5, null, true, [1]] },
  { member: 'operation_id', accepted: UUIDS, refused: NO_UUIDS },
  { member: 'org_id', accepted: ID, refused: NO_IDS },
  {
    member: 'agent_id',
    accepted: ['a', '7', 'A'.repeat(128), 'ops@site:7', 'billing.bot', 'a._:@-'],
    refused: ['', 'A'.repeat(129), '.a', '_a', '-a', ':a', '@a', 'a b', 'a/b', 'é', 'a\n', 'a\u0000', ...NO_STRINGS],
  },
  {
    member: 'issued_at',
    accepted: ['2026-03-01T10:30:03.236+01:30', '2026-03-01T00:00:00Z', '2026-03-01t00:00:00z', '2016-12-31T23:59:60Z'],
    refused: NO_TIMES,
  },
  { member: 'ttl_ms', accepted: [1, 60_000, 86_400_000], refused: [0, -1, 86_400_001, ...NO_INTEGERS] },
  {
    member: 'nonce',
    accepted: ['12345678', 'x'.repeat(256), '\u{1f600}'.repeat(8), '\u{1f600}'.repeat(256), '        '],
    refused: [
      '',
      '1234567',
      'x'.repeat(257),
      '\u{1f600}'.repeat(7),
      '\u{1f600}'.repeat(257),
      '1234567\udc00',
      ...NO_STRINGS,
    ],
  },
  {
    member: 'operation_type',
    accepted: ['note', 'file.write', 'A_b-9.c.d', '-', '_', 'x'.repeat(128), `${'x'.repeat(63)}.${'y'.repeat(64)}`],
    refused: [
      '',
      '.',
      'a.',
      '.a',
      'a..b',
      'a b',
      'a/b',
      'é',
      'a\n',
      'x'.repeat(129),
      `${'x'.repeat(64)}.${'y'.repeat(64)}`,
      ...NO_STRINGS,
    ],
  },
  {
    member: 'subject',
    accepted: ['s', 'x'.repeat(512), '\u{1f600}'.repeat(512), ' ', '\u0000'],
    refused: ['', 'x'.repeat(513), '\u{1f600}'.repeat(513), 'a\ud800', ...NO_STRINGS],
  },
  {
    member: 'action',
    accepted: ['a', 'x'.repeat(128), '\u{1f600}'.repeat(128)],
    refused: ['', 'x'.repeat(129), '\u{1f600}'.repeat(129), ...NO_STRINGS],
  },
  { member: 'payload_hash', accepted: [DIGEST], refused: [...NO_DIGESTS, null] },
  { member: 'prev_chain_hash', accepted: [DIGEST, null], refused: NO_DIGESTS },
  { member: 'agent_pubkey_kid', accepted: ['k1', 'x'.repeat(256)], refused: ['', 'x'.repeat(257), ...NO_STRINGS] },
];

const PAYLOAD: Rule = {
  member: 'payload',
  accepted: [{}, { a: { b: [1, null, 'x'] } }],
  refused: [null, [], [{}], 'text', 1, true],
};
const STANDARD_BASE64 = `${'+/'.repeat(42)}+w`;
const STORED: readonly Rule[] = [
  ...RECORD_RULES,
  PAYLOAD,
  { member: 'signature', accepted: [SIGNATURE], refused: [...NO_SIGNATURES, STANDARD_BASE64, `${STANDARD_BASE64}==`] },
];
const SUBMITTED: readonly Rule[] = [
  ...RECORD_RULES,
  PAYLOAD,
  {
    member: 'signature',
    accepted: [SIGNATURE, STANDARD_BASE64, `${STANDARD_BASE64}==`],
    refused: ['', SIGNATURE.slice(1), `${STANDARD_BASE64}=`, '00'.repeat(64), ...NO_STRINGS],
  },
];
const RECEIPT: readonly Rule[] = [
  { member: 'receipt_id', accepted: ID, refused: NO_IDS },
  { member: 'operation_id', accepted: UUIDS, refused: NO_UUIDS },
  { member: 'org_id', accepted: ID, refused: NO_IDS },
  { member: 'agent_id', accepted: ID, refused: NO_IDS },
  { member: 'seq_no', accepted: [1, Number.MAX_SAFE_INTEGER], refused: [0, -1, ...NO_INTEGERS] },
  { member: 'chain_hash', accepted: [DIGEST], refused: [...NO_DIGESTS, null] },
  { member: 'server_received_at', accepted: ['2026-03-01T09:00:04.137Z'], refused: NO_TIMES },
  { member: 'service_kid', accepted: ID, refused: NO_IDS },
  { member: 'service_signature', accepted: [SIGNATURE], refused: [...NO_SIGNATURES, STANDARD_BASE64] },
];
const EPOCH: readonly Rule[] = [
  { member: 'epoch_id', accepted: ID, refused: NO_IDS },
  { member: 'epoch_no', accepted: [1, 9], refused: [0, -1, ...NO_INTEGERS] },
  { member: 'org_id', accepted: ID, refused: NO_IDS },
  { member: 'start_time', accepted: ['2026-03-01T00:00:00Z'], refused: NO_TIMES },
  { member: 'end_time', accepted: ['2026-03-01T00:00:00Z'], refused: NO_TIMES },
  { member: 'first_seq_no', accepted: [1, 9], refused: [0, -1, ...NO_INTEGERS] },
  { member: 'last_seq_no', accepted: [1, 9], refused: [0, -1, ...NO_INTEGERS] },
  { member: 'leaf_count', accepted: [1, 65_536], refused: [0, -1, ...NO_INTEGERS] },
  { member: 'root_hash', accepted: [DIGEST], refused: [...NO_DIGESTS, null] },
  { member: 'log_root', accepted: [DIGEST], refused: [...NO_DIGESTS, null] },
  { member: 'hash_alg', accepted: ['SHA-256'], refused: ['sha-256', 'SHA256', '', null] },
  { member: 'prev_epoch_hash', accepted: [DIGEST, null], refused: NO_DIGESTS },
  { member: 'admin_head_hash', accepted: [DIGEST, null], refused: NO_DIGESTS },
  { member: 'service_kid', accepted: ID, refused: NO_IDS },
  { member: 'signature_by_service', accepted: [SIGNATURE], refused: NO_SIGNATURES },
];
const ADMIN_EVENT: readonly Rule[] = [
  ...['event_id', 'org_id', 'actor', 'action', 'target_type'].map((member) => ({
    member,
    accepted: ID,
    refused: NO_IDS,
  })),
  { member: 'target_id', accepted: [...ID, 'x'.repeat(2048)], refused: ['', 'x'.repeat(2049), ...NO_STRINGS] },
  { member: 'details', accepted: [{}, { a: [1] }], refused: [null, [], 'x', 1] },
  { member: 'created_at', accepted: [0, 1772352000000], refused: [-1, ...NO_INTEGERS] },
  { member: 'prev_event_hash', accepted: [DIGEST, null], refused: NO_DIGESTS },
  { member: 'event_hash', accepted: [DIGEST], refused: [...NO_DIGESTS, null] },
];
const SERVICE_KEY: readonly Rule[] = [
  { member: 'kid', accepted: ID, refused: NO_IDS },
  { member: 'algorithm', accepted: ['ed25519'], refused: ['Ed25519', 'ed448', '', null] },
  { member: 'public_key', accepted: [KEY], refused: NO_KEYS },
  { member: 'status', accepted: ['active', 'retired'], refused: ['', null, 1] },
  { member: 'created_at', accepted: [0], refused: [-1, ...NO_INTEGERS] },
  { member: 'retired_at', accepted: [0, null], refused: [-1, '1', 1.5] },
  { member: 'prev_kid', accepted: [...ID, null], refused: ['', 1, []] },
  { member: 'self_signature', accepted: [SIGNATURE], refused: NO_SIGNATURES },
  { member: 'prev_signature', accepted: [SIGNATURE, null], refused: ['', SIGNATURE.slice(1), 1] },
];
const AGENT: readonly Rule[] = [
  { member: 'agent_id', accepted: ID, refused: NO_IDS },
  { member: 'org_id', accepted: ID, refused: NO_IDS },
  { member: 'display_name', accepted: ['', 'x'.repeat(512)], refused: ['x'.repeat(513), ...NO_STRINGS] },
  { member: 'responsible_entity', accepted: ['', 'x', null], refused: ['x'.repeat(513), 1, []] },
  { member: 'integration_type', accepted: ID, refused: NO_IDS },
  { member: 'status', accepted: ID, refused: NO_IDS },
  { member: 'created_at', accepted: [0], refused: [-1, ...NO_INTEGERS] },
  { member: 'updated_at', accepted: [0], refused: [-1, ...NO_INTEGERS] },
  { member: 'keys', accepted: [[]], refused: [null, {}, 'x', 1] },
];
const AGENT_KEY: readonly Rule[] = [
  { member: 'kid', accepted: ID, refused: NO_IDS },
  { member: 'agent_id', accepted: ID, refused: NO_IDS },
  { member: 'public_key', accepted: [KEY], refused: NO_KEYS },
  { member: 'algorithm', accepted: ['ed25519'], refused: ['Ed25519', '', null] },
  { member: 'status', accepted: ['active', 'revoked'], refused: ['retired', 'Active', '', null] },
  { member: 'created_at', accepted: [0], refused: [-1, ...NO_INTEGERS] },
  { member: 'retired_at', accepted: [0, null], refused: [-1, '1', 1.5] },
  { member: 'service_kid', accepted: ID, refused: NO_IDS },
  { member: 'attestation', accepted: [SIGNATURE], refused: NO_SIGNATURES },
];
const COUNTS = ['record_count', 'redacted_count'].map((member) => ({
  member,
  accepted: [0, 7],
  refused: [-1, ...NO_INTEGERS],
}));
const DIGESTS = ['records_digest', 'epochs_digest', 'edges_digest', 'admin_events_digest', 'directory_digest'].map(
  (member) => ({
    member,
    accepted: [DIGEST],
    refused: [...NO_DIGESTS, null],
  }),
);
const MANIFEST: readonly Rule[] = [
  { member: 'type', accepted: ['countersign.manifest.v1'], refused: ['countersign.manifest.v2', '', null] },
  { member: 'export_id', accepted: ID, refused: NO_IDS },
  { member: 'org_id', accepted: ID, refused: NO_IDS },
  { member: 'created_at', accepted: ['2026-03-01T00:00:00Z'], refused: NO_TIMES },
  { member: 'filter', accepted: [], refused: [null, [], 'x'] },
  { member: 'first_seq_no', accepted: [1, null], refused: [0, '1', 1.5] },
  { member: 'last_seq_no', accepted: [1, null], refused: [0, '1', 1.5] },
  { member: 'log_head', accepted: [], refused: [null, [], 'x'] },
  {
    member: 'agent_head',
    accepted: [null, { seq_no: 1, chain_hash: DIGEST }],
    refused: [[], 'x'],
  },
  {
    member: 'admin_log',
    accepted: [{ count: 0, head_hash: null }],
    refused: [null, [], 'x'],
  },
  { member: 'service_kid', accepted: ID, refused: NO_IDS },
  ...COUNTS,
  ...DIGESTS,
];
const FILTER: readonly Rule[] = [
  { member: 'start_time', accepted: ['2026-03-01T00:00:00Z'], refused: NO_TIMES },
  { member: 'end_time', accepted: ['2026-03-01T00:00:00Z'], refused: NO_TIMES },
  { member: 'agent_id', accepted: ['a', null], refused: ['', 1, []] },
];
const LOG_HEAD: readonly Rule[] = ['seq_no', 'epoch_no'].map((member) => ({
  member,
  accepted: [0, 9],
  refused: [-1, ...NO_INTEGERS],
}));

const sample = at(bundle.agents, 0);
const { manifest } = bundle;
const shapes: readonly {
  readonly name: string;
  readonly path: string;
  readonly sample: object;
  readonly parse: (value: unknown) => unknown;
  readonly rules: readonly Rule[];
  readonly optional?: readonly string[];
}[] = [
  { name: 'F30 record as submitted', path: 'record', sample: eor, parse: parseSubmittedRecord, rules: SUBMITTED },
  {
    name: 'F30 record in a bundle',
    path: 'eor',
    sample: eor,
    parse: parseStoredRecord,
    rules: STORED,
    optional: ['payload'],
  },
  { name: 'F60 receipt', path: 'ear', sample: ear, parse: parseReceipt, rules: RECEIPT },
  { name: 'F70 epoch', path: 'epoch', sample: at(bundle.epochs, 0), parse: parseEpoch, rules: EPOCH },
  {
    name: 'F96 admin event',
    path: 'admin_event',
    sample: at(bundle.admin_events, 0),
    parse: parseAdminEvent,
    rules: ADMIN_EVENT,
  },
  {
    name: 'F133 service key',
    path: 'service_key',
    sample: at(bundle.service_keys, 0),
    parse: parseServiceKey,
    rules: SERVICE_KEY,
  },
  { name: 'F134 agent', path: 'agent', sample, parse: parseBundleAgent, rules: AGENT },
  {
    name: 'F110 agent key',
    path: 'agent.keys[1]',
    sample: at(sample.keys, 1),
    parse: (key) => parseBundleAgent({ ...sample, keys: [at(sample.keys, 0), key] }),
    rules: AGENT_KEY,
  },
  { name: 'F140 manifest', path: 'manifest', sample: manifest, parse: parseManifest, rules: MANIFEST },
  {
    name: 'F141 filter of a manifest',
    path: 'manifest.filter',
    sample: manifest.filter,
    parse: (filter) => parseManifest({ ...manifest, filter }),
    rules: FILTER,
  },
  {
    name: 'F141 log_head of a manifest',
    path: 'manifest.log_head',
    sample: manifest.log_head,
    parse: (head) => parseManifest({ ...manifest, log_head: head }),
    rules: LOG_HEAD,
  },
  {
    name: 'F141 admin_log of a manifest',
    path: 'manifest.admin_log',
    sample: manifest.admin_log,
    parse: (head) => parseManifest({ ...manifest, admin_log: head }),
    rules: [
      { member: 'count', accepted: [0, 9], refused: [-1, ...NO_INTEGERS] },
      { member: 'head_hash', accepted: [DIGEST, null], refused: NO_DIGESTS },
    ],
  },
];

describe.each(shapes)('protocol $name', ({ path, sample: whole, parse, rules, optional = [] }) => {
  const refusalOf = (value: unknown) => {
    const error = refusal(() => parse(value));
    return error && { code: error.code, member: error.member };
  };

  it('has a rule for every member', () => {
    expect(rules.map(({ member }) => member).sort()).toEqual(Object.keys(whole).sort());
    expect(refusalOf(whole)).toBeUndefined();
  });

  const shown = (rule: Rule) => [rule.member, rule] as const;
  it.each(rules.map(shown))('%s', (member, { accepted, refused }) => {
    for (const value of accepted)
      expect({ value, refusal: refusalOf({ ...whole, [member]: value }) }).toEqual({ value });
    for (const value of [...refused, undefined]) {
      expect({ value, refusal: refusalOf({ ...whole, [member]: value }) }).toEqual({
        value,
        refusal: { code: 'SHAPE_INVALID', member: `${path}.${member}` },
      });
    }
  });

  it.each(Object.keys(whole))('may not lack %s, unless it is optional', (member) => {
    const rest = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== member));
    expect(refusalOf(rest)).toEqual(
      optional.includes(member) ? undefined : { code: 'SHAPE_INVALID', member: `${path}.${member}` },
    );
  });

  it.each(['extra', '', 'constructor', '__proto__', 'toString', 'Kid', 'type '])('has no member named %j', (name) => {
    // As JSON.parse gives it: a member of its own, also where it is called __proto__.
    const value: unknown = JSON.parse(`{${JSON.stringify(whole).slice(1, -1)},${JSON.stringify(name)}:1}`);
    expect(refusalOf(value)).toEqual({ code: 'SHAPE_INVALID', member: `${path}.${name}` });
  });

  it.each([[null], [[]], ['text'], [1], [true], [undefined]])('is an object, not %j', (value) => {
    expect(refusalOf(value)).toEqual({ code: 'SHAPE_INVALID', member: path });
  });
});

describe('protocol F141: the head of an agent in a manifest', () => {
  it.each([
    {},
    { seq_no: 0, chain_hash: DIGEST },
    { seq_no: 1 },
    { seq_no: 1, chain_hash: null },
    { seq_no: 1, chain_hash: DIGEST, extra: 1 },
  ])('is not %j', (head) => {
    expect(refusal(() => parseManifest({ ...manifest, agent_head: head }))?.member).toMatch(/^manifest\.agent_head\./);
  });
});

describe('protocol F30: exactly fifteen members', () => {
  it('in a submitted record, the payload among them', () => {
    expect(Object.keys(eor)).toHaveLength(15);
    const { payload, ...withheld } = eor;
    expect(payload).toBeDefined();
    expect(refusal(() => parseSubmittedRecord(withheld))?.member).toBe('record.payload');
    expect(refusal(() => parseStoredRecord(withheld))).toBeUndefined();
  });
});
