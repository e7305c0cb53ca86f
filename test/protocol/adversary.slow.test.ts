// What somebody who holds the service key could do unnoticed, and what an earlier form of the protocol took for verified.
import { describe, expect, it } from 'vitest';
import {
  type Disclosures,
  disclosureDigest,
  formatTime,
  payloadHash,
  publicKeyOf,
  toBase64Url,
} from '../../src/protocol/index.ts';
import { ALONE, BY_RETIRED, made, TOGETHER } from '../support/adversary-cases.ts';
import { agentSeed, later, type Made, makeBundle, only, START, serviceKid } from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { WHOLE } from '../support/dishonest.ts';
import { named, verifyFile } from '../support/verifying.ts';

const HOUR = 3_600_000;

const verdictOf = async (made: Made, against?: Made, trustedKids = [serviceKid(0)]): Promise<string> => {
  const others = against === undefined ? {} : { against: [named('other', against.text)] };
  return (await verifyFile(made.text, { trustedKids, ...others })).verdict;
};

describe('what the holder of the service key can no longer do', () => {
  it.each(ALONE)('%s: %s', async (_, __, plan) => {
    expect(await verdictOf(makeBundle(plan))).toBe('failed');
  });

  it.each(TOGETHER)('%s: %s, next to the other file', async (_, __, plan, against) => {
    expect(await verdictOf(makeBundle(plan), makeBundle(against))).toBe('failed');
  });

  it('A23b: a retired key that signs on does not speak for its successor', async () => {
    expect(await verdictOf(makeBundle(BY_RETIRED), undefined, [serviceKid(1)])).toBe('failed');
  });

  it('C1, C2: a kept receipt beyond the stated head is named, and a time that the reader knows leaves it open', async () => {
    const cut = makeBundle({ ...WHOLE, epochs: [2, 3], rotation: false, manifest: made(formatTime(START + 5600)) });
    const kept = makeBundle({ ...WHOLE, rotation: false })
      .receipts.map((receipt) => JSON.stringify(receipt))
      .join('\n');
    const options = { trustedKids: [serviceKid(0)], receipts: [named('kept', kept)] };
    const report = await verifyFile(cut.text, options);
    expect(report.verdict).toBe('verified');
    expect(report.checks.reconciliation.reason).toContain('2 signed receipts beyond the head');
    const known = await verifyFile(cut.text, { ...options, madeNotBefore: START + HOUR });
    expect(known.verdict).toBe('incomplete');
    expect(known.findings.map(({ code }) => code)).toEqual(['MADE_EARLIER']);
  });

  it('C2c: a bundle said to be older than the records in it', async () => {
    const backdated = makeBundle({
      ...WHOLE,
      epochs: [2, 3],
      rotation: false,
      manifest: made('2020-01-01T00:00:00.000Z'),
    });
    expect(await verdictOf(backdated)).toBe('failed');
  });

  it('C4: one key for two agents is named', async () => {
    const shared = makeBundle({
      ...WHOLE,
      agentKey: only(1, (key) => ({ ...key, public_key: toBase64Url(publicKeyOf(agentSeed(0))) })),
      signedRecord: (record) => record,
    });
    const { findings } = await verifyFile(shared.text, { trustedKids: [serviceKid(0)] });
    expect(findings.map(({ code, severity }) => `${code} ${severity}`)).toContain('KEY_SHARED warning');
  });

  it('C5: one salt for two members is named, and one digest', async () => {
    const salt = 'A'.repeat(22);
    const of = async (disclosures: readonly Disclosures[]) => {
      const payloads = disclosures.map((shown) => ({
        _sd: Object.fromEntries(Object.entries(shown).map(([name, one]) => [name, disclosureDigest(one)])),
      }));
      const { text } = makeBundle({
        ...WHOLE,
        record: (record, index) => {
          const payload = payloads[index];
          return payload === undefined ? record : { ...record, payload, payload_hash: payloadHash(payload) };
        },
        contents: (contents) => ({
          ...contents,
          records: contents.records.map((record, index) => ({
            ...record,
            ...(disclosures[index] === undefined ? {} : { disclosures: disclosures[index] }),
          })),
        }),
      });
      const { verdict, findings } = await verifyFile(text, { trustedKids: [serviceKid(0)] });
      return [verdict, ...findings.map(({ code, severity, where }) => `${code} ${severity} ${where.seq_no}`)];
    };
    expect(await of([{ a: [salt, 1] }, { a: [`${salt.slice(1)}Q`, 1] }])).toEqual(['verified']);
    expect(await of([{ a: [salt, 1], b: [salt, 2] }])).toEqual(['verified', 'SALT_REUSED warning 1']);
    expect(await of([{ a: [salt, 1] }, { other: [salt, 2] }])).toEqual(['verified', 'SALT_REUSED warning 2']);
  });

  it('a key that the reader named for an agent is the only one that counts', async () => {
    const { text } = makeBundle(WHOLE);
    const own = toBase64Url(publicKeyOf(agentSeed(0)));
    const options = { trustedKids: [serviceKid(0)] };
    expect((await verifyFile(text, { ...options, agentKeys: [`agent-1=${own}`] })).verdict).toBe('verified');
    const other = await verifyFile(text, { ...options, agentKeys: [`agent-2=${own}`] });
    expect(other.verdict).toBe('failed');
    expect(Object.keys(other.finding_counts)).toEqual(['AGENT_KEY_NOT_TRUSTED']);
  });

  it('names a file that has nothing to compare', async () => {
    const far = makeBundle({ ...WHOLE, serviceOffset: 5, orgId: 'org_other' });
    const report = await verifyFile(makeBundle(WHOLE).text, {
      trustedKids: [serviceKid(0)],
      against: [named('other', far.text)],
    });
    expect(report.verdict).toBe('incomplete');
    expect(Object.keys(report.finding_counts)).toContain('NOT_COMPARED');
  });

  it('takes two files of one name for two', async () => {
    const { text, receipts } = makeBundle(WHOLE);
    const [first, ...others] = receipts.map((receipt) => JSON.stringify(receipt));
    const later = makeBundle({ ...WHOLE, range: [6, 7] }).text;
    const trustedKids = [serviceKid(0)];
    const kept = [named('kept', others.join('\n')), named('kept', first ?? '')];
    const { verdict, findings } = await verifyFile(later, { trustedKids, receipts: kept });
    expect([verdict, findings.map(({ code, where }) => [code, where.file])]).toEqual([
      'incomplete',
      [['NOT_COMPARED', 'kept (2)']],
    ]);
    // A bundle with a record that one of two others lacks, whatever the other has.
    const shorter = makeBundle({
      ...WHOLE,
      contents: (held) => ({ ...held, records: held.records.filter(({ ear }) => ear.seq_no !== 2) }),
    }).text;
    const against = [named('other', text), named('other', shorter)];
    expect((await verifyFile(text, { trustedKids, against })).finding_counts).toHaveProperty('RECORD_OMITTED');
  });

  it('leaves an honest record received at the moment of a freeze alone', async () => {
    const frozen = makeBundle({
      ...WHOLE,
      agent: only(1, (agent) => ({ ...agent, status: 'frozen', updated_at: START + 6000 })),
    });
    expect(at(frozen.receipts, 5).server_received_at).toBe(later(formatTime(START), 6000));
    expect(await verdictOf(frozen)).toBe('verified');
  });
});
