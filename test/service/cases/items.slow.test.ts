// docs/case-room.md, Many items in one case: each with its digest and its own verdict, held apart from all others.
import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { openAnnotations } from '../../../src/service/cases/annotations-file.ts';
import {
  forgetJudgements,
  insertItem,
  type Judged,
  judgementRound,
  keepJudgement,
  listItems,
} from '../../../src/service/cases/items/items-table.ts';
import { serviceKid } from '../../support/bundle-maker.ts';
import {
  AHEAD,
  BEYOND,
  BUNDLE,
  BY_A_STRANGER,
  CHECKPOINT,
  GZIP,
  ISSUER,
  OTHER_AHEAD,
  OTHER_ROOT,
  OTHER_ROOT_WITHIN,
  PROOF_AHEAD,
  proofOf,
  RECEIPTS,
  reportBy,
  SVG,
} from '../../support/case-evidence.ts';
import { addItem, itemsOf, saveCase } from '../../support/case-items.ts';
import { importCase, settled, uploadOf } from '../../support/cases.ts';
import { type Client, expectError } from '../../support/client.ts';
import { run } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { whileJobsWait } from '../../support/held-jobs.ts';
import { makeSweep, signCertificate } from '../../support/retention-certificates.ts';
import { signInAt, TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const report = await reportBy('Ada', [{ seq_no: 3 }, { seq_no: 1, comment: 'Look at the time.' }]);
const proof = await proofOf(2, 5);

const changed = (bytes: Uint8Array, from: string, to: string) =>
  Buffer.from(Buffer.from(bytes).toString('latin1').replace(from, to), 'latin1');
const turned = Buffer.concat([GZIP.subarray(0, 400), Buffer.from([1]), GZIP.subarray(401)]);
const bomb = gzipSync(changed(BUNDLE, '"records":[', `"records":[${' '.repeat(70 * 1024 * 1024)}`), { level: 9 });

const EVIDENCE = [
  ['a bundle', 'bundle', BUNDLE],
  ['a compressed bundle', 'bundle-gzip', GZIP],
  ['a report of chosen records', 'record-report', report],
  ['a proof of records', 'record-proof', proof],
  ['receipts that an agent kept', 'receipts', RECEIPTS],
  ['a checkpoint of the log', 'checkpoint', CHECKPOINT],
  ['a checkpoint without its last line end', 'checkpoint', CHECKPOINT.subarray(0, CHECKPOINT.length - 1)],
] as const;

const DAMAGED = [
  ['a changed record', changed(BUNDLE, '"amount":12', '"amount":13'), 'EVIDENCE_FAILED'],
  ['a compressed bundle without its end', GZIP.subarray(0, GZIP.length - 200), 'FILE_CUT_OFF'],
  ['a compressed bundle with a turned byte', turned, 'FILE_DAMAGED'],
  ['a small file that unpacks to more than it may', bomb, 'FILE_TOO_LARGE'],
  ['a report with another page around its data', changed(report, '</body>', '<p>x</p></body>'), 'PAGES_DIFFER'],
  ['a report whose data end too early', report.subarray(0, 2000), 'FILE_DAMAGED'],
  ['a changed comment of a report', changed(report, 'Look at the time.', 'Look at the name.'), 'EVIDENCE_FAILED'],
  ['a checkpoint without its last character', CHECKPOINT.subarray(0, CHECKPOINT.length - 2), 'FILE_DAMAGED'],
  ['a checkpoint without its signature', CHECKPOINT.subarray(0, CHECKPOINT.indexOf('\u2014')), 'FILE_DAMAGED'],
  ['a checkpoint that is too long', Buffer.concat([CHECKPOINT, Buffer.alloc(131_072, 'a')]), 'FILE_DAMAGED'],
] as const;

/** Checkpoints whose root is not confirmed, with the findings of `countersign verify --checkpoint`. */
const UNCONFIRMED = [
  ['another root at the end of an epoch', OTHER_ROOT, 'failed', ['EQUIVOCATION']],
  ['another root within an epoch', OTHER_ROOT_WITHIN, 'failed', ['CONTRADICTION']],
  ['a size beyond the bundle', BEYOND, 'incomplete', ['NOT_COMPARED']],
  ['a signature of another key', BY_A_STRANGER, 'incomplete', ['RECEIPT_SIGNATURE_INVALID', 'NOT_COMPARED']],
] as const;

const ATTACHMENTS = [
  ['a picture with a script', SVG],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['another PDF', Buffer.from('%PDF-1.7\n%%EOF\n')],
  ['JSON that is no bundle', Buffer.from('{"a":1}')],
  ['nothing', Buffer.alloc(0)],
] as const;

/** What an owner's cases may take, in bytes: room for all that the owner of these tests adds. */
const QUOTA = 3_400_000;
const service = await TestService.start({ quotaCaseBytes: QUOTA });
const owner = await service.signUp();
const { client } = owner;
const trusting = { trusted_kids: [ISSUER] };
const begun = async (by: Client = client, given: object = trusting) =>
  (await importCase(by, { name: 'first.csbundle', bytes: BUNDLE }, given)).case_id;
const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
/** The title that the metadata of a PDF give it. */
const titleOf = (pdf: Buffer) => /<dc:title>.*?>([^<>]+)<\/rdf:li>/su.exec(pdf.toString('latin1'))?.[1];
/** A case with files of these names, each judged. */
async function caseWith(files: readonly (readonly [string, Uint8Array])[], given: object = trusting) {
  const case_id = await begun(client, given);
  for (const [name, bytes] of files) await addItem(client, case_id, { name, bytes });
  const items = await itemsOf(client, case_id);
  return { case_id, items, named: (name: string) => items.find((item) => item.name === name) ?? expect.fail(name) };
}

describe('an item of a case', async () => {
  const evidence = EVIDENCE.map(([name, , bytes]) => [name, bytes] as const);
  const others = [...DAMAGED, ...UNCONFIRMED].map(([name, bytes]) => [name, bytes] as const);
  const full = await caseWith([...evidence, ...others, ...ATTACHMENTS]);
  const params = ({ item_no }: { item_no: number }) => ({ case_id: full.case_id, item_no: String(item_no) });

  it('is the file itself where there is no other', async () => {
    const [first, ...others] = await itemsOf(client, await begun());
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      item_no: 1,
      name: 'first.csbundle',
      kind: 'bundle',
      bytes: BUNDLE.length,
      sha256: digestOf(BUNDLE),
      added_by: owner.email,
      verdict: 'verified',
      code: null,
      stated: null,
    });
  });

  it.each(EVIDENCE)('is verified by itself: %s', async (name, kind, bytes) => {
    const item = full.named(name);
    expect(item).toMatchObject({
      kind,
      verdict: 'verified',
      code: null,
      added_by: owner.email,
      sha256: digestOf(bytes),
    });
    const judgement = await client.ok('itemJudgement', { params: params(item) });
    expect(judgement).toMatchObject({ type: 'countersign.item-judgement.v1', kind, verdict: 'verified' });
    expect(item.judgement_sha256).toBe(digestOf(Buffer.from(JSON.stringify(judgement))));
  });

  it('is incomplete as long as nobody confirmed its issuer', async () => {
    const { items } = await caseWith(evidence, {});
    expect(items.map(({ verdict, code }) => [verdict, code])).toEqual(
      items.map(() => ['incomplete', 'EVIDENCE_INCOMPLETE']),
    );
  });

  it.each(UNCONFIRMED)(
    'is a checkpoint of which is said what the command says: %s',
    async (name, bytes, verdict, codes) => {
      const item = full.named(name);
      const code = verdict === 'failed' ? 'CONTRADICTS_BUNDLE' : 'EVIDENCE_INCOMPLETE';
      expect(item).toMatchObject({ kind: 'checkpoint', verdict, code });
      const folder = temporaryFolder();
      const [bundle, checkpoint] = [join(folder, 'first.csbundle'), join(folder, 'checkpoint.txt')];
      writeFileSync(bundle, BUNDLE);
      writeFileSync(checkpoint, bytes);
      const told = await run('verify', bundle, '--trust', ISSUER, '--checkpoint', checkpoint, '--json');
      const report = JSON.parse(told.stdout) as {
        readonly verdict: string;
        readonly findings: readonly { readonly code: string; readonly message: string }[];
      };
      const judgement = (await client.ok('itemJudgement', { params: params(item) })) as {
        readonly detail: { readonly findings: typeof report.findings };
      };
      const said = (findings: typeof report.findings) => findings.map((one) => [one.code, one.message]);
      expect([report.verdict, report.findings.map((one) => one.code)]).toEqual([verdict, codes]);
      expect(said(judgement.detail.findings)).toEqual(said(report.findings));
    },
  );

  it.each(DAMAGED)('says that it is damaged, by its name: %s', (name, _, code) => {
    const item = full.named(name);
    expect(item).toMatchObject({ verdict: 'failed', code });
    if (code !== 'EVIDENCE_FAILED') expect(item.summary).toContain(name);
  });

  it('is at best incomplete where its pages cannot be made again: the file itself chose that it says so', async () => {
    const altered = changed(
      changed(report, '</body>', '<p>The branch is guilty.</p></body>'),
      `content="Countersign ${packageJson.version}"`,
      'content="Countersign 99.0.0"',
    );
    const { items } = await caseWith([['altered.html', altered]]);
    expect(items[1]).toMatchObject({ verdict: 'incomplete', code: 'PAGES_NOT_COMPARED' });
    expect(items[1]?.summary).toContain('another version made it');
  });

  it('is a checkpoint that a consistency proof of the same case ties to the bundle, whichever came first', async () => {
    const { case_id, named } = await caseWith([['kept.txt', AHEAD]]);
    expect(named('kept.txt').verdict).toBe('incomplete');
    const { item_no } = await addItem(client, case_id, { name: 'proof.txt', bytes: PROOF_AHEAD });
    const verdicts = async () => (await itemsOf(client, case_id)).slice(1).map(({ name, verdict }) => [name, verdict]);
    expect(await verdicts()).toEqual([
      ['kept.txt', 'verified'],
      ['proof.txt', 'verified'],
    ]);
    const path = join(temporaryFolder(), 'tied.cscase');
    writeFileSync(path, await saveCase(client, case_id, null));
    const { stdout } = await run('case', path, '--no-trust-store', '--json', '--trust', ISSUER);
    const { items } = JSON.parse(stdout) as { readonly items: readonly { readonly verdict: string }[] };
    expect(items.map(({ verdict }) => verdict)).toEqual(['verified', 'verified', 'verified']);
    await client.ok('removeItem', { params: { case_id, item_no: String(item_no) } });
    expect(await verdicts()).toEqual([['kept.txt', 'incomplete']]);
  });

  it('is a checkpoint that contradicts another one of the case, though the bundle ends before both', async () => {
    const { named } = await caseWith([
      ['kept.txt', AHEAD],
      ['other.txt', OTHER_AHEAD],
      ['proof.txt', PROOF_AHEAD],
    ]);
    expect(named('other.txt')).toMatchObject({ verdict: 'failed', code: 'CONTRADICTS_BUNDLE' });
  });

  it('keeps no verdict of a round before it was to be verified again', () => {
    const sqlite = openAnnotations(join(temporaryFolder(), 'annotations.sqlite'));
    const item = { item_no: 2, name: 'a', bytes: 1, sha256: digestOf(GZIP), stored_as: 'a' };
    insertItem(sqlite, { ...item, added_at: 0, added_by: null, stated: null });
    const judged: Judged = {
      kind: 'bundle',
      verdict: 'verified',
      code: null,
      summary: '',
      verified_at: 0,
      verified_with: [ISSUER],
      judgement_sha256: null,
      reproduced: null,
      signed_by: null,
    };
    const round = judgementRound(sqlite);
    forgetJudgements(sqlite);
    keepJudgement(sqlite, 2, judged, round);
    expect(listItems(sqlite)[0]?.verdict).toBeNull();
    keepJudgement(sqlite, 2, judged, judgementRound(sqlite));
    expect(listItems(sqlite)[0]?.verdict).toBe('verified');
    sqlite.close();
  });

  it('shares the list of keys that it was verified with', () => {
    const sqlite = openAnnotations(join(temporaryFolder(), 'annotations.sqlite'));
    const given = { name: 'a', bytes: 1, sha256: digestOf(GZIP), added_at: 0, added_by: null };
    const stated = { verdict: null, judgement_sha256: null, verified_with: ['b'], reproduced: null };
    for (const item_no of [2, 3, 4]) insertItem(sqlite, { ...given, item_no, stored_as: `${item_no}`, stated });
    const judged: Omit<Judged, 'verified_with'> = {
      kind: 'bundle',
      verdict: 'verified',
      code: null,
      summary: '',
      verified_at: 0,
      judgement_sha256: null,
      reproduced: true,
      signed_by: null,
    };
    const judge = (item_no: number, verified_with: string[]) =>
      keepJudgement(sqlite, item_no, { ...judged, verified_with }, judgementRound(sqlite));
    for (const item_no of [2, 3, 4]) judge(item_no, ['a', 'b']);
    const lists = () => sqlite.prepare('SELECT kids FROM trust_lists ORDER BY list_no').pluck().all();
    expect(lists()).toEqual(['["b"]', '["a","b"]']);
    for (const item_no of [2, 3, 4]) judge(item_no, ['c']);
    forgetJudgements(sqlite);
    expect(lists()).toEqual(['["b"]', '["c"]']);
    expect(listItems(sqlite).map((item) => [item.verified_with, item.stated?.verified_with])).toEqual([
      [['c'], ['b']],
      [['c'], ['b']],
      [['c'], ['b']],
    ]);
    sqlite.close();
  });

  it.each(ATTACHMENTS)(
    'is not verified where it holds no evidence, and is only ever saved: %s',
    async (name, bytes) => {
      const item = full.named(name);
      expect(item).toMatchObject({ verdict: 'not_verified', code: 'ATTACHMENT', summary: 'not verified: attachment' });
      const answer = await client.call('itemFile', { params: params(item) });
      expect(answer.bytes.equals(Buffer.from(bytes))).toBe(true);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'x-content-type-options': 'nosniff',
        'content-disposition': expect.stringMatching(/^attachment/),
      });
    },
  );

  it('says so where its stored bytes are others, after the next verification', async () => {
    const { case_id } = await caseWith([['letter.txt', Buffer.from('Dear Ada')]]);
    const folder = join(service.dataDir, 'cases', case_id, 'items');
    const stored = readdirSync(folder).find((name) => !name.endsWith('.json')) ?? '';
    writeFileSync(join(folder, stored), 'Dear Eve');
    await client.ok('verifyCase', { params: { case_id }, body: {} });
    await settled(client, case_id);
    expect((await itemsOf(client, case_id))[1]).toMatchObject({ verdict: 'failed', code: 'BYTES_CHANGED' });
  });
});

describe('a case whose item contradicts its file', () => {
  const verdictOf = (case_id: string, verdict: string) =>
    until('the verdict', async () => {
      const found = await client.ok('getCase', { params: { case_id } });
      return found.verdict === verdict && found;
    });

  it('is not verified, says which item it is, and is again what it was once the item is gone', async () => {
    const { case_id, items } = await caseWith([
      ['agrees', CHECKPOINT],
      ['contradicts', OTHER_ROOT],
    ]);
    expect(items.map(({ code }) => code)).toEqual([null, null, 'CONTRADICTS_BUNDLE']);
    const failed = { verdict: 'failed', verdict_code: 'ITEM_CONTRADICTS', contradicting_items: [3] };
    const found = await verdictOf(case_id, 'failed');
    expect(found).toMatchObject({ ...failed, report: { verdict: 'verified' } });
    const { body } = await client.call('caseReportJson', { params: { case_id } });
    expect(body).toMatchObject({ ...failed, verification: { report: { verdict: 'verified' } } });
    const pdf = await client.call('caseReportPdf', { params: { case_id } });
    expect(titleOf(pdf.bytes)).toMatch(/: failed$/);
    // What its first page says of the items is attached to it: its pages can be made again.
    const again = await importCase(client, { name: 'report.pdf', bytes: pdf.bytes }, trusting);
    expect(again).toMatchObject({ verdict: 'verified', pages: { status: 'match' } });
    await client.ok('removeItem', { params: { case_id, item_no: '3' } });
    expect(await verdictOf(case_id, 'verified')).toMatchObject({ verdict_code: null, contradicting_items: [] });
  });

  it('is told by the draft of a certificate with each item’s digest and verdict, as by the manifest of its file', async () => {
    const CUT = GZIP.subarray(0, GZIP.length - 200);
    const { case_id } = await caseWith([
      ['agrees', CHECKPOINT],
      ['contradicts', OTHER_ROOT],
      ['cut.gz', CUT],
    ]);
    const draft = async () => (await client.call('caseCertificate', { params: { case_id } })).bytes.toString();
    const text = await draft();
    const row = /<tr><td>(\d)<\/td>.*?<td class="code">(sha256:\w+)<\/td><td>.*?<\/td>\s*<td>(.*?)<br>/gs;
    const rows = [...text.matchAll(row)];
    const found = ['verified', 'verified', 'FAILED (CONTRADICTS_BUNDLE)', 'FAILED (FILE_CUT_OFF)'];
    expect(rows.map(([, no, sha256, verdict]) => [no, sha256, verdict])).toEqual(
      [BUNDLE, CHECKPOINT, OTHER_ROOT, CUT].map((bytes, index) => [
        String(index + 1),
        digestOf(Buffer.from(bytes)),
        found[index],
      ]),
    );
    expect(text).toContain('The case as a whole: <strong>FAILED (ITEM_CONTRADICTS)</strong>');
    expect(text).toContain('contradicted by: item 3. Items that failed: 3, 4.');
    const { manifest } = await client.ok('draftCase', { params: { case_id } });
    expect(JSON.parse(manifest)).toMatchObject({
      items: [
        { item_no: 1, sha256: digestOf(BUNDLE), verdict: 'verified', code: null },
        { item_no: 2, sha256: digestOf(CHECKPOINT), verdict: 'verified', code: null },
        { item_no: 3, sha256: digestOf(OTHER_ROOT), verdict: 'failed', code: 'CONTRADICTS_BUNDLE' },
        { item_no: 4, verdict: 'failed', code: 'FILE_CUT_OFF' },
      ],
    });
    await client.ok('removeItem', { params: { case_id, item_no: '3' } });
    await verdictOf(case_id, 'verified');
    expect(await draft()).toContain('The case as a whole: <strong>verified</strong>');
  });

  it('has no verdict before its items are verified, in no answer', async () => {
    const { case_id } = await caseWith([['agrees', CHECKPOINT]]);
    // The checkpoint that was there is held against the one that comes, too.
    const unchecked = { verdict: null, verdict_code: 'ITEMS_UNCHECKED', unchecked_items: 2 };
    await whileJobsWait(service, client, BUNDLE, async () => {
      await addItem(client, case_id, { name: 'contradicts', bytes: OTHER_ROOT });
      expect(await client.ok('getCase', { params: { case_id } })).toMatchObject({ ...unchecked, checking_items: true });
      const { data } = await client.ok('listCases', { query: { limit: '200' } });
      expect(data.find((one) => one.case_id === case_id)).toMatchObject(unchecked);
      expect((await client.call('caseReportJson', { params: { case_id } })).body).toMatchObject(unchecked);
      expect(titleOf((await client.call('caseReportPdf', { params: { case_id } })).bytes)).toMatch(/: no verdict yet$/);
    });
    const found = await verdictOf(case_id, 'failed');
    expect(found).toMatchObject({ verdict_code: 'ITEM_CONTRADICTS', checking_items: false, unchecked_items: 0 });
    // What is known to contradict is not forgotten while it is looked at again.
    await whileJobsWait(service, client, BUNDLE, async () => {
      const again = await client.ok('verifyCase', { params: { case_id }, body: {} });
      expect(again).toMatchObject({ verdict: 'failed', contradicting_items: [3], unchecked_items: 2 });
    });
    await verdictOf(case_id, 'failed');
  });

  it('is what its file is where an item is damaged or another bundle fails', async () => {
    const { case_id } = await caseWith([
      ['damaged', CHECKPOINT.subarray(0, CHECKPOINT.length - 1)],
      ['fails', changed(BUNDLE, '"amount":12', '"amount":13')],
    ]);
    expect(await verdictOf(case_id, 'verified')).toMatchObject({ contradicting_items: [] });
  });
});

describe('the items of a case', () => {
  it('are numbered once and for all, and each coming and going is in the custody log', async () => {
    const case_id = await begun();
    const params = { case_id };
    await addItem(client, case_id, { name: 'a', bytes: Buffer.from('a') });
    await addItem(client, case_id, { name: 'b', bytes: Buffer.from('b') });
    await itemsOf(client, case_id);
    await client.ok('removeItem', { params: { ...params, item_no: '3' } });
    await addItem(client, case_id, { name: 'c', bytes: Buffer.from('c') });
    expect((await itemsOf(client, case_id)).map(({ item_no, name }) => [item_no, name])).toEqual([
      [1, 'first.csbundle'],
      [2, 'a'],
      [4, 'c'],
    ]);
    const { data } = await client.ok('custody', { params });
    expect(data.map(({ entry }) => [entry?.action, entry?.details['item_no']])).toEqual([
      ['item.add', 4],
      ['item.remove', 3],
      ['item.add', 3],
      ['item.add', 2],
    ]);
    expectError(await client.call('removeItem', { params: { ...params, item_no: '1' } }), 'VALIDATION_ERROR');
    expectError(await client.call('removeItem', { params: { ...params, item_no: '3' } }), 'NOT_FOUND');
    expectError(await client.call('itemFile', { params: { ...params, item_no: '../1' } }), 'NOT_FOUND');
  });

  it('count for the bytes that an owner may have, and go with the case', async () => {
    const case_id = await begun();
    const { upload_id } = await uploadOf(client, { name: 'large', bytes: Buffer.alloc(2_999_000) });
    const full = await client.call('addItem', { params: { case_id }, body: { upload_id } });
    expectError(full, 'QUOTA_EXCEEDED');
    await client.ok('deleteCase', { params: { case_id } });
    expect(readdirSync(join(service.dataDir, 'cases'))).not.toContain(case_id);
  });

  it('are read by a readonly role and changed by none', async () => {
    const case_id = await begun();
    const reader = service.addMember(owner, 'readonly_investigator').client;
    expect((await reader.ok('listItems', { params: { case_id } })).items).toHaveLength(1);
    for (const [name, params] of [
      ['addItem', { case_id }],
      ['signCustody', { case_id }],
      ['draftCase', { case_id }],
      ['saveCase', { case_id }],
      ['openCase', {}],
    ] as const) {
      expectError(await reader.call(name, { params, body: {} }), 'FORBIDDEN');
    }
    expectError(await reader.call('removeItem', { params: { case_id, item_no: '2' } }), 'FORBIDDEN');
    const stranger = (await service.signUpGuest()).client;
    expectError(await stranger.call('listItems', { params: { case_id } }), 'NOT_FOUND');
  });

  it('that are two reports are held against each other', async () => {
    const case_id = await begun();
    const other = await reportBy('Bob', [{ seq_no: 1, comment: 'Ask the branch.' }, { seq_no: 3 }, { seq_no: 4 }]);
    await addItem(client, case_id, { name: 'ada.html', bytes: report });
    await addItem(client, case_id, { name: 'bob.html', bytes: other });
    await itemsOf(client, case_id);
    const compared = await client.ok('compareItems', { params: { case_id }, body: { item_no: 2, with: 3 } });
    expect(compared).toMatchObject({
      this: { item_no: 2, examiner: 'Ada', verdict: 'verified', signature: 'valid' },
      other: { item_no: 3, examiner: 'Bob', verdict: 'verified', signature: 'valid' },
      same_organization: true,
      same_verdict: true,
      same_records: false,
      same_order: false,
      only_this: [],
      only_other: [4],
      records_differ: [],
      comments_differ: [{ seq_no: 1, this: 'Look at the time.', other: 'Ask the branch.' }],
    });
    const again = () => client.call('compareItems', { params: { case_id }, body: { item_no: 2, with: 3 } });
    const [first, second] = await Promise.all([again(), again()]);
    expect(first.status).toBe(200);
    expectError(second, 'CONFLICT');
    const unproven = changed(report, '"records":[{', '"recordz":[{');
    await addItem(client, case_id, { name: 'unproven.html', bytes: unproven });
    await addItem(client, case_id, { name: 'the same.html', bytes: unproven });
    await itemsOf(client, case_id);
    const body = { item_no: 4, with: 5 };
    expect(await client.ok('compareItems', { params: { case_id }, body })).toMatchObject({
      same_records: false,
      records_differ: [3, 1],
      only_this: [],
      only_other: [],
    });
    const bundle = await client.call('compareItems', { params: { case_id }, body: { item_no: 1, with: 3 } });
    expectError(bundle, 'VALIDATION_ERROR');
  });

  it('take no more room than their owner has where several come at once', async () => {
    const other = await service.signUp();
    const case_id = await begun(other.client);
    const big = Buffer.alloc(QUOTA / 2, 'x');
    const ids = [];
    for (const name of ['one', 'two']) ids.push((await uploadOf(other.client, { name, bytes: big })).upload_id);
    const put = (upload_id: string) => other.client.call('addItem', { params: { case_id }, body: { upload_id } });
    const answers = await Promise.all(ids.map(put));
    const [refused, ...others] = answers.filter(({ status }) => status >= 400);
    expectError(refused ?? expect.fail('both were taken'), 'QUOTA_EXCEEDED');
    expect(others).toEqual([]);
    expect(await itemsOf(other.client, case_id)).toHaveLength(2);
  });

  it('fill the draft of a certificate, which says that it is one and leaves open what nobody recorded', async () => {
    const case_id = await begun();
    await addItem(client, case_id, { name: '<b>letter</b>.txt', bytes: Buffer.from('Dear Ada') });
    await itemsOf(client, case_id);
    const { status, bytes, headers } = await client.call('caseCertificate', { params: { case_id } });
    const text = bytes.toString();
    expect([status, headers['content-type']]).toEqual([200, 'application/octet-stream']);
    expect(text).toContain('DRAFT – not signed.');
    expect(text).toContain(digestOf(BUNDLE));
    expect(text).toContain('&lt;b&gt;letter&lt;/b&gt;.txt');
    expect(text).toContain(
      '1 of 2 items hold evidence that was checked. Attachments, of whose content nothing was checked: 1.',
    );
    expect(text).toContain('Entries signed by who acted: 0; signed by nobody: 1');
    expect(text).toContain('to be filled in');
    expect(text).not.toContain('<script');
  });

  it('stay over a restart, and what was not looked at yet is then', async () => {
    const case_id = await begun();
    await addItem(client, case_id, { name: 'again.gz', bytes: GZIP });
    await service.restart();
    const { client: back } = await signInAt(service.url, owner);
    expect((await itemsOf(back, case_id))[1]).toMatchObject({ name: 'again.gz', verdict: 'verified' });
  });
});

describe('a certificate of retention as an item', () => {
  it('is held against the bundle of the case, statement by statement', async () => {
    const service = await TestService.start();
    const { client } = await service.signUp();
    const { file, after } = makeSweep();
    const forged = makeSweep({
      certificate: ({ service_signature: _, ...rest }) => signCertificate({ ...rest, holds: [] }),
    });
    const unsigned = makeSweep({ certificate: (made) => ({ ...made, actor: 'somebody' }) });
    const bundle = { name: 'after', bytes: Buffer.from(after) };
    const { case_id } = await importCase(client, bundle, { trusted_kids: [serviceKid(0)] });
    for (const [name, text] of Object.entries({ honest: file, forged: forged.file, unsigned: unsigned.file })) {
      await addItem(client, case_id, { name, bytes: Buffer.from(text) });
    }
    const kind = 'retention-certificate';
    expect((await itemsOf(client, case_id)).slice(1)).toMatchObject([
      { name: 'honest', kind, verdict: 'verified', code: null },
      { name: 'forged', kind, verdict: 'failed', code: 'CONTRADICTS_BUNDLE' },
      { name: 'unsigned', kind, verdict: 'failed', code: 'EVIDENCE_FAILED' },
    ]);
  });
});
