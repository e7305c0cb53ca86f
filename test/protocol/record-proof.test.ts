import { describe, expect, it } from 'vitest';
import {
  CHECKS,
  type FindingCode,
  fromBase64Url,
  isRecordProof,
  type Json,
  makeRecordProof,
  makeTlogProof,
  parseJsonBytes,
  publicKeyOf,
  RECORD_PROOF_TYPE,
  type RecordProof,
  RecordProofError,
  recordProofBytes,
  recordProofOf,
  toBase64Url,
  utf8,
  type VerifyRecordProofOptions,
  verifyRecordProof,
} from '../../src/protocol/index.ts';
import { agentName, makeBundle, only, otherDigest, type Plan, serviceKid } from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { edits } from '../support/edits.ts';
import { remembering } from '../support/hosts.ts';
import { bytesOf, changedAt, proofOf, verifyProof } from '../support/record-proofs.ts';
import { hostCrypto } from '../support/signing.ts';
import { bundleTexts, checkpointVectors, recordProofVectors, serviceKids } from '../support/vectors.ts';
import { chunkedSource, rootCauses, sourceOf } from '../support/verifying.ts';
import clockText from '../vectors/bundle-clock.json?raw';
import disclosedText from '../vectors/bundle-disclosures.json?raw';

const crypto = remembering(hostCrypto);
const options: VerifyRecordProofOptions = { crypto, trustedKids: [serviceKid(0)] };

/** bundle-whole.json as it would be if the payload of record 16 alone were withheld: what a proof takes of it is the same. */
const withheldOnly = bundleTexts['bundle-whole.json'].replace(/^.*"seq_no":16,.*$/m, (line) =>
  line.replace(/"payload":.*?,"payload_hash"/, '"payload_hash"'),
);

/** Two agents in turns, three epochs, a rotation before the last one. */
const LEDGER: Plan = { agents: 2, epochs: [2, 3, 2], rotation: true };
const proof = await proofOf(LEDGER, 1, 4, 5, 7);

async function codesOf(changed: RecordProof | Uint8Array | string, more = options): Promise<readonly FindingCode[]> {
  return rootCauses(await verifyProof(changed, more));
}

function without(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).filter(([member]) => member !== name));
}

/** The proof with one of its records changed. */
function withRecord(index: number, change: (record: RecordProof['records'][number]) => Json | object): Uint8Array {
  const records = proof.records.map((record, n) => (n === index ? change(record) : record));
  return bytesOf({ ...proof, records } as unknown as Json);
}

describe('protocol R1: a proof of records', () => {
  it('verifies for whoever trusts the issuer, over a rotation of the service key', async () => {
    for (const trustedKids of [[serviceKid(0)], [serviceKid(1)]]) {
      const report = await verifyProof(proof, { crypto, trustedKids });
      expect(report.findings).toEqual([]);
      expect(report.verdict).toBe('verified');
      expect(report.issuer.kid).toBe(serviceKid(1));
    }
  });

  it('is incomplete where the reader trusts nobody: anyone can make one', async () => {
    const report = await verifyProof(proof, { crypto });
    expect(report.verdict).toBe('incomplete');
    expect(report.findings.map(({ code }) => code)).toEqual(['ISSUER_NOT_PINNED']);
  });

  it('says what it is, what it does not show, and which checks no proof can pass', async () => {
    const report = await verifyProof(proof, options);
    expect(report.bundle).toMatchObject({ format: RECORD_PROOF_TYPE, records: 4, first_seq_no: 1, last_seq_no: 7 });
    expect(report.summary).toContain('nothing about records before, between or after these');
    const open = CHECKS.filter((name) => report.checks[name].status === 'not_applicable');
    expect(open).toEqual(['completeness', 'admin_log', 'reconciliation']);
    expect(report.damage).toEqual({
      runs: [
        { first_seq_no: 1, last_seq_no: 1, state: 'proven' },
        { first_seq_no: 4, last_seq_no: 5, state: 'proven' },
        { first_seq_no: 7, last_seq_no: 7, state: 'proven' },
      ],
      joined: 0,
    });
  });

  it('holds what its records need and nothing else', async () => {
    const one = await proofOf({ ...LEDGER, agents: 3 }, 4);
    expect(one.agents.map(({ agent_id }) => agent_id)).toEqual([agentName(0)]);
    expect(one.seal.epoch.epoch_no).toBe(2);
    expect(one.service_keys).toHaveLength(2);
    expect(proof.records.map(({ ear }) => ear.seq_no)).toEqual([1, 4, 5, 7]);
  });

  it('names the organization and its agents by their ids alone, for nothing would bind what they are called', async () => {
    expect(Object.keys(proof).sort()).toEqual(['agents', 'org_id', 'records', 'seal', 'service_keys', 'type']);
    for (const agent of proof.agents) expect(Object.keys(agent).sort()).toEqual(['agent_id', 'keys']);
    const report = await verifyProof(proof, options);
    expect(report.bundle).toMatchObject({ org_id: proof.org_id, org_name: null });
    expect(report.summary).toContain('nor what the organization and its agents are called');
    const named = proof.agents.map((agent) => ({ ...agent, display_name: 'Ada Lovelace (CFO)' }));
    expect(await codesOf(bytesOf({ ...proof, agents: named } as unknown as Json))).toContain('MALFORMED');
    const org = { org_id: proof.org_id, name: 'Example Bank' };
    expect(await codesOf(bytesOf({ ...proof, org } as unknown as Json))).toEqual(['MALFORMED']);
  });

  it('is not made over a correction of the clock, which no proof can show, and is on each side of it', async () => {
    const source = sourceOf(clockText);
    const trustedKids = [(JSON.parse(clockText) as { manifest: { service_kid: string } }).manifest.service_kid];
    // The stretch is 4 and 5; the agent of 4 and 6 was registered in it.
    for (const across of [[3, 6], [5, 7], [6], [1, 2, 3, 4, 5, 6, 7]]) {
      await expect(makeRecordProof(source, across)).rejects.toMatchObject({ code: 'CLOCK_CORRECTED' });
    }
    for (const side of [[1, 3], [4, 5], [7]]) {
      const report = await verifyProof(await makeRecordProof(source, side), { crypto, trustedKids });
      expect([report.verdict, report.findings]).toEqual(['verified', []]);
    }
  });

  it('comes to the same bytes from the bundle of the whole ledger, of a range and of one agent', async () => {
    const wanted = [1, 3, 5];
    const made = await Promise.all(
      [LEDGER, { ...LEDGER, range: [1, 6] as const }, { ...LEDGER, onlyAgent: 0 }].map((plan) =>
        proofOf(plan, ...wanted),
      ),
    );
    const [first, ...others] = made.map((one) => recordProofBytes(one));
    for (const other of others) expect(other).toEqual(first);
  });

  it('withholds what its bundle withholds', async () => {
    const withheld = await verifyProof(await proofOf({ ...LEDGER, redacted: [4] }, 3, 4), options);
    expect(withheld.verdict).toBe('verified');
    expect(withheld.withheld.runs).toEqual([{ first_seq_no: 4, last_seq_no: 4, salted: false }]);
    const text = disclosedText;
    const seqNos = (JSON.parse(text) as { records: { ear: { seq_no: number } }[] }).records.map(
      ({ ear }) => ear.seq_no,
    );
    const salted = await makeRecordProof(sourceOf(text), seqNos);
    const keys = salted.service_keys.map(({ kid }) => kid);
    const report = await verifyProof(salted, { crypto, trustedKids: keys });
    expect(report.verdict).toBe('verified');
    expect(report.checks.payloads.counts['salted']).toBeGreaterThan(0);
  });

  it.each(['bundle-whole.json', 'bundle-range.json', 'bundle-agent.json', 'bundle-redacted.json'] as const)(
    'is made of every record of %s',
    async (name) => {
      const records = (JSON.parse(bundleTexts[name]) as { records: { ear: { seq_no: number } }[] }).records;
      const all = await makeRecordProof(
        sourceOf(bundleTexts[name]),
        records.map(({ ear }) => ear.seq_no),
      );
      const report = await verifyProof(all, { crypto, trustedKids: serviceKids });
      expect(report.findings).toEqual([]);
      expect(report.verdict).toBe('verified');
    },
  );

  it('is read in any spelling that a bundle is read in, in pieces of any size', async () => {
    const { type, org_id, records, seal, agents, service_keys } = proof;
    const other = `\n${JSON.stringify({ service_keys, type, agents, seal, records, org_id }, null, 2)}\n`;
    expect((await verifyProof(other, options)).verdict).toBe('verified');
    expect(recordProofOf(parseJsonBytes(utf8(other)))).toEqual(proof);
    expect(await isRecordProof(chunkedSource(recordProofBytes(proof), [1, 7, 1000]))).toBe(true);
  });
});

describe('protocol R7: an altered proof', () => {
  /** What an edit of one value comes to: the innermost rule that its path begins with. Something binds each. */
  const EDITED: readonly (readonly [string, FindingCode])[] = [
    ['org_id', 'RECEIPT_MISMATCH'],
    ['records.*.eor', 'SIGNATURE_INVALID'],
    ['records.*.eor.op_version', 'MALFORMED'],
    ['records.*.eor.operation_id', 'SIGNATURE_INVALID'],
    ['records.*.eor.agent_id', 'KEY_UNKNOWN'],
    ['records.*.eor.agent_pubkey_kid', 'KEY_UNKNOWN'],
    ['records.*.eor.payload', 'PAYLOAD_HASH_MISMATCH'],
    ['records.*.ear', 'RECEIPT_SIGNATURE_INVALID'],
    ['records.*.gap', 'LOG_ROOT_MISMATCH'],
    ['seal', 'MALFORMED'],
    ['seal.epoch', 'EPOCH_SIGNATURE_INVALID'],
    ['seal.epoch.hash_alg', 'MALFORMED'],
    ['seal.rest', 'LOG_ROOT_MISMATCH'],
    ['agents.*.agent_id', 'KEY_ATTESTATION_INVALID'],
    ['agents.*.keys', 'KEY_ATTESTATION_INVALID'],
    ['agents.*.keys.*.algorithm', 'MALFORMED'],
    ['agents.*.keys.*.status', 'MALFORMED'],
    ['service_keys', 'SERVICE_KEY_INVALID'],
    ['service_keys.*.algorithm', 'MALFORMED'],
  ];
  const { type: _, ...parts } = proof;
  const altered = edits(parts as never).filter(
    ({ kind }, index, all) => all.findIndex((other) => other.kind === kind) === index,
  );

  it.each(altered.map((edit) => [edit.path, edit] as const))('is told by %s', async (_, { kind, bundle }) => {
    const [, expected] = EDITED.findLast(([path]) => kind === path || kind.startsWith(`${path}.`)) ?? expect.fail(kind);
    const report = await verifyProof(bytesOf({ ...(bundle as object), type: RECORD_PROOF_TYPE } as never), options);
    expect(report.verdict).toBe('failed');
    expect(report.finding_counts).toHaveProperty(expected);
  });

  it.each<[string, FindingCode, Uint8Array]>([
    ['a record without the gap before it', 'INCLUSION_INVALID', withRecord(1, ({ gap: _, ...record }) => record)],
    ['an empty gap', 'MALFORMED', withRecord(1, (record) => ({ ...record, gap: [] }))],
    [
      'a gap of other hashes',
      'LOG_ROOT_MISMATCH',
      withRecord(1, (record) => ({ ...record, gap: (record.gap ?? []).toReversed() })),
    ],
    [
      'a payload put in',
      'PAYLOAD_HASH_MISMATCH',
      withRecord(0, (record) => ({ ...record, eor: { ...record.eor, payload: { n: 2 } } })),
    ],
    [
      'disclosures of a plain payload',
      'DISCLOSURE_INVALID',
      withRecord(0, (record) => ({ ...record, disclosures: { a: ['c2FsdHNhbHRzYWx0c2FsdA', 1] } })),
    ],
    ['records out of order', 'SEQUENCE_ORDER', bytesOf({ ...proof, records: proof.records.toReversed() })],
    ['a record twice', 'SEQUENCE_DUPLICATE', bytesOf({ ...proof, records: [at(proof.records, 0), ...proof.records] })],
    ['its last record left out', 'EPOCH_GAP', bytesOf({ ...proof, records: proof.records.slice(0, -1) })],
    [
      'a hash put in behind its last record',
      'INCLUSION_INVALID',
      bytesOf({ ...proof, seal: { ...proof.seal, rest: [...proof.seal.rest, otherDigest()] } }),
    ],
    ['an agent left out', 'KEY_UNKNOWN', bytesOf({ ...proof, agents: proof.agents.slice(1) })],
    ['an agent twice', 'MALFORMED', bytesOf({ ...proof, agents: [at(proof.agents, 0), ...proof.agents] })],
    [
      'a service key left out',
      'SERVICE_KEY_INVALID',
      bytesOf({ ...proof, service_keys: proof.service_keys.slice(0, 1) }),
    ],
    ['no record', 'MALFORMED', bytesOf({ ...proof, records: [] })],
    ['another member', 'MALFORMED', bytesOf({ ...proof, comment: '' } as never)],
    ['a member left out', 'MALFORMED', bytesOf(without(proof, 'org_id') as never)],
    ['a member of another type', 'MALFORMED', bytesOf({ ...proof, agents: {} } as never)],
    ['another version', 'UNSUPPORTED_VERSION', bytesOf({ ...proof, type: 'countersign.record-proof.v2' } as never)],
    ['its end cut off', 'MALFORMED', recordProofBytes(proof).slice(0, -1)],
    ['something behind its end', 'MALFORMED', utf8(`${new TextDecoder().decode(recordProofBytes(proof))}{}`)],
  ])('is told by %s', async (_, code, file) => {
    const report = await verifyProof(file, options);
    expect(report.verdict).toBe('failed');
    expect(report.finding_counts).toHaveProperty(code);
  });

  it('may hold no agent or key that its records do not need', async () => {
    const firstAgent = { ...proof, records: proof.records.filter(({ eor }) => eor.agent_id === agentName(0)) };
    expect(await codesOf({ ...firstAgent, agents: proof.agents })).toContain('MALFORMED');
    const [agent, ...others] = proof.agents;
    if (agent === undefined) expect.fail('there is an agent');
    const twoKeys = { ...agent, keys: [...agent.keys, { ...at(agent.keys, 0), kid: 'k2' }] };
    const report = await verifyProof({ ...proof, agents: [twoKeys, ...others] }, options);
    const [unused] = report.findings.filter(({ code }) => code === 'MALFORMED');
    expect(unused?.where).toEqual({ agent_id: agentName(0), kid: 'k2' });
  });
});

describe('protocol R8: what a dishonest service cannot prove', () => {
  it.each<[string, FindingCode, Plan, readonly number[]]>([
    [
      'a record that does not continue the one next to it',
      'CHAIN_BROKEN',
      { record: only(3, (record) => ({ ...record, prev_chain_hash: otherDigest() })) },
      [3, 4],
    ],
    [
      'a first record that continues another',
      'CHAIN_BROKEN',
      { record: only(0, (record) => ({ ...record, prev_chain_hash: otherDigest() })) },
      [1],
    ],
    [
      'a chain that begins twice',
      'CHAIN_FORK',
      { record: only(4, (record) => ({ ...record, prev_chain_hash: null })) },
      [2, 5],
    ],
    [
      'two records behind one',
      'CHAIN_FORK',
      {
        record: (record, index) =>
          index === 2 || index === 4 ? { ...record, prev_chain_hash: otherDigest() } : record,
      },
      [3, 5],
    ],
    [
      'an operation_id twice',
      'OPERATION_ID_REUSED',
      {
        record: only(4, (record) => ({ ...record, operation_id: 'a2f1e0b4-0000-4000-8000-000000000000' })),
        epochs: [4, 4],
      },
      [1, 5],
    ],
    [
      'a record that came after its time',
      'TTL_VIOLATED',
      { record: only(1, (record) => ({ ...record, ttl_ms: 1 })) },
      [2],
    ],
    [
      'an epoch that seals another log',
      'LOG_ROOT_MISMATCH',
      { epoch: only(1, (epoch) => ({ ...epoch, log_root: otherDigest() })) },
      [1, 4],
    ],
    [
      'an epoch without any before it',
      'EPOCH_CHAIN_BROKEN',
      { epoch: only(2, (epoch) => ({ ...epoch, prev_epoch_hash: null })) },
      [1, 7],
    ],
    [
      'a run that begins too early for the epochs before it',
      'EPOCH_GAP',
      { epoch: only(2, (epoch) => ({ ...epoch, epoch_no: 7 })) },
      [1, 7],
    ],
    [
      'an epoch that ended before its record came',
      'TIME_ORDER',
      { epoch: only(0, (epoch) => ({ ...epoch, end_time: epoch.start_time })) },
      [2],
    ],
    [
      'a record received after its key was revoked',
      'KEY_USED_AFTER_REVOCATION',
      { agentKey: only(0, (key) => ({ ...key, status: 'revoked' as const, retired_at: key.created_at + 1 })) },
      [1],
    ],
    [
      'a record received before its key was given',
      'KEY_NOT_YET_VALID',
      { agentKey: only(0, (key) => ({ ...key, created_at: key.created_at * 2 })) },
      [1],
    ],
  ])('shows %s', async (_, code, steps, seqNos) => {
    const twice = code === 'OPERATION_ID_REUSED' ? { ...steps, record: sameId } : steps;
    const made = await proofOf({ epochs: [2, 3, 2], ...twice }, ...seqNos);
    expect(await codesOf(made)).toContain(code);
  });

  const sameId: NonNullable<Plan['record']> = (record, index) =>
    index === 0 || index === 4 ? { ...record, operation_id: 'a2f1e0b4-0000-4000-8000-000000000000' } : record;

  it('does not see that an agent was frozen or deleted, and says so', async () => {
    const made = await proofOf({ ...LEDGER, agent: only(0, (agent) => ({ ...agent, status: 'deleted' })) }, 1);
    const report = await verifyProof(made, options);
    expect(report.verdict).toBe('verified');
    expect(report.summary).toContain('frozen or deleted');
  });

  it('is held against the keys that the reader knows to be an agent’s', async () => {
    const stranger = toBase64Url(publicKeyOf(fromBase64Url('A'.repeat(43), 32)));
    const agentKeys = [`${agentName(0)}=${stranger}`];
    expect(await codesOf(proof, { ...options, agentKeys })).toContain('AGENT_KEY_NOT_TRUSTED');
  });
});

describe('protocol R10: bounds', () => {
  it('takes 1,000 records, and refuses 1,001 in making and in reading', async () => {
    const numbers = Array.from({ length: 1001 }, (_, index) => index + 1);
    await expect(proofOf(LEDGER, ...numbers)).rejects.toMatchObject({ code: 'COUNT_INVALID' });
    const repeated = (count: number): Uint8Array =>
      bytesOf({ ...proof, records: Array.from({ length: count }, () => at(proof.records, 0)) });
    const most = await verifyProof(repeated(1000), options);
    expect(most.bundle.records).toBe(1000);
    const [stopped, ...others] = (await verifyProof(repeated(1001), options)).findings;
    expect(stopped?.message).toContain('at most 1000 records');
    expect(others).toEqual([]);
    expect(() => recordProofOf(parseJsonBytes(repeated(1001)))).toThrow(
      expect.objectContaining({ code: 'SHAPE_INVALID' }),
    );
  });

  it('stops at 64 MiB, however the file continues', async () => {
    let given = 0;
    const blanks = new Uint8Array(4 * 1024 * 1024).fill(0x20);
    const source = function* () {
      yield utf8(`{"type":"${RECORD_PROOF_TYPE}",`);
      for (; given < 64; given++) yield blanks;
    };
    const report = await verifyRecordProof(source, options);
    expect(rootCauses(report)).toEqual(['MALFORMED']);
    expect(given).toBeLessThan(20);
    given = 0;
    const unsaid = function* () {
      yield utf8('{"agents":[');
      for (; given < 64; given++) yield blanks;
    };
    expect(await isRecordProof(unsaid)).toBe(false);
    expect(given).toBeLessThan(20);
  });

  it.each([
    ['a deep value', `{"type":"${RECORD_PROOF_TYPE}","org":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a record of many values', `{"type":"${RECORD_PROOF_TYPE}","records":[[${'1,'.repeat(1_000_000)}1]]}`],
    ['a large agent', `{"type":"${RECORD_PROOF_TYPE}","agents":["${'a'.repeat(2 ** 20)}"]}`],
    [
      'elements of other types',
      `{"type":"${RECORD_PROOF_TYPE}","org":1,"records":[null,1,"a",[],{}],"epochs":[1],"agents":[null],"service_keys":[false]}`,
    ],
  ])('refuses %s', async (_, file) => {
    expect(await codesOf(file)).toContain('MALFORMED');
  });
});

describe('protocol R5: told apart by content', () => {
  it.each<[string, boolean, string]>([
    ['a proof', true, new TextDecoder().decode(recordProofBytes(proof))],
    ['a proof of another version', true, '{"agents":[],"type":"countersign.record-proof.v9"'],
    ['a bundle', false, makeBundle(LEDGER).text],
    ['a bundle with a type behind', false, `{"format":"x","type":"${RECORD_PROOF_TYPE}"}`],
    ['another type', false, '{"type":"countersign.equivocation-proof.v1"}'],
    ['a type that is a list', false, `{"type":["${RECORD_PROOF_TYPE}"]}`],
    ['no JSON', false, 'no JSON'],
    ['nothing', false, ''],
  ])('%s', async (_, is, text) => {
    expect(await isRecordProof(sourceOf(text))).toBe(is);
  });
});

describe('protocol R3: making a proof', () => {
  const { text } = makeBundle(LEDGER);
  const refused = async (file: string, ...seqNos: readonly number[]): Promise<unknown> => {
    const error: unknown = await makeRecordProof(sourceOf(file), seqNos).catch((reason: unknown) => reason);
    return error instanceof RecordProofError ? [error.code, error.message] : error;
  };

  it('names the records that are not there', async () => {
    expect(await refused(text, 3, 9, 8)).toEqual(['NO_SUCH_RECORD', 'the bundle has no readable records 8, 9']);
    expect(await refused(makeBundle({ ...LEDGER, range: [3, 4] }).text, 2)).toMatchObject(['NO_SUCH_RECORD', {}]);
  });

  it('refuses what does not lead to an epoch, lacks a key, or breaks off', async () => {
    const { bundle } = makeBundle(LEDGER);
    const without = (change: object): string => JSON.stringify({ ...bundle, ...change });
    expect(await refused(without({ records: bundle.records.slice(1) }), 2)).toMatchObject(['NOT_PROVABLE', {}]);
    expect(await refused(without({ epochs: [] }), 2)).toMatchObject(['NOT_PROVABLE', {}]);
    expect(await refused(without({ agents: [] }), 2)).toMatchObject(['KEY_MISSING', {}]);
    expect(await refused(without({ org: 1 }), 2)).toMatchObject(['BUNDLE_BROKEN', {}]);
    expect(await refused(text.slice(0, -10), 2)).toMatchObject(['BUNDLE_BROKEN', {}]);
    expect(await refused(text)).toMatchObject(['COUNT_INVALID', {}]);
  });

  it('takes a bundle whose records stand before everything else', async () => {
    const { records, ...others } = makeBundle(LEDGER).bundle;
    const turned = JSON.stringify({ records, ...others });
    expect(await makeRecordProof(sourceOf(turned), [1, 4, 5, 7])).toEqual(proof);
  });
});

describe('protocol R1: test vectors', () => {
  const { files, base, damaged, tlogProof } = recordProofVectors;

  it.each([
    ['proof-one.json', bundleTexts['bundle-whole.json'], [16]],
    ['proof-some.json', withheldOnly, [3, 9, 10, 16, 22, 31]],
    ['proof-disclosures.json', disclosedText, [1, 2, 3, 4, 7]],
  ] as const)('%s is what a bundle of its ledger gives, byte for byte', async (name, bundle, seqNos) => {
    const made = recordProofBytes(await makeRecordProof(sourceOf(bundle), seqNos));
    expect(new TextDecoder().decode(made)).toBe(files[name]);
  });

  it.each(damaged.map((change) => [change.code, change.path.join('.'), change] as const))(
    'name %s where %s is changed',
    async (code, _, change) => {
      const report = await verifyProof(bytesOf(changedAt(JSON.parse(files[base]) as Json, change)), {
        crypto,
        trustedKids: serviceKids,
      });
      expect(report.verdict).toBe('failed');
      expect(report.finding_counts).toHaveProperty(code);
    },
  );

  it('proof-one.tlog-proof is what bundle-whole.json and checkpoint.txt give, byte for byte', async () => {
    const checkpoint = utf8(checkpointVectors.files['checkpoint.txt'] ?? '');
    expect(await makeTlogProof(sourceOf(bundleTexts['bundle-whole.json']), 16, checkpoint)).toBe(tlogProof);
  });
});
