import { describe, expect, it } from 'vitest';
import { type DamageMap, MAX_DAMAGE_RUNS } from '../../src/protocol/index.ts';
import { drawDamageMap } from '../../src/protocol/verify/damage-map.ts';
import {
  makeBundle,
  only,
  otherDigest,
  otherSignature,
  serviceKid,
  signReceipt,
  uuid,
} from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import {
  honest,
  ONE_AGENT,
  RANGE,
  textOf,
  WHOLE,
  withContents,
  withRecord,
  withRecords,
} from '../support/dishonest.ts';
import { remembering } from '../support/hosts.ts';
import { hostCrypto } from '../support/signing.ts';
import { named, verifyFile } from '../support/verifying.ts';

const options = { crypto: remembering(hostCrypto), trustedKids: [serviceKid(0)] };

/** A map in short: `1-2 proven, 3 damaged`. */
function short({ runs }: DamageMap): string {
  return runs
    .map(
      ({ first_seq_no: first, last_seq_no: last, state }) => `${first === last ? first : `${first}-${last}`} ${state}`,
    )
    .join(', ');
}

async function mapOf(text: string): Promise<string> {
  return short((await verifyFile(text, options)).damage);
}

describe('protocol V144: the damage map', () => {
  it.each([
    ['the whole bundle', WHOLE, '1-7 proven'],
    ['a range, which cuts two epochs', RANGE, '2-6 proven'],
    ['one agent', ONE_AGENT, '2-6 proven'],
    ['payloads withheld', { ...WHOLE, redacted: [2, 5] }, '1-7 proven'],
  ])('is one run where nothing is wrong: %s', async (_, plan, expected) => {
    expect(await mapOf(makeBundle(plan).text)).toBe(expected);
  });

  it('does not hang on trust: whose word it is, the issuer check says', async () => {
    expect(short((await verifyFile(honest.text, { crypto: options.crypto })).damage)).toBe('1-7 proven');
  });

  // Epochs: 1-2, 3-5, 6-7. Agents take turns; the second service key signs the last epoch.
  it.each<[string, string, string]>([
    [
      'a payload altered',
      textOf({
        code: 'MALFORMED',
        what: '',
        made: withRecord(3, ({ eor, ear }) => ({ eor: { ...eor, payload: {} }, ear })),
      }),
      '1-3 proven, 4 damaged, 5-7 proven',
    ],
    [
      'a receipt altered: its epoch no longer gives its root',
      makeBundle(withRecord(3, ({ eor, ear }) => ({ eor, ear: { ...ear, receipt_id: 'x' } }))).text,
      '1-2 proven, 3 unproven, 4 damaged, 5 unproven, 6-7 proven',
    ],
    [
      'a record removed',
      makeBundle(withRecords((records) => records.toSpliced(3, 1))).text,
      '1-2 proven, 3 unproven, 4 missing, 5 unproven, 6-7 proven',
    ],
    [
      'the first and the last record removed from the file',
      makeBundle({ ...WHOLE, bundle: (bundle) => ({ ...bundle, records: bundle.records.slice(1, 6) }) }).text,
      '1 missing, 2 unproven, 3-5 proven, 6 unproven, 7 missing',
    ],
    [
      'the first records left out by the service, whose epoch tells that the range holds them',
      makeBundle(withRecords((records) => records.slice(1))).text,
      '1 missing, 2 unproven, 3-7 proven',
    ],
    [
      'an epoch forged: the root of the newest one covers its records',
      makeBundle({ ...WHOLE, signedEpoch: only(1, (epoch) => ({ ...epoch, signature_by_service: otherSignature() })) })
        .text,
      '1-7 proven',
    ],
    [
      'an epoch left out: the root of the newest one covers its records',
      makeBundle(withContents(({ epochs }) => ({ epochs: epochs.toSpliced(2, 1) }))).text,
      '1-7 proven',
    ],
    [
      'the rotation forged',
      makeBundle({ ...WHOLE, serviceKey: only(1, (key) => ({ ...key, prev_signature: otherSignature() })) }).text,
      '1-5 proven, 6-7 unproven',
    ],
    [
      "an agent's key forged: its records rest on it",
      makeBundle({ ...WHOLE, attestedKey: only(1, (key) => ({ ...key, attestation: otherSignature() })) }).text,
      '1 proven, 2 unproven, 3 proven, 4 unproven, 5 proven, 6 unproven, 7 proven',
    ],
    [
      'a chain broken',
      makeBundle({ ...WHOLE, record: only(4, (record) => ({ ...record, prev_chain_hash: otherDigest() })) }).text,
      '1-4 proven, 5 damaged, 6-7 proven',
    ],
    [
      'a number far beyond what the manifest states',
      makeBundle(withRecord(2, ({ eor, ear }) => ({ eor, ear: { ...ear, seq_no: Number.MAX_SAFE_INTEGER - 1 } }))).text,
      `1-2 proven, 3 missing, 4-5 unproven, 6-7 proven, ${Number.MAX_SAFE_INTEGER - 1} damaged`,
    ],
    [
      "another hash before a record of one agent's: nothing behind it leads to a signed root",
      makeBundle(withRecord(1, (record) => ({ ...record, gap: [otherDigest()] }), { ...ONE_AGENT, epochs: [3, 2, 2] }))
        .text,
      '2-6 unproven',
    ],
    [
      'another rest of the log: what an epoch of the bundle seals is proven',
      makeBundle(
        withContents(({ edges }) => ({ edges: { ...edges, rest: edges.rest.map(() => otherDigest()) } }), {
          ...WHOLE,
          epochs: [2, 3, 3],
          range: [2, 6],
        }),
      ).text,
      '2-5 proven, 6 unproven',
    ],
    [
      'the manifest forged: records stand by themselves',
      honest.text.replace(/"manifest_signature":"[^"]*"/, `"manifest_signature":"${otherSignature()}"`),
      '1-7 proven',
    ],
    [
      'the file cut off after the second epoch',
      honest.text.slice(0, honest.text.indexOf('"subject":"file 7"')),
      '1-5 proven, 6 unproven',
    ],
  ])('%s', async (_, text, expected) => {
    expect(await mapOf(text)).toBe(expected);
  });

  it('names a record as missing that a kept receipt proves', async () => {
    const operation_id = uuid('hidden');
    const hidden = signReceipt({ ...at(honest.receipts, 3), seq_no: 9, receipt_id: 'hidden', operation_id });
    const report = await verifyFile(honest.text, { ...options, receipts: [named('kept', JSON.stringify(hidden))] });
    expect(short(report.damage)).toBe('1-7 proven, 9 missing');
  });
});

describe('protocol V144: how the map is drawn', () => {
  const run = (first: number, last: number, state: 'proven' | 'damaged' | 'unproven' | 'missing' | 'absent') => ({
    first_seq_no: first,
    last_seq_no: last,
    state,
  });

  it('puts what is worse over what is better, in whatever order it comes', () => {
    const known = [
      run(1, 9, 'proven'),
      run(3, 5, 'unproven'),
      run(4, 4, 'damaged'),
      run(4, 6, 'missing'),
      run(8, 8, 'absent'),
    ];
    const expected = '1-2 proven, 3 unproven, 4 damaged, 5-6 missing, 7 proven, 9 proven';
    for (const order of [known, known.toReversed(), [...known.slice(2), ...known.slice(0, 2)]]) {
      expect(short(drawDamageMap(order, false))).toBe(expected);
    }
  });

  it('joins neighbours of one state, and across gaps only where nothing is missing in them', () => {
    const known = [run(1, 2, 'proven'), run(3, 3, 'proven'), run(6, 7, 'proven')];
    expect(short(drawDamageMap(known, false))).toBe('1-3 proven, 6-7 proven');
    expect(short(drawDamageMap(known, true))).toBe('1-7 proven');
  });

  it('has a bound, beyond which one run stands for the rest in the gravest of their states', () => {
    const known = Array.from({ length: MAX_DAMAGE_RUNS + 5 }, (_, n) =>
      run(n + 1, n + 1, n % 2 === 0 ? 'proven' : 'unproven'),
    );
    const map = drawDamageMap([...known, run(MAX_DAMAGE_RUNS + 6, MAX_DAMAGE_RUNS + 6, 'missing')], false);
    expect(map.runs).toHaveLength(MAX_DAMAGE_RUNS);
    expect(map.joined).toBe(6);
    expect(map.runs.at(-1)).toEqual(run(MAX_DAMAGE_RUNS, MAX_DAMAGE_RUNS + 6, 'missing'));
  });
});
