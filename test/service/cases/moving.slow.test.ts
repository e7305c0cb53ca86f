// docs/case-room.md, Moving a case: three examiners, two data folders, and every way in which what arrives is not what left.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { canonicalize, custodyHash, type JsonObject, toBase64Url } from '../../../src/protocol/index.ts';
import type { StoredEntry } from '../../../src/service/cases/custody/custody-entry.ts';
import { BUNDLE, GZIP, IDS, ISSUER, proofOf, reportBy, SVG } from '../../support/case-evidence.ts';
import {
  addItem,
  archiveOf,
  type Entry,
  entriesOf,
  examiner,
  itemsOf,
  openCase,
  registered,
  saveCase,
  signerOf,
  signOwn,
} from '../../support/case-items.ts';
import { importCase, settled } from '../../support/cases.ts';
import { type Client, expectError } from '../../support/client.ts';
import { forgedCase } from '../../support/forged-case.ts';
import { TestService } from '../../support/service.ts';

const [here, there] = [await TestService.start(), await TestService.start()];
const owner = await here.signUp();
const ada = await registered(here, owner);
const bob = await examiner(here, owner);
const eve = await examiner(here, owner);
const receiver = await there.signUp('receiver');

const { case_id, sha256 } = await importCase(
  ada.client,
  { name: 'first.csbundle', bytes: BUNDLE },
  { trusted_kids: [ISSUER], name: 'The branch' },
);
const params = { case_id };
const [first = '', second = '', third = ''] = IDS;
const note = ({ client }: { client: Client }, operation_id: string, body: object) =>
  client.ok('annotate', { params: { case_id, operation_id }, body });
for (const [by, name, bytes] of [
  [ada, 'copy.gz', GZIP],
  [ada, 'ada.html', await reportBy('Ada', [{ seq_no: 1 }, { seq_no: 3, comment: 'Who asked?' }])],
  [bob, 'bob.html', await reportBy('Bob', [{ seq_no: 1 }, { seq_no: 3, comment: 'Ask the branch.' }])],
  [bob, 'proof.json', await proofOf(2)],
  [eve, 'plan.svg', SVG],
] as const) {
  await addItem(by.client, case_id, { name, bytes });
}
await note(ada, first, { note: 'Paid twice.', tags: ['odd'] });
await note(bob, second, { note: 'Approved afterwards.' });
await note(eve, third, { tags: ['look into'] });
await signOwn(ada, case_id, sha256);
await signOwn(bob, case_id, sha256);
const sent = await itemsOf(ada.client, case_id);
const file = await saveCase(ada.client, case_id, ada);
const logOf = (client: Client, id: string) =>
  client.ok('custody', { params: { case_id: id }, query: { limit: '200' } });

const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const left = () => readdirSync(join(there.dataDir, 'cases')).filter((name) => name !== 'uploads');
const uploads = () => readdirSync(join(there.dataDir, 'cases', 'uploads'));

const forged = (name: string, change: (text: string) => string, fits = true) => forgedCase(file, name, change, fits);

const withoutLine = (n: number) => (text: string) =>
  text
    .split('\n')
    .toSpliced(n - 1, 1)
    .join('\n');

async function opened(bytes: Buffer, body: object = { trusted_kids: [ISSUER] }) {
  const { status, body: made } = await openCase(receiver.client, bytes, body);
  expect(status).toBe(202);
  const { case_id: id } = await settled(receiver.client, (made as { case_id: string }).case_id);
  const items = await itemsOf(receiver.client, id);
  const found = await receiver.client.ok('getCase', { params: { case_id: id } });
  return { found, items, log: await logOf(receiver.client, id) };
}

describe('a case of six items with three examiners', () => {
  it('has who signed what, and names what nobody signed', async () => {
    const log = await logOf(ada.client, case_id);
    const states = log.data.map(({ entry, signature }) => [entry?.by, entry?.action, signature]).reverse();
    expect(states).toEqual([
      [ada.email, 'item.add', 'signed'],
      [ada.email, 'item.add', 'signed'],
      [bob.email, 'item.add', 'signed'],
      [bob.email, 'item.add', 'signed'],
      [eve.email, 'item.add', 'unsigned'],
      [ada.email, 'annotation.set', 'signed'],
      [bob.email, 'annotation.set', 'signed'],
      [eve.email, 'annotation.set', 'unsigned'],
      [ada.email, 'case.save', 'unsigned'],
    ]);
    expect(log).toMatchObject({ damage: [], signatures: { signed: 6, unsigned: 3, invalid: 0 } });
    expect(log.examiners.map(({ signer, entries, registered }) => [signer, entries, registered])).toEqual([
      [ada.email, 3, true],
      [bob.email, 3, true],
    ]);
    expect(log.all_registered).toBe(true);
    const setStatus = (status: string) =>
      here.sql.prepare('UPDATE agent_keys SET status = ? WHERE public_key = ?').run(status, toBase64Url(bob.publicKey));
    setStatus('revoked');
    const later = await logOf(ada.client, case_id);
    setStatus('active');
    expect([later.all_registered, later.examiners[1]]).toMatchObject([false, { key: 'revoked', registered: false }]);
  });

  it('is the same in another data folder: verdicts to the byte, log, signatures, tags and notes', async () => {
    const { found, items, log } = await opened(file);
    expect(found).toMatchObject({ name: 'The branch', verdict: 'verified', items: 6, sha256 });
    expect(found.origin).toMatchObject({
      made_by: ada.email,
      damage: 0,
      reproduced: true,
      file_sha256: digestOf(file),
    });
    const told = (list: typeof items) =>
      list.map(({ item_no, name, bytes, sha256, kind, verdict, code, summary, judgement_sha256, added_by }) => ({
        item_no,
        name,
        bytes,
        sha256,
        kind,
        verdict,
        code,
        summary,
        judgement_sha256,
        added_by: item_no === 1 ? null : added_by,
      }));
    expect(told(items)).toEqual(told(sent));
    expect(items.map(({ stated }) => stated?.reproduced)).toEqual(items.map(({ kind }) => kind !== null));
    for (const { item_no } of items) {
      const of = { params: { case_id, item_no: String(item_no) } };
      const judgement = await ada.client.call('itemJudgement', of);
      const moved = { params: { case_id: found.case_id, item_no: String(item_no) } };
      expect((await receiver.client.call('itemJudgement', moved)).bytes.equals(judgement.bytes)).toBe(true);
      const bytes = await receiver.client.call('itemFile', moved);
      expect(digestOf(bytes.bytes)).toBe(items[item_no - 1]?.sha256);
    }
    expect(log).toMatchObject({ damage: [], signatures: { signed: 6, unsigned: 3, invalid: 0 } });
    expect(log.data[0]?.entry).toMatchObject({ action: 'case.open', by: receiver.email });
    expect(log.data[0]?.entry?.details).toMatchObject({ file_sha256: digestOf(file), made_by: ada.email });
    expect(log.examiners.map(({ key }) => key)).toEqual(['unknown', 'unknown']);
    expect(log.all_registered).toBe(false);
    const notes = (client: Client, id: string) => client.ok('listAnnotations', { params: { case_id: id } });
    expect(await notes(receiver.client, found.case_id)).toEqual(await notes(ada.client, case_id));
    const compare = { params: { case_id: found.case_id }, body: { item_no: 3, with: 4 } };
    expect(await receiver.client.ok('compareItems', compare)).toMatchObject({
      same_records: true,
      same_verdict: true,
      this: { examiner: 'Ada' },
      other: { examiner: 'Bob' },
      comments_differ: [{ seq_no: 3, this: 'Who asked?', other: 'Ask the branch.' }],
    });
  });

  it('has each list of keys once in its manifest, and is refused where an item names another', async () => {
    const [manifest = expect.fail(), ...others] = entriesOf(file).filter(({ name }) => name !== 'seal.json');
    const about = JSON.parse(manifest.bytes.toString()) as {
      readonly items: readonly { readonly verified_with: number }[];
      readonly trust_lists: readonly (readonly string[])[];
    };
    expect(about.trust_lists).toEqual([[ISSUER]]);
    expect(about.items.map(({ verified_with }) => verified_with)).toEqual([0, 0, 0, 0, 0, 0]);
    const written = (value: object) =>
      archiveOf([{ name: manifest.name, bytes: Buffer.from(canonicalize(value as JsonObject)) }, ...others]);
    const { trust_lists: _, ...without } = about;
    for (const other of [without, { ...about, trust_lists: [] }]) {
      const none = await openCase(receiver.client, written(other));
      expect(none.body).toMatchObject({ error: { finding: 'MANIFEST_INVALID' } });
    }
  });

  it('takes no trust from the file: with nobody trusted it is incomplete, and what was stated is found again', async () => {
    const { found, items } = await opened(file, {});
    expect(found.verdict).toBe('incomplete');
    expect(found.origin?.reproduced).toBe(true);
    expect(items.slice(1).map(({ verdict, stated }) => [verdict, stated?.verdict, stated?.reproduced])).toEqual([
      ['incomplete', 'verified', true],
      ['incomplete', 'verified', true],
      ['incomplete', 'verified', true],
      ['incomplete', 'verified', true],
      ['not_verified', 'not_verified', true],
    ]);
  });

  it('is moved on from there, with all that happened', async () => {
    const { found } = await opened(file);
    const again = await saveCase(receiver.client, found.case_id, null);
    const { status, body } = await openCase(ada.client, again);
    expect(status).toBe(202);
    const back = await settled(ada.client, (body as { case_id: string }).case_id);
    const { data, damage, signatures } = await logOf(ada.client, back.case_id);
    expect([damage, signatures]).toEqual([[], { signed: 6, unsigned: 4, invalid: 0 }]);
    expect(data.slice(0, 3).map(({ entry }) => entry?.action)).toEqual(['case.open', 'case.open', 'annotation.set']);
    expect(back.origin).toMatchObject({ sealed_with: null });
  });

  it('is opened with its damage shown where it was damaged before it was saved', async () => {
    const changed = forged('notes.jsonl', (text) => text.replace('Paid twice.', 'Paid once.'));
    expect((await opened(changed)).log.damage).toEqual([{ entry_no: 6, code: 'NOTE_CHANGED' }]);
    const removed = forged('custody.jsonl', withoutLine(3));
    expect((await opened(removed)).log.damage).toEqual([{ entry_no: 3, code: 'ENTRY_MISSING' }]);
  });

  it('says what does not hold before anybody signs its manifest, also what was changed past the open case', async () => {
    const { found } = await opened(file);
    const moved = { params: { case_id: found.case_id } };
    expect((await receiver.client.ok('draftCase', moved)).damage).toEqual([]);
    expect((await logOf(receiver.client, found.case_id)).damage).toEqual([]);
    const sqlite = new Database(join(there.dataDir, 'cases', found.case_id, 'annotations.sqlite'));
    sqlite.exec(`UPDATE annotations SET note = 'Paid once.' WHERE note = 'Paid twice.'`);
    sqlite.exec(`UPDATE items SET added_by = 'mallory@example.org' WHERE item_no = 3`);
    sqlite.exec('DELETE FROM custody WHERE entry_no = 4');
    sqlite.close();
    const damage = [
      { entry_no: 4, code: 'ENTRY_MISSING' },
      { entry_no: 2, code: 'ITEM_CHANGED', item_no: 3 },
      { entry_no: 6, code: 'NOTE_CHANGED' },
    ];
    expect((await receiver.client.ok('draftCase', moved)).damage).toEqual(damage);
    const saved = await receiver.client.ok('saveCase', { ...moved, body: {} });
    expect(saved).toMatchObject({ damage, signed: false });
  });

  it('has another manifest as soon as anything is done: what was signed before is not saved', async () => {
    const { case_sha256, manifest_sha256, made_at } = await ada.client.ok('draftCase', { params });
    const signature = ada.sign({ type: 'countersign.case-signature.v1', case_sha256, manifest_sha256 });
    await note(bob, second, { tags: ['done'] });
    const body = { sealed: { made_at, manifest_sha256, signature } };
    expectError(await ada.client.call('saveCase', { params, body }), 'CONFLICT');
  });
});

describe('a signature in the custody log', () => {
  const entry = async () => {
    const { data } = await logOf(ada.client, case_id);
    return data.find(({ entry, signature }) => entry?.by === ada.email && signature === 'unsigned') ?? expect.fail();
  };
  const signed = async (by: Pick<typeof ada, 'sign'>, change: object = {}, at?: number) => {
    const { entry_no, entry_hash } = await entry();
    const subject = {
      type: 'countersign.custody-signature.v1',
      case_sha256: sha256,
      log_id: case_id,
      entry_no,
      entry_hash,
    } as const;
    const signature = by.sign({ ...subject, ...change }, at);
    return { params, body: { signatures: [{ entry_no, entry_hash, signature }] } };
  };

  it('is by the person of the session, with an active key of that person, about that entry', async () => {
    expectError(await bob.client.call('signCustody', await signed(bob)), 'VALIDATION_ERROR');
    expectError(await bob.client.call('signCustody', await signed(ada)), 'FORBIDDEN');
    expectError(await ada.client.call('signCustody', await signed(signerOf(ada.email, 'other key'))), 'FORBIDDEN');
    expectError(await ada.client.call('signCustody', await signed(ada, { entry_no: 1 })), 'VALIDATION_ERROR');
    const seal = { type: 'countersign.case-signature.v1', manifest_sha256: sha256 };
    expectError(await ada.client.call('signCustody', await signed(ada, seal)), 'VALIDATION_ERROR');
    expectError(await ada.client.call('signCustody', await signed(ada, {}, 0)), 'VALIDATION_ERROR');
    const { token } = await ada.client.ok('createToken', { body: {} });
    expectError(await here.client(token).call('signCustody', await signed(ada)), 'FORBIDDEN');
    expect((await ada.client.ok('signCustody', await signed(ada))).signed).toBe(1);
  });

  it('is taken for what was done here, never for what a case file says that somebody did', async () => {
    const { email } = receiver;
    let before: unknown = null;
    const forgery = forged('custody.jsonl', (text) =>
      text
        .trimEnd()
        .split('\n')
        .map((line, index, lines) => {
          const row = JSON.parse(line) as StoredEntry;
          if (index < lines.length - 1) {
            before = row.entry_hash;
            return line;
          }
          const entry = { ...JSON.parse(row.entry), by: email, at: '2099-01-01T00:00:00.000Z', prev_hash: before };
          return canonicalize({ ...row, entry: canonicalize(entry), entry_hash: custodyHash(entry), signature: null });
        })
        .map((line) => `${line}\n`)
        .join(''),
    );
    const { found, log } = await opened(forgery);
    // The note itself still has who wrote it.
    expect(log.damage).toMatchObject([{ code: 'NOTE_CHANGED' }]);
    const own = log.data.filter(({ entry }) => entry?.by === email);
    expect(own.map(({ entry, signable }) => [entry?.action, signable])).toEqual([
      ['case.open', true],
      ['annotation.set', false],
    ]);
    const signer = await registered(there, receiver);
    const sign = ({ entry_no, entry_hash }: (typeof own)[number]) => {
      const log = { case_sha256: sha256, log_id: found.case_id };
      const about = { type: 'countersign.custody-signature.v1', ...log, entry_no, entry_hash } as const;
      const body = { signatures: [{ entry_no, entry_hash, signature: signer.sign(about) }] };
      return receiver.client.call('signCustody', { params: { case_id: found.case_id }, body });
    };
    const [opening = expect.fail(), forgedEntry = expect.fail()] = own;
    expectError(await sign(forgedEntry), 'VALIDATION_ERROR');
    expect((await sign(opening)).status).toBe(200);
    // What somebody with access to the folder changed under its hash is not signed either.
    await receiver.client.ok('renameCase', { params: { case_id: found.case_id }, body: { name: 'mine' } });
    const sqlite = new Database(join(there.dataDir, 'cases', found.case_id, 'annotations.sqlite'));
    sqlite.exec(`UPDATE custody SET entry = replace(entry, '"mine"', '"yours"')`);
    sqlite.close();
    const [renamed = expect.fail()] = (await logOf(receiver.client, found.case_id)).data;
    expect(renamed).toMatchObject({ signable: false, entry: { action: 'case.rename', details: { name: 'yours' } } });
    expectError(await sign(renamed), 'VALIDATION_ERROR');
  });

  it('says that a token did it, where one did', async () => {
    const { token } = await ada.client.ok('createToken', { body: {} });
    await here.client(token).ok('renameCase', { params, body: { name: 'The branch' } });
    const { data } = await logOf(ada.client, case_id);
    expect(data[0]).toMatchObject({ signature: 'unsigned', entry: { by: ada.email, via: 'token' } });
  });

  it.each([['of an entry that was written anew with its hash', 5, 'SIGNATURE_INVALID']])(
    'does not hold any more: %s',
    async (_, __, code) => {
      const { found } = await opened(file);
      const path = join(there.dataDir, 'cases', found.case_id, 'annotations.sqlite');
      const sqlite = new Database(path);
      sqlite.exec(
        'UPDATE custody_signatures SET signature = (SELECT signature FROM custody_signatures WHERE entry_no = 1) WHERE entry_no = 2',
      );
      sqlite.exec('DELETE FROM custody WHERE entry_no >= 7');
      sqlite.close();
      const { damage } = await logOf(receiver.client, found.case_id);
      expect(damage).toContainEqual({ entry_no: 2, code });
      expect(damage).toContainEqual({ entry_no: 7, code: 'ENTRY_MISSING' });
    },
  );
});

describe('a case file from somebody else', () => {
  const entries = entriesOf(file);
  const named = (name: string, bytes = Buffer.from('x')): Entry => ({ name, bytes });
  const replaced = (name: string, bytes: Buffer) => entries.map((one) => (one.name === name ? { name, bytes } : one));
  const many = Array.from({ length: 400 }, (_, n) => named(`items/${n + 100}`));
  const link = (() => {
    const bytes = Buffer.from(archiveOf(entries));
    const at = bytes.indexOf('items/2\0');
    bytes[at + 156] = 0x32;
    return bytes;
  })();

  it.each([
    ['a name that leads out of the folder', archiveOf([...entries, named('../../evil')]), 'NAME_INVALID'],
    ['an absolute name', archiveOf([...entries, named('/etc/passwd')]), 'NAME_INVALID'],
    ['a name that is there twice', archiveOf([...entries, named('notes.jsonl')]), 'ENTRY_DUPLICATE'],
    ['a file that no manifest names', archiveOf([...entries, named('items/99')]), 'ENTRY_UNEXPECTED'],
    ['more entries than a case has', archiveOf([...entries, ...many]), 'TOO_MANY_ENTRIES'],
    ['an entry fewer', archiveOf(entries.filter(({ name }) => name !== 'items/2')), 'ENTRY_ABSENT'],
    ['a link in the place of a file', link, 'HEADER_INVALID'],
    ['another size', archiveOf(replaced('items/2', Buffer.from('x'))), 'SIZE_MISMATCH'],
    ['the same size and other bytes', archiveOf(replaced('items/6', Buffer.alloc(SVG.length, 'x'))), 'DIGEST_MISMATCH'],
    ['no end', file.subarray(0, file.length - 2000), 'FILE_CUT_OFF'],
    ['more behind its end', Buffer.concat([file, Buffer.from('x')]), 'TRAILING_BYTES'],
    ['a manifest that is none', archiveOf(replaced('manifest.json', Buffer.from('{}'))), 'MANIFEST_INVALID'],
    ['a note that is no JSON', forged('notes.jsonl', () => '{\n'), 'LINE_INVALID'],
    ['a log that ends before its head', forged('custody.jsonl', withoutLine(8), false), 'SIZE_MISMATCH'],
    [
      'a manifest that somebody else wrote under the signature',
      archiveOf([
        ...entriesOf(forged('notes.jsonl', (text) => text.replace('Paid', 'Said'))).slice(0, 1),
        ...entries.slice(1, 2),
        ...entriesOf(forged('notes.jsonl', (text) => text.replace('Paid', 'Said'))).slice(1),
      ]),
      'SEAL_INVALID',
    ],
  ])('is refused with %s, and leaves nothing', async (_, bytes, finding) => {
    const before = [left(), uploads()];
    const answer = await openCase(receiver.client, bytes);
    expectError(answer, 'CASE_FILE_REFUSED');
    expect(answer.body).toMatchObject({ error: { finding } });
    expect([left(), uploads()]).toEqual(before);
  });

  it('is refused with a changed note, named by its line and by the entry that has another', async () => {
    const changed = forged('notes.jsonl', (text) => text.replace('Paid twice.', 'Paid onceX'), false);
    const line =
      entries
        .find(({ name }) => name === 'notes.jsonl')
        ?.bytes.toString()
        .split('\n')
        .findIndex((text) => text.includes('Paid')) ?? -1;
    const same = forged('notes.jsonl', (text) => text.replace('Paid twice.', 'Said twice.'), false);
    const answer = await openCase(receiver.client, same);
    expect(answer.body).toMatchObject({ error: { finding: 'DIGEST_MISMATCH' } });
    expect(JSON.stringify(answer.body)).toContain(`notes.jsonl, line ${line + 1}`);
    expect(JSON.stringify(answer.body)).toContain('entry 6 of the custody log');
    expect((await openCase(receiver.client, changed)).body).toMatchObject({ error: { finding: 'SIZE_MISMATCH' } });
  });
});
