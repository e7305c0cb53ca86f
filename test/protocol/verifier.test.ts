import { describe, expect, it, vi } from 'vitest';
import {
  type BundleRecord,
  CHECKS,
  describeCounts,
  payloadHash,
  publicKeyOf,
  type Receipt,
  serviceKeySignedBytes,
  thumbprint,
  toBase64Url,
  type VerifyOptions,
} from '../../src/protocol/index.ts';
import {
  derived,
  makeBundle,
  only,
  type Plan,
  START,
  serviceKid,
  serviceSeed,
  sign,
  signReceipt,
  writeBundle,
} from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { remembering, webCrypto } from '../support/hosts.ts';
import { hostCrypto } from '../support/signing.ts';
import {
  type BundleName,
  bundleNames,
  bundleTexts,
  earlierBundleText,
  emptyBundleText,
  keptReceipts,
  serviceKids,
  vectorBundle,
} from '../support/vectors.ts';
import { named, verifyFile } from '../support/verifying.ts';

vi.setConfig({ testTimeout: 60_000 });

const crypto = remembering(hostCrypto);
const jsonLines = (values: readonly object[]): string => values.map((value) => JSON.stringify(value)).join('\n');
const WHOLE: Plan = { agents: 2, epochs: [2, 3, 2], rotation: true };
const trusted: VerifyOptions = { crypto, trustedKids: [serviceKid(0)] };
const linesOf = (receipts: readonly Receipt[]): string => receipts.map((receipt) => JSON.stringify(receipt)).join('\n');

/** What is counted of payloads that are plain. */
function counts(payloads: number, withheld: number) {
  return { payloads, withheld, salted: 0, members: 0, members_withheld: 0 };
}

describe('protocol V133: the verdict on a sound bundle', () => {
  const kids = serviceKids.map((kid, index) => ({ kid, index }));
  const pairs = bundleNames.flatMap((name) => kids.map(({ kid, index }) => [name, index + 1, kid] as const));

  it.each(pairs)('%s is verified with service key %i pinned', async (name, _, kid) => {
    const report = await verifyFile(bundleTexts[name], { crypto, trustedKids: [kid] });
    expect(report.findings).toEqual([]);
    expect(report.verdict).toBe('verified');
    expect(report.issuer.pinned).toBe(true);
    expect(report.issuer.service_keys.map(({ trusted: isTrusted }) => isTrusted)).toEqual([true, true]);
    expect(Object.keys(report.checks)).toEqual([...CHECKS]);
    for (const name of CHECKS) {
      expect(report.checks[name].status).toBe(name === 'reconciliation' ? 'not_applicable' : 'pass');
    }
  });

  it.each(bundleNames)('%s is the same to WebCrypto', async (name) => {
    const options = { trustedKids: serviceKids };
    const native = await verifyFile(bundleTexts[name], { ...options, crypto: webCrypto });
    expect(native).toEqual(await verifyFile(bundleTexts[name], { ...options, crypto }));
  });

  it('is the same without a host', async () => {
    const { text } = makeBundle();
    expect((await verifyFile(text, { trustedKids: [serviceKid(0)] })).verdict).toBe('verified');
  });

  it.each(bundleNames)('%s is incomplete with none pinned', async (name) => {
    const report = await verifyFile(bundleTexts[name], { crypto });
    expect(report.verdict).toBe('incomplete');
    expect(report.checks.issuer.status).toBe('not_checked');
    expect(Object.values(report.checks).filter(({ status }) => status === 'not_checked')).toHaveLength(1);
    expect(report.findings.map(({ code, severity }) => [code, severity])).toEqual([['ISSUER_NOT_PINNED', 'warning']]);
  });

  it.each(bundleNames)('%s is incomplete with another key pinned', async (name) => {
    const report = await verifyFile(bundleTexts[name], { crypto, trustedKids: [serviceKid(0)] });
    expect(report.verdict).toBe('incomplete');
    expect(report.issuer.pinned).toBe(false);
  });

  it.each<readonly [BundleName, object, object]>([
    ['bundle-whole.json', counts(31, 0), { epochs: 5, roots_rebuilt: 5, log_roots: 5 }],
    ['bundle-range.json', counts(13, 0), { epochs: 3, roots_rebuilt: 1, log_roots: 4 }],
    ['bundle-agent.json', counts(11, 0), { epochs: 5, roots_rebuilt: 1, log_roots: 5 }],
    ['bundle-redacted.json', counts(27, 4), { epochs: 5, roots_rebuilt: 5, log_roots: 5 }],
  ])('%s is counted', async (name, payloads, epochs) => {
    const { checks, bundle } = await verifyFile(bundleTexts[name], { crypto, trustedKids: serviceKids });
    const { records, manifest, agents } = vectorBundle(name);
    expect(checks.payloads.counts).toEqual(payloads);
    expect(checks.epochs.counts).toEqual(epochs);
    expect(checks.receipts.counts).toEqual({ receipts: records.length });
    expect(bundle).toEqual({
      format: 'countersign.bundle.v1',
      org_id: manifest.org_id,
      org_name: vectorBundle(name).org.name,
      export_id: manifest.export_id,
      created_at: manifest.created_at,
      filter: manifest.filter,
      first_seq_no: manifest.first_seq_no,
      last_seq_no: manifest.last_seq_no,
      records: records.length,
      redacted: manifest.redacted_count,
      agents: agents.length,
      epochs: vectorBundle(name).epochs.length,
      admin_events: vectorBundle(name).admin_events.length,
    });
  });

  it('names withheld payloads, which do not by themselves make it incomplete', async () => {
    const { verdict, checks } = await verifyFile(makeBundle({ ...WHOLE, redacted: [2] }).text, trusted);
    expect(verdict).toBe('verified');
    expect(checks.payloads).toMatchObject({ status: 'pass', counts: { payloads: 6, withheld: 1 } });
    expect(checks.payloads.reason).not.toBeNull();
    const all = await verifyFile(makeBundle({ epochs: [2], redacted: [1, 2] }).text, trusted);
    expect(all.verdict).toBe('verified');
    expect(all.checks.payloads.status).toBe('not_applicable');
  });

  it('is incomplete with zero records', async () => {
    const report = await verifyFile(emptyBundleText, { crypto, trustedKids: serviceKids });
    expect(report.findings).toEqual([]);
    expect(report.verdict).toBe('incomplete');
    expect(report.checks.completeness.status).toBe('not_checked');
    expect(report.checks.issuer.status).toBe('pass');
    for (const name of ['agent_signatures', 'payloads', 'chains', 'receipts', 'epochs', 'time'] as const) {
      expect(report.checks[name].status).toBe('not_applicable');
    }
  });
});

describe('protocol V140: the summary', () => {
  it('says in plain words which record is not as it was signed, and has the code behind it', async () => {
    const { text } = makeBundle({
      epochs: [4],
      signedRecord: only(3, (record) => ({ ...record, payload: { amount: 2000 } })),
    });
    const { summary } = await verifyFile(text, trusted);
    expect(summary).toMatch(
      /^Record 4 is not as it was signed: its payload differs from the one that its agent signed \(PAYLOAD_HASH_MISMATCH\)\. /,
    );
  });

  it('says what was changed where a file that was given has what was signed', async () => {
    const plan: Plan = { epochs: [4], payload: { amount: 200, lines: [{ to: 'A' }] } };
    const { text, bundle, receipts } = makeBundle(plan);
    const changed = (change: (record: BundleRecord) => BundleRecord) =>
      writeBundle({ ...bundle, records: bundle.records.with(2, change(at(bundle.records, 2))) });
    const [signed, elsewhere] = [named('kept', text), named('elsewhere', makeBundle({ ...plan, agents: 3 }).text)];
    const summaryOf = async (file: string, options: VerifyOptions) =>
      (await verifyFile(file, { ...trusted, ...options })).summary;

    const amount = changed(({ eor, ear }) => ({
      eor: { ...eor, payload: { n: 3, amount: 2000, note: '\u202e', lines: [{ to: 'B' }] } },
      ear,
    }));
    expect(await summaryOf(amount, { against: [elsewhere, signed] })).toMatch(
      /^Record 3 was changed after it was signed: amount is 2000, 200 was signed; note is "\u202e", and was not signed; lines\.0\.to is "B", "A" was signed \(PAYLOAD_HASH_MISMATCH\)\. /,
    );
    // Nobody has what was signed: only what is known is said.
    for (const options of [{}, { against: [elsewhere] }, { receipts: [named('own', jsonLines(receipts))] }]) {
      expect(await summaryOf(amount, options)).toMatch(/^Record 3 is not as it was signed: its payload differs/);
    }

    const payload = { n: 3, amount: 2000, lines: [{ to: 'A' }] };
    const hashed = changed(({ eor, ear }) => ({
      eor: { ...eor, subject: 'bank', payload, payload_hash: payloadHash(payload) },
      ear,
    }));
    const report = await verifyFile(hashed, { ...trusted, against: [signed] });
    expect(report.summary).toMatch(
      /^Record 3 was changed after it was signed: amount is 2000, 200 was signed; subject of the record is "bank", "[^"]+" was signed \(SIGNATURE_INVALID\)\. /,
    );
    expect(report.findings.find(({ changed }) => changed)?.changed?.[0]).toEqual({
      in: 'payload',
      pointer: '/amount',
      actual: '2000',
      expected: '200',
    });
    // The copy is not what the agent signed either, or another than the one that was countersigned.
    const forged = {
      ...bundle,
      records: bundle.records.map(({ eor, ear }) => ({ eor: { ...eor, subject: 'x' }, ear })),
    };
    expect(await summaryOf(hashed, { against: [named('forged', writeBundle(forged))] })).toMatch(
      /^Record 3 is not as its agent signed it/,
    );

    const received = changed(({ eor, ear }) => ({
      eor,
      ear: { ...ear, server_received_at: ear.server_received_at.replace(/\d{3}Z/, '999Z') },
    }));
    expect(await summaryOf(received, { receipts: [named('own', jsonLines(receipts))] })).toMatch(
      /^Record 3 has a receipt that was changed after it was signed: server_received_at of the receipt is ".*999Z", ".*000Z" was signed \(RECEIPT_SIGNATURE_INVALID\)\. /,
    );
  });

  it('says whose clock the times are, whatever the verdict is', async () => {
    const { text } = makeBundle({ epochs: [2] });
    const own = 'Times are those of the service’s own clock';
    for (const [file, options] of [
      [text, trusted],
      [text, { crypto }],
      [text.replace('"file 2"', '"file 9"'), trusted],
    ] as const) {
      expect((await verifyFile(file, options)).summary).toContain(own);
    }
  });
});

describe('protocol V2: whom to trust', () => {
  const stranger = derived('a service of a stranger');
  /** A bundle that is sound in itself, of a service that is not ours, with our keys shown beside its own. */
  const foreign = (serviceKey: Plan['serviceKey']) => makeBundle({ ...WHOLE, ...(serviceKey && { serviceKey }) });

  it.each([
    ['the first key', 0],
    ['the second key', 1],
  ])('%s, and with it the other one of the rotation', async (_, index) => {
    const report = await verifyFile(makeBundle(WHOLE).text, { crypto, trustedKids: [serviceKid(index)] });
    expect(report.verdict).toBe('verified');
  });

  it('a pinned key that is only in the bundle vouches for nothing', async () => {
    const statement = {
      kid: thumbprint(publicKeyOf(stranger)),
      public_key: toBase64Url(publicKeyOf(stranger)),
      created_at: START,
      prev_kid: null,
    };
    const shown = {
      ...statement,
      algorithm: 'ed25519' as const,
      status: 'active' as const,
      retired_at: null,
      self_signature: sign(stranger, serviceKeySignedBytes(statement)),
      prev_signature: null,
    };
    const made = makeBundle({
      ...WHOLE,
      contents: (contents) => ({ ...contents, service_keys: [...contents.service_keys, shown] }),
    });
    const report = await verifyFile(made.text, { crypto, trustedKids: [shown.kid] });
    expect(report.verdict).toBe('incomplete');
    expect(report.issuer.pinned).toBe(false);
    expect((await verifyFile(made.text, trusted)).verdict).toBe('verified');
  });

  it('a key that claims to follow a pinned one, without its signature, is not trusted', async () => {
    const claiming = foreign((key, index) => {
      if (index === 0) return key;
      const statement = { ...key, prev_kid: serviceKid(0) };
      return { ...statement, prev_signature: sign(serviceSeed(1), serviceKeySignedBytes(statement)) };
    });
    expect((await verifyFile(claiming.text, trusted)).verdict).toBe('failed');
  });

  it('a key that the bundle has only half of the rotation of', async () => {
    // The key before is not in the bundle: nothing is wrong with that, but a pin on it says nothing here.
    const later = makeBundle({
      epochs: [2],
      serviceKey: (key) => {
        const statement = { ...key, prev_kid: serviceKid(8) };
        const message = serviceKeySignedBytes(statement);
        return {
          ...statement,
          self_signature: sign(serviceSeed(0), message),
          prev_signature: sign(serviceSeed(8), message),
        };
      },
    });
    expect((await verifyFile(later.text, trusted)).verdict).toBe('verified');
    expect((await verifyFile(later.text, { crypto, trustedKids: [serviceKid(8)] })).verdict).toBe('incomplete');
  });
});

describe('protocol V101: receipts that agents kept', () => {
  const kept = [named('receipts.jsonl', keptReceipts)];

  it.each(bundleNames)('%s holds those that lie within its scope', async (name) => {
    const lines = keptReceipts.trim().split('\n');
    const { records, edges } = vectorBundle(name);
    const shown = [...records, edges.before, edges.after].filter((one) => one !== null);
    const inBundle = new Set(shown.map(({ ear }) => ear.receipt_id));
    const compared = lines.filter((line) => inBundle.has((JSON.parse(line) as Receipt).receipt_id)).length;
    const report = await verifyFile(bundleTexts[name], { crypto, trustedKids: serviceKids, receipts: kept });
    expect(report.verdict).toBe('verified');
    expect(report.checks.reconciliation).toEqual({
      status: 'pass',
      reason: null,
      counts: { compared, out_of_scope: lines.length - compared },
    });
  });

  const made = makeBundle(WHOLE);
  it('may end without a line break, and hold empty lines and spaces', async () => {
    const [first, second] = [at(made.receipts, 0), at(made.receipts, 1)];
    const file = `\n  ${JSON.stringify(first)}  \r\n\n${JSON.stringify(second)}`;
    const report = await verifyFile(made.text, { ...trusted, receipts: [named('kept', file)] });
    expect(report.verdict).toBe('verified');
    expect(report.checks.reconciliation.counts['compared']).toBe(2);
  });

  it.each([
    ['a line that is not JSON', `${linesOf(made.receipts)}\nnot json\n`],
    ['a line that is no receipt', `{"a":1}\n${linesOf(made.receipts)}`],
    ['a byte order mark further on', `${linesOf(made.receipts)}\n\ufeff`],
    ['a line without end', `${linesOf(made.receipts)}\n"${'x'.repeat(70_000)}"`],
    ['a receipt in a line too long for one', `${linesOf(made.receipts.slice(0, 1))}${' '.repeat(70_000)}`],
    ['a receipt that the service did not sign', linesOf([{ ...at(made.receipts, 0), seq_no: 9 }])],
    [
      'a receipt of another organization',
      linesOf([signReceipt({ ...at(made.receipts, 0), org_id: 'org_other', seq_no: 9 })]),
    ],
  ])('prove nothing where they are not what they should be: %s', async (_, file) => {
    const report = await verifyFile(made.text, { ...trusted, receipts: [named('kept', file)] });
    expect(report.verdict).toBe('incomplete');
    expect(report.checks.reconciliation.status).toBe('not_checked');
    for (const { severity, where } of report.findings) expect([severity, where.file]).toEqual(['warning', 'kept']);
  });

  it('leave the question open where none lies within the range', async () => {
    const later = makeBundle({ ...WHOLE, range: [6, 7] });
    const report = await verifyFile(later.text, {
      ...trusted,
      receipts: [named('kept', linesOf(made.receipts.slice(0, 3)))],
    });
    expect(report.checks.reconciliation.status).toBe('not_checked');
    expect(report.verdict).toBe('incomplete');
  });

  it('may stand in several files', async () => {
    const receipts = made.receipts.map((receipt, index) => named(`kept ${index}`, linesOf([receipt])));
    const report = await verifyFile(made.text, { ...trusted, receipts });
    expect(report.checks.reconciliation.counts['compared']).toBe(made.receipts.length);
  });
});

describe('protocol V107: other bundles of the same organization', () => {
  const others = (name: BundleName) =>
    bundleNames.filter((other) => other !== name).map((other) => named(other, bundleTexts[other]));

  it.each(bundleNames)('%s agrees with all the others', async (name) => {
    const report = await verifyFile(bundleTexts[name], { crypto, trustedKids: serviceKids, against: others(name) });
    expect(report.findings).toEqual([]);
    expect(report.verdict).toBe('verified');
    expect(report.checks.reconciliation.status).toBe('pass');
  });

  it('of an earlier moment of the ledger agrees with a later one, in both directions', async () => {
    for (const [one, other] of [
      [bundleTexts['bundle-whole.json'], earlierBundleText],
      [earlierBundleText, bundleTexts['bundle-whole.json']],
    ] as const) {
      const report = await verifyFile(one, { crypto, trustedKids: serviceKids, against: [named('other', other)] });
      expect(report.findings).toEqual([]);
      expect(report.verdict).toBe('verified');
    }
  });

  it('of another organization tell nothing', async () => {
    const against = [named('other', makeBundle(WHOLE).text)];
    const report = await verifyFile(bundleTexts['bundle-whole.json'], { crypto, trustedKids: serviceKids, against });
    expect(report.verdict).toBe('incomplete');
    expect(report.checks.reconciliation.status).toBe('not_checked');
  });

  it('that cannot be read tell nothing', async () => {
    const against = [named('other', bundleTexts['bundle-whole.json'].slice(0, 9000))];
    const report = await verifyFile(bundleTexts['bundle-whole.json'], { crypto, trustedKids: serviceKids, against });
    expect(report.verdict).toBe('incomplete');
    expect(report.findings.map(({ code, severity, where }) => [code, severity, where.file])).toEqual([
      ['MALFORMED', 'warning', 'other'],
    ]);
  });
});

describe('protocol V140: the report', () => {
  it('is the same every time', async () => {
    const text = bundleTexts['bundle-whole.json'].replace('"seq_no":9', '"seq_no":8');
    const reports = await Promise.all([1, 2, 3].map(() => verifyFile(text, { crypto, trustedKids: serviceKids })));
    expect(reports[0]?.verdict).toBe('failed');
    expect(reports[1]).toEqual(reports[0]);
    expect(reports[2]).toEqual(reports[0]);
  });

  it('numbers findings from 1 and says of each what and where', async () => {
    const text = bundleTexts['bundle-whole.json'].replace('"seq_no":9', '"seq_no":8');
    const { findings, finding_counts } = await verifyFile(text, { crypto, trustedKids: serviceKids });
    expect(findings.map(({ id }) => id)).toEqual(findings.map((_, index) => index + 1));
    for (const { message, caused_by } of findings) {
      expect(message).toMatch(/^[A-Z].*\.$/s);
      if (caused_by !== undefined) expect(findings[caused_by - 1]).toBeDefined();
    }
    expect(Object.values(finding_counts).reduce((sum, count) => sum + count, 0)).toBe(findings.length);
  });

  it('says how many there were as everywhere, with commas', () => {
    const counts = { records: 3258, keys: 1, hidden_members: 16_900, links: 0 };
    expect(describeCounts({ status: 'pass', reason: null, counts })).toBe(
      '3,258 records, 1 key, 16,900 hidden members',
    );
  });
});
