// docs/interface.md, Cases: two cases held against each other, and a case against the live ledger.
import { describe, expect, it } from 'vitest';
import { parseEquivocationProof, utf8, verifyEquivocationProof } from '../../../src/protocol/index.ts';
import { makeBundle, only, serviceKid } from '../../support/bundle-maker.ts';
import { enterWorkstation, importCase } from '../../support/cases.ts';
import { type Client, expectError } from '../../support/client.ts';
import { bundleOf, registerAgent, submitNext, TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const desk = await enterWorkstation(service);
const trusted_kids = [serviceKid(0)];
const made = (plan: Parameters<typeof makeBundle>[0] = {}) => ({
  name: 'bundle',
  bytes: Buffer.from(makeBundle({ agents: 2, epochs: [3, 2], ...plan }).text),
});

async function compared(client: Client, case_id: string, other: object) {
  const { comparison_id } = await client.ok('compareCase', { params: { case_id }, body: { with: other } });
  const done = await until('the comparison', async () => {
    const found = await client.ok('getComparison', { params: { case_id, comparison_id } });
    return found.status !== 'processing' && found;
  });
  return done.result ?? expect.fail(done.failure ?? 'no result');
}

const whole = await importCase(desk, made(), { trusted_kids });
const against = async (plan: Parameters<typeof makeBundle>[0]) => {
  const { case_id } = await importCase(desk, made(plan), { trusted_kids });
  return compared(desk, whole.case_id, { case_id });
};

describe('a case compared with another', () => {
  it('is the same', async () => {
    expect(await against({})).toMatchObject({ relation: 'same', common: 5, differing: 0, findings: [], proof: null });
  });

  it('continues where the other ends', async () => {
    const result = await against({ range: [2, 4] });
    expect(result).toMatchObject({
      relation: 'this_extends',
      same_organization: true,
      this: { records: 5, first_seq_no: 1, last_seq_no: 5 },
      other: { records: 3, first_seq_no: 2, last_seq_no: 4 },
      only_this: [
        { first_seq_no: 1, last_seq_no: 1 },
        { first_seq_no: 5, last_seq_no: 5 },
      ],
      only_other: [],
      findings: [],
    });
  });

  it('ends where the other continues', async () => {
    const { case_id } = await importCase(desk, made({ range: [1, 3] }), { trusted_kids });
    const result = await compared(desk, case_id, { case_id: whole.case_id });
    expect(result).toMatchObject({ relation: 'other_extends', only_other: [{ first_seq_no: 4, last_seq_no: 5 }] });
  });

  it('contradicts it: the proof convinces anybody who trusts the issuer', async () => {
    const result = await against({ record: only(3, (draft) => ({ ...draft, subject: 'another story' })) });
    expect(result).toMatchObject({ relation: 'contradiction', common: 5, first_differing: [4] });
    expect(result.findings[0]).toMatchObject({ code: 'EQUIVOCATION', where: { seq_no: 4 } });
    const proof = parseEquivocationProof(utf8(JSON.stringify(result.proof)));
    expect((await verifyEquivocationProof(proof, { trustedKids: trusted_kids })).verdict).toBe('verified');
  });
});

/** The same bundle with one record changed by hand; hashes, signatures and receipts stay as they were. */
function altered(change: (record: { eor: Record<string, unknown>; ear: Record<string, unknown> }) => void) {
  const bundle = JSON.parse(made().bytes.toString('utf8'));
  change(bundle.records[2]);
  return { name: 'altered', bytes: Buffer.from(JSON.stringify(bundle)) };
}

describe('a case whose file was altered by hand', () => {
  const comparedAltered = async (change: Parameters<typeof altered>[0]) => {
    const { case_id } = await importCase(desk, altered(change), { trusted_kids });
    return compared(desk, case_id, { case_id: whole.case_id });
  };

  it('differs in the payload, though every receipt is the same and the record claims the old hash', async () => {
    const result = await comparedAltered(({ eor }) => {
      eor['payload'] = { ...(eor['payload'] as object), amount: 'altered' };
    });
    expect(result).toMatchObject({ relation: 'same', common: 5, differing: 0, content_differing: 1 });
    const [difference] = result.first_content_differing;
    expect(difference).toMatchObject({ seq_no: 3, parts: ['payload'] });
    expect(difference?.changed).toMatchObject({ in: 'this', members: [{ in: 'payload', actual: '"altered"' }] });
    expect(difference?.this.payload_digest).toMatch(/^sha256:/);
    expect(difference?.this.payload_digest).not.toBe(difference?.other.payload_digest);
  });

  it('differs in a member of the record', async () => {
    const result = await comparedAltered(({ eor }) => {
      eor['subject'] = 'altered';
    });
    expect(result.first_content_differing).toMatchObject([
      { seq_no: 3, parts: ['record'], changed: { in: 'this', members: [{ in: 'record', pointer: '/subject' }] } },
    ]);
  });

  it('differs in the signature of a receipt', async () => {
    const result = await comparedAltered(({ ear }) => {
      ear['service_signature'] = `A${String(ear['service_signature']).slice(1)}`;
    });
    expect(result.first_content_differing).toMatchObject([{ seq_no: 3, parts: ['receipt'], changed: null }]);
  });

  it('is not called different for a payload that only one of the two has, and says how many', async () => {
    const result = await comparedAltered(({ eor }) => {
      delete eor['payload'];
    });
    expect(result).toMatchObject({ content_differing: 0, payloads_uncompared: 1 });
  });

  it('does not differ where its text alone is another', async () => {
    const bundle = JSON.parse(made().bytes.toString('utf8'));
    const file = { name: 'spaced', bytes: Buffer.from(JSON.stringify(bundle, null, 1)) };
    const { case_id } = await importCase(desk, file, { trusted_kids });
    const result = await compared(desk, case_id, { case_id: whole.case_id });
    expect(result).toMatchObject({ relation: 'same', content_differing: 0, payloads_uncompared: 0 });
  });
});

describe('a case compared with the live ledger', async () => {
  const owner = await service.signUp('owner');
  const signer = await registerAgent(owner, 'agent-1');
  for (let n = 0; n < 3; n++) await submitNext(owner, signer);
  const file = { name: 'export', bytes: await bundleOf(owner) };
  const { case_id } = await importCase(owner.client, file, { trusted_kids: [service.kid] });

  it('is a part of it', async () => {
    await submitNext(owner, signer);
    const result = await compared(owner.client, case_id, { live: true });
    expect(result).toMatchObject({
      relation: 'other_extends',
      common: 3,
      differing: 0,
      only_other: [{ first_seq_no: 4, last_seq_no: 4 }],
      findings: [],
    });
    const { data } = await owner.client.ok('listExports');
    expect(data.length).toBe(1);
  });

  it('shows where a payload is not the one that the ledger keeps', async () => {
    const bundle = JSON.parse(file.bytes.toString('utf8'));
    bundle.records[1].eor.payload = { altered: true };
    const bytes = Buffer.from(JSON.stringify(bundle));
    const { case_id: theirs } = await importCase(owner.client, { name: 'altered', bytes });
    const result = await compared(owner.client, theirs, { live: true });
    expect(result).toMatchObject({ differing: 0, content_differing: 1 });
    expect(result.first_content_differing).toMatchObject([{ seq_no: 2, parts: ['payload'] }]);
  });

  it('has nothing to do with another organization', async () => {
    const stranger = await service.signUp('stranger');
    const { case_id: theirs } = await importCase(stranger.client, file);
    const result = await compared(stranger.client, theirs, { live: true });
    expect(result).toMatchObject({ relation: 'unrelated', same_organization: false, common: 0 });
  });

  it('needs an auditor of the organization', async () => {
    const params = { case_id: whole.case_id };
    expectError(await desk.call('compareCase', { params, body: { with: { live: true } } }), 'FORBIDDEN', 'auditor');
    const { client } = service.addMember(owner, 'integration_engineer');
    const body = { with: { live: true } };
    expectError(await client.call('compareCase', { params: { case_id }, body }), 'FORBIDDEN', 'auditor');
  });

  it('is of cases that the caller sees', async () => {
    const body = { with: { case_id: whole.case_id } };
    expectError(await owner.client.call('compareCase', { params: { case_id }, body }), 'NOT_FOUND');
    const params = { case_id, comparison_id: 'none' };
    expectError(await owner.client.call('getComparison', { params }), 'NOT_FOUND');
  });
});
