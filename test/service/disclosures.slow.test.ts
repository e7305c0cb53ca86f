import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Disclosure,
  type Disclosures,
  disclosureDigest,
  type JsonObject,
  parseReceipt,
} from '../../src/protocol/index.ts';
import { expectError } from '../support/client.ts';
import {
  type Account,
  ALWAYS,
  bundleOf,
  eventsOf,
  exportOf,
  registerAgent,
  submitNext,
  TestService,
  verifyWith,
} from '../support/service.ts';
import type { Signer } from '../support/signer.ts';
import { until } from '../support/until.ts';

interface BundledRecord {
  readonly eor: { readonly payload?: JsonObject };
  readonly ear: { readonly seq_no: number };
  readonly disclosures?: Disclosures;
}
interface ParsedBundle {
  readonly records: readonly BundledRecord[];
  readonly manifest: { readonly redacted_count: number; readonly disclosures_digest?: string };
}

const service = await TestService.start({ epochMaxLeaves: 4 });
const SALT = 'A'.repeat(22);
const saltOf = ({ disclosures }: ReturnType<Signer['nextSalted']>): string => disclosures['a']?.[0] ?? '';
const parse = (bytes: Uint8Array): ParsedBundle => JSON.parse(Buffer.from(bytes).toString('utf8')) as ParsedBundle;

/** The names of the members that a record of a bundle shows. */
function namesIn({ disclosures = {} }: BundledRecord): string[] {
  return Object.keys(disclosures).sort();
}

async function submitSalted({ client }: Account, signer: Signer, payload: JsonObject) {
  return client.ok('submitOperation', { body: signer.nextSalted(payload) });
}

async function verifiedLedger({ client }: Account): Promise<unknown> {
  await client.ok('verifyLedger');
  return until('the verification', async () => {
    const now = await client.ok('ledgerVerification');
    return now.status === 'running' ? undefined : now;
  });
}

describe('a salted payload', () => {
  it('is kept with its disclosures, given back, verified and exported with all of them', async () => {
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    const body = signer.nextSalted({ profile: 'notes/1', who: 'Zoë', total: 12.5 });
    const { operation_id } = await owner.client.ok('submitOperation', { body });
    const params = { operation_id };
    const stored = await owner.client.ok('getOperation', { params });
    expect(stored.eor.payload).toEqual({ profile: 'notes/1', _sd: body.payload['_sd'] });
    expect(stored.disclosures).toEqual(body.disclosures);
    expect(await owner.client.ok('verifyOperation', { params })).toMatchObject({ valid: true });
    const bytes = await bundleOf(owner);
    const [record] = parse(bytes).records;
    expect(record?.disclosures).toEqual(body.disclosures);
    const report = await verifyWith(service.kid, bytes);
    expect(report).toMatchObject({ verdict: 'verified', bundle: { redacted: 0 }, withheld: { runs: [], joined: 0 } });
    expect(report.checks.payloads.counts).toEqual({
      payloads: 1,
      withheld: 0,
      salted: 0,
      members: 2,
      members_withheld: 0,
    });
    expect(await verifiedLedger(owner)).toMatchObject({ status: 'completed', valid: true });
  });

  it('may hold members that the service is never shown', async () => {
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    const body = signer.nextSalted({ shown: 1, kept: 'to the agent alone' });
    const { shown } = body.disclosures;
    const disclosures = { shown };
    await owner.client.ok('submitOperation', { body: { ...body, disclosures } });
    const { disclosures: _, ...bare } = signer.nextSalted({ none: 1 });
    await owner.client.ok('submitOperation', { body: bare });
    const report = await verifyWith(service.kid, await bundleOf(owner));
    expect(report.verdict).toBe('verified');
    expect(report.withheld).toEqual({ runs: [{ first_seq_no: 1, last_seq_no: 2, salted: true }], joined: 0 });
    expect(report.checks.payloads).toMatchObject({ reason: null, counts: { withheld: 2, members_withheld: 2 } });
  });

  it('is taken in a batch and in a body that is large as in any other', async () => {
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    const records = Array.from({ length: 40 }, (_, n) => signer.nextSalted({ n, text: 'x'.repeat(20_000) }));
    const { results } = await owner.client.ok('submitBatch', { body: { records } });
    expect(results.map(({ status }) => status)).toEqual(records.map(() => 201));
    const large = signer.nextSalted({ text: 'y'.repeat(250_000) });
    const receipt = await owner.client.ok('submitOperation', { body: large });
    expect(parseReceipt(receipt).seq_no).toBe(41);
    const bytes = await bundleOf(owner);
    expect(parse(bytes).records.flatMap(namesIn)).toHaveLength(81);
    expect(await verifyWith(service.kid, bytes)).toMatchObject({ verdict: 'verified', bundle: { redacted: 0 } });
  });

  it('keeps the disclosures of the first time where the record is sent again', async () => {
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    const body = signer.nextSalted({ a: 1, b: 2 });
    const { a } = body.disclosures;
    const receipt = await owner.client.ok('submitOperation', { body: { ...body, disclosures: { a } } });
    const again = await owner.client.call('submitOperation', { body });
    expect([again.status, again.body]).toEqual([200, receipt]);
    const { disclosures } = await owner.client.ok('getOperation', { params: { operation_id: receipt.operation_id } });
    expect(disclosures).toEqual({ a });
  });

  it.each<[string, string, (body: ReturnType<Signer['nextSalted']>) => object]>([
    ['that are a list', 'disclosures', (body) => ({ ...body, disclosures: [body.disclosures['a']] })],
    ['that are none', 'disclosures', (body) => ({ ...body, disclosures: {} })],
    ['with too short a salt', 'disclosures["a"]', (body) => ({ ...body, disclosures: { a: ['AAAA', 1] } })],
    ['with a name in it', 'disclosures["a"]', (body) => ({ ...body, disclosures: { a: [SALT, 'a', 1] } })],
    ['with a changed value', 'disclosures', (body) => ({ ...body, disclosures: { a: [saltOf(body), 7] } })],
    [
      'with one under another name',
      'disclosures',
      (body) => ({ ...body, disclosures: { ...body.disclosures, b: [saltOf(body), 1] } }),
    ],
    ['beside a member that a record does not have', 'record.other', (body) => ({ ...body, other: 1 })],
  ])('is refused with disclosures %s, and nothing is kept', async (_, member, change) => {
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    const body = signer.nextSalted({ a: 1 });
    expectError(await owner.client.call('submitOperation', { body: change(body) }), 'VALIDATION_ERROR', member);
    const { results } = await owner.client.ok('submitBatch', { body: { records: [change(body)] } });
    expect(results).toMatchObject([{ status: 400, error: { code: 'VALIDATION_ERROR' } }]);
    expect(await owner.client.ok('submitOperation', { body })).toMatchObject({ seq_no: 1 });
  });

  it.each([10, 1_000_000])('has no second value of a member to be shown: %d', async (amount) => {
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    const values: Disclosure[] = [
      [SALT, 10],
      [SALT, 1_000_000],
    ];
    const digests = values.map((one) => disclosureDigest(one));
    for (const _sd of [digests.toSorted(), { amount: digests }]) {
      const body = { ...signer.record({ payload: { _sd } }), disclosures: { amount: [SALT, amount] } };
      expectError(await owner.client.call('submitOperation', { body }), 'VALIDATION_ERROR', 'disclosures');
    }
    const { signature: _, ...unsigned } = signer.record({ payload: { _sd: { amount: digests[0] ?? '' } } });
    const twice = JSON.stringify(unsigned).replace('"_sd":{', `"_sd":{"amount":"${digests[1]}",`);
    const answer = await fetch(`${service.url}/v1/operations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.client.token}` },
      body: twice,
    });
    expect(await answer.json()).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  });

  it('is refused where payload and disclosures together are larger than a payload may be', async () => {
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    const body = signer.nextSalted({ text: 'x'.repeat(262_144 - 60) });
    expectError(await owner.client.call('submitOperation', { body }), 'PAYLOAD_TOO_LARGE', 'payload and disclosures');
  });

  it('does not go with a plain payload', async () => {
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    const { disclosures } = signer.nextSalted({ a: 1 });
    signer.head = null;
    const body = { ...signer.next({ payload: { a: 1 } }), disclosures };
    expectError(await owner.client.call('submitOperation', { body }), 'VALIDATION_ERROR', 'disclosures');
  });
});

describe('an export', () => {
  it('withholds single members, and all of them where the agent or type is withheld, and says that they are salted', async () => {
    const owner = await service.signUp();
    const [one, two] = [await registerAgent(owner, 'one'), await registerAgent(owner, 'two')];
    await submitSalted(owner, one, { customer: { email: 'a@example.org' }, total: 1 });
    await submitSalted(owner, one, { customer: { name: 'A' }, total: 2 });
    await submitSalted(owner, two, { total: 3 });
    await submitNext(owner, two, { payload: { customer: { email: 'b@example.org' } } });
    const redact = { pointers: ['/customer/email'], agent_ids: [] as string[] };
    const some = parse(await bundleOf(owner, { ...ALWAYS, redact }));
    expect(some.records.map(namesIn)).toEqual([['total'], ['customer', 'total'], ['total'], []]);
    expect(some.manifest.redacted_count).toBe(2);
    const bytes = await bundleOf(owner, { ...ALWAYS, redact: { ...redact, agent_ids: ['two'] } });
    const report = await verifyWith(service.kid, bytes);
    expect(report.verdict).toBe('verified');
    expect(report.withheld.runs).toEqual([
      { first_seq_no: 1, last_seq_no: 1, salted: true },
      { first_seq_no: 3, last_seq_no: 3, salted: true },
      { first_seq_no: 4, last_seq_no: 4, salted: false },
    ]);
    expect(report.checks.payloads).toMatchObject({
      status: 'pass',
      reason: 'Nothing shows that 1 withheld payload was salted: a short payload can be found from its hash by trial.',
      counts: { payloads: 3, withheld: 3, salted: 2, members: 3, members_withheld: 2 },
    });
    expect(bytes.includes('a@example.org') || bytes.includes('b@example.org')).toBe(false);
  });

  it('cannot be thinned out by whoever passes it on', async () => {
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    await submitSalted(owner, signer, { a: 1, b: 2 });
    const whole = (await bundleOf(owner)).toString('utf8');
    const { disclosures } = parse(Buffer.from(whole)).records[0] as { disclosures: Disclosures };
    const { a: _, ...rest } = disclosures;
    const thinned = Buffer.from(whole.replace(JSON.stringify(disclosures), JSON.stringify(rest)));
    const report = await verifyWith(service.kid, thinned);
    expect(report.verdict).toBe('failed');
    expect(report.findings.map(({ where }) => where.member)).toEqual([
      'manifest.redacted_count',
      'manifest.disclosures_digest',
    ]);
  });
});

describe('POST /v1/operations/:operation_id/erase with members', () => {
  it('erases those members alone, with the exports that hold them', async () => {
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    const secret = 'a sentence that has to go';
    const { operation_id } = await submitSalted(owner, signer, { secret, left: 1, more: 2 });
    const before = await owner.client.ok('getOperation', { params: { operation_id } });
    const gone = before.disclosures?.['secret'] as Disclosure;
    const exported = await exportOf(owner);
    const report = await exportOf(owner, { ...ALWAYS, format: 'pdf' });
    const earlier = await exportOf(owner, { startTime: '2000-01-01T00:00:00Z', endTime: '2001-01-01T00:00:00Z' });
    const params = { operation_id };
    const body = { reason: 'asked for by the person', members: ['secret'] };
    expect(await owner.client.ok('eraseOperation', { params, body })).toEqual({
      operation_id,
      seq_no: 1,
      erased: true,
    });
    const { disclosures } = await owner.client.ok('getOperation', { params });
    expect(Object.keys(disclosures ?? {})).toEqual(['left', 'more']);
    expect(await owner.client.ok('verifyOperation', { params })).toMatchObject({ valid: true });
    for (const export_id of [exported, report]) {
      expectError(await owner.client.call('getExport', { params: { export_id } }), 'NOT_FOUND');
    }
    await owner.client.ok('getExport', { params: { export_id: earlier } });
    const [event] = await eventsOf(owner, 'operation.erase');
    expect(event?.details).toMatchObject({ reason: body.reason, seq_no: 1, members: ['secret'] });
    expect(await verifyWith(service.kid, await bundleOf(owner))).toMatchObject({ verdict: 'verified' });
    expect(await verifiedLedger(owner)).toMatchObject({ status: 'completed', valid: true });
    for (const name of ['ledger.sqlite', 'ledger.sqlite-wal']) {
      const file = readFileSync(join(service.dataDir, name));
      for (const value of [secret, gone[0]]) expect(file.includes(value)).toBe(false);
    }
    expectError(await owner.client.call('eraseOperation', { params, body }), 'CONFLICT', 'secret');
  });

  it('erases all members where none is named, and leaves the salted digests', async () => {
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    const { operation_id } = await submitSalted(owner, signer, { a: 1, b: 2 });
    const params = { operation_id };
    await owner.client.ok('eraseOperation', { params, body: { reason: 'all' } });
    expect(await owner.client.ok('getOperation', { params })).toMatchObject({ disclosures: {} });
    const report = await verifyWith(service.kid, await bundleOf(owner));
    expect(report).toMatchObject({ verdict: 'verified', bundle: { redacted: 1 } });
    expect(report.withheld.runs).toEqual([{ first_seq_no: 1, last_seq_no: 1, salted: true }]);
    expectError(await owner.client.call('eraseOperation', { params, body: { reason: 'again' } }), 'CONFLICT');
  });

  it('is refused for members of a plain payload, for unknown ones and for none, and erases nothing', async () => {
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    const plain = await submitNext(owner, signer, { payload: { a: 1 } });
    const { operation_id } = await submitSalted(owner, signer, { a: 1, b: 2 });
    const erase = (id: string, members: string[]) =>
      owner.client.call('eraseOperation', { params: { operation_id: id }, body: { reason: 'x', members } });
    expectError(await erase(plain.operation_id, ['a']), 'VALIDATION_ERROR', 'members');
    expectError(await erase(operation_id, ['a', 'c']), 'CONFLICT', '"c"');
    expectError(await erase(operation_id, []), 'VALIDATION_ERROR', 'members');
    const { disclosures } = await owner.client.ok('getOperation', { params: { operation_id } });
    expect(Object.keys(disclosures ?? {})).toEqual(['a', 'b']);
  });

  it('is the only change that the database takes to disclosures', () => {
    for (const sql of [
      "UPDATE disclosures SET text = text || ' '",
      "UPDATE disclosures SET text = replace(text, 'a', 'b') WHERE disclosures_no = 1",
      'UPDATE disclosures SET disclosures_no = disclosures_no + 1000',
      'DELETE FROM disclosures',
    ]) {
      expect(() => service.sql.exec(sql)).toThrow('erased where they stand');
    }
  });
});
