// The sample case that comes with the product: what it is said to be, and that one record alone was altered.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';
import { plantForgery } from '../../scripts/support/plant-forgery.ts';
import { nodeCrypto } from '../../src/node/index.ts';
import { parseBundleRecord, utf8, verifyBundle } from '../../src/protocol/index.ts';
import { firstDamagedRecord, shownMembers } from '../../src/renderer/screens/sample/shown-members.ts';

const FOLDER = join(ROOT, 'resources', 'sample');
const MAX_BYTES = 3_000_000;
const packed = readFileSync(join(FOLDER, 'airline-agents.csbundle.gz'));
const about = JSON.parse(readFileSync(join(FOLDER, 'sample.json'), 'utf8'));
const bundle = gunzipSync(packed);
const check = (bytes: Uint8Array) =>
  verifyBundle(() => [bytes], { crypto: nodeCrypto, trustedKids: [about.service_kid] });
const altered = check(bundle);

describe('the sample case', () => {
  it('is small, and has the records that it is said to have', async () => {
    expect(packed.length).toBeLessThanOrEqual(MAX_BYTES);
    const report = await altered;
    expect(report.bundle).toMatchObject({ records: about.records, org_name: 'Sample: airline customer service' });
    expect(about).toMatchObject({ records: 1164, agents: 4 });
  });

  it('fails for one record, and all others stay proven', async () => {
    const { verdict, summary, damage, findings } = await altered;
    expect(verdict).toBe('failed');
    expect(damage.runs.filter(({ state }) => state !== 'proven')).toEqual([
      expect.objectContaining({
        first_seq_no: about.forged_seq_no,
        last_seq_no: about.forged_seq_no,
        state: 'damaged',
      }),
    ]);
    expect(summary).toMatch(/^Record 997 is not as it was signed: .* \(DISCLOSURE_INVALID\)\./);
    expect(findings[0]).toMatchObject({ code: 'DISCLOSURE_INVALID', where: { seq_no: about.forged_seq_no } });
  });

  it('shows which members were altered, and that what they said before was signed', async () => {
    const record = await firstDamagedRecord(new Blob([bundle]), await altered);
    if (record === null) throw new Error('no record was found');
    expect(shownMembers(record, about.originals)).toMatchObject([
      { name: 'arguments', isSigned: false, original: { value: { amount: 200 }, isSigned: true } },
      { name: 'result', isSigned: false, original: { isSigned: true } },
      { name: 'session', isSigned: true, original: null },
      { name: 'step', isSigned: true, original: null },
    ]);
    expect(shownMembers(record, { result: 'another text' })[1]).toMatchObject({ original: { isSigned: false } });
  });

  it('is verified once what was altered is put back, and forged by the same alteration', async () => {
    const lines = bundle.toString('utf8').split('\n');
    const at = lines.findIndex((line) => line.includes(`"seq_no":${about.forged_seq_no},`));
    const line = (lines[at] ?? '')
      .replace('"amount":20,', '"amount":200,')
      .replace('with amount 20.', 'with amount 200.');
    lines[at] = line;
    const sound = utf8(lines.join('\n'));
    expect((await check(sound)).verdict).toBe('verified');
    const forgery = { tool: 'send_certificate', user: 'mei_brown_7075', from: 200, to: 20 };
    const planted = plantForgery(sound, forgery);
    expect(planted).toMatchObject({ seqNo: about.forged_seq_no, originals: about.originals });
    expect(Buffer.from(planted.bundle).equals(bundle)).toBe(true);
    expect(parseBundleRecord(utf8(line.replace(/,$/, ''))).ear.seq_no).toBe(about.forged_seq_no);
    expect(() => plantForgery(sound, { ...forgery, user: 'nobody' })).toThrow('0 records');
  });
});
