// docs/case-room.md, Custody log: who did what with a case, in entries that each hold the hash of the one before.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/node/index.ts';
import { CUSTODY_ENTRY, canonicalize } from '../../../src/protocol/index.ts';
import { openAnnotations } from '../../../src/service/cases/annotations-file.ts';
import { checkCustody, entrySubject } from '../../../src/service/cases/custody/check-custody.ts';
import { NotedRecords } from '../../../src/service/cases/custody/check-notes.ts';
import { CustodyChecks } from '../../../src/service/cases/custody/custody-checks.ts';
import {
  type CustodyEntry,
  custodyHash,
  readEntry,
  type StoredEntry,
} from '../../../src/service/cases/custody/custody-entry.ts';
import { appendCustody, insertSignature } from '../../../src/service/cases/custody/custody-log.ts';
import { KnownSignatures } from '../../../src/service/cases/custody/known-signatures.ts';
import {
  annotate,
  OF_CASE,
  removeAnnotation,
  type Writing,
} from '../../../src/service/search/annotations/annotations.ts';
import { makeBundle } from '../../support/bundle-maker.ts';
import { signerOf } from '../../support/case-items.ts';
import { enterWorkstation, importCase, settled } from '../../support/cases.ts';
import type { Client } from '../../support/client.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { TestService } from '../../support/service.ts';

const service = await TestService.start();
const account = await service.signUp();
const desk = await enterWorkstation(service);
const made = makeBundle({ agents: 1, epochs: [3] });
const bytes = Buffer.from(made.text);
const ids = made.bundle.records.map(({ eor }) => eor.operation_id);

const importBy = async (client: Client, name: string) => (await importCase(client, { name, bytes })).case_id;
const logOf = (client: Client, case_id: string, query: Record<string, string> = {}) =>
  client.ok('custody', { params: { case_id }, query });

/** Changes the file of a case's log as somebody does who has access to it. */
function tamper(case_id: string, sql: string): void {
  const file = new Database(join(service.dataDir, 'cases', case_id, 'annotations.sqlite'));
  file.exec(sql);
  file.close();
}

describe('the custody log of a case', () => {
  it('says who did what, newest first, and of one record what was written about it', async () => {
    const case_id = await importBy(account.client, 'noted');
    const [first = '', second = ''] = ids;
    const note = (operation_id: string, body: object) =>
      account.client.ok('annotate', { params: { case_id, operation_id }, body });
    await note(first, { tags: ['odd'] });
    const noted = await note(first, { note: 'Ask the branch.' });
    expect(noted.updated_by).toBe(account.email);
    await note(second, { note: 'x' });
    await account.client.ok('removeAnnotation', { params: { case_id, operation_id: second } });
    await account.client.ok('renameCase', { params: { case_id }, body: { name: 'renamed' } });
    await account.client.ok('verifyCase', { params: { case_id }, body: { trusted_kids: [] } });
    await settled(account.client, case_id);
    await account.client.call('caseReportJson', { params: { case_id } });
    const log = await logOf(account.client, case_id);
    expect(log.data.map(({ entry_no, entry }) => [entry_no, entry?.action, entry?.by])).toEqual([
      [7, 'report.make', account.email],
      [6, 'case.verify', account.email],
      [5, 'case.rename', account.email],
      [4, 'annotation.remove', account.email],
      [3, 'annotation.set', account.email],
      [2, 'annotation.set', account.email],
      [1, 'annotation.set', account.email],
    ]);
    expect(log).toMatchObject({ head: { entry_no: 7, entry_hash: log.data[0]?.entry_hash }, damage: [] });
    expect(log.data[6]?.entry).toMatchObject({
      details: { operation_id: first, tags: ['odd'], note: '' },
      prev_hash: null,
    });
    const ofFirst = await logOf(account.client, case_id, { operation_id: first });
    expect(ofFirst.data.map(({ entry_no }) => entry_no)).toEqual([2, 1]);
    const page = await logOf(account.client, case_id, { limit: '3' });
    expect(page.data.map(({ entry_no }) => entry_no)).toEqual([7, 6, 5]);
    const next = await logOf(account.client, case_id, { limit: '3', cursor: page.nextCursor ?? '' });
    expect(next.data.map(({ entry_no }) => entry_no)).toEqual([4, 3, 2]);
  });

  it('names nobody at a workstation without an account', async () => {
    const case_id = await importBy(desk, 'nobody');
    const params = { case_id, operation_id: ids[0] ?? '' };
    expect((await desk.ok('annotate', { params, body: { note: 'x' } })).updated_by).toBeNull();
    expect((await logOf(desk, case_id)).data[0]?.entry?.by).toBeNull();
  });

  it('holds the reading rules and the searches that were changed', async () => {
    const case_id = await importBy(desk, 'read');
    await desk.ok('caseSetInvestigationRules', { params: { case_id }, body: { rules: null } });
    const body = { name: 'failures', search: { query: 'outcome = failed' } };
    const { search_id } = await desk.ok('caseSaveSearch', { params: { case_id }, body });
    await desk.ok('caseDeleteSearch', { params: { case_id, search_id } });
    const actions = (await logOf(desk, case_id)).data.map(({ entry }) => entry?.action);
    expect(actions).toEqual(['search.delete', 'search.save', 'rules.change']);
  });

  it.each([
    ['an entry that was taken out', 'DELETE FROM custody WHERE entry_no = 2', [{ entry_no: 2, code: 'ENTRY_MISSING' }]],
    ['the first one', 'DELETE FROM custody WHERE entry_no = 1', [{ entry_no: 1, code: 'ENTRY_MISSING' }]],
    [
      'a note that was changed',
      `UPDATE custody SET entry = replace(entry, 'note 1', 'note x') WHERE entry_no = 2`,
      [{ entry_no: 2, code: 'ENTRY_CHANGED' }],
    ],
    [
      'text that is no entry',
      `UPDATE custody SET entry = '{' WHERE entry_no = 3`,
      [{ entry_no: 3, code: 'ENTRY_CHANGED' }],
    ],
    [
      'two that changed places',
      `UPDATE custody SET entry_no = 9 WHERE entry_no = 1; UPDATE custody SET entry_no = 1 WHERE entry_no = 2;
       UPDATE custody SET entry_no = 2 WHERE entry_no = 9`,
      [
        { entry_no: 1, code: 'ENTRY_CHANGED' },
        { entry_no: 2, code: 'ENTRY_CHANGED' },
        { entry_no: 3, code: 'LINK_BROKEN' },
      ],
    ],
  ])('finds %s', async (_, sql, damage) => {
    const case_id = await importBy(desk, 'tampered');
    for (let n = 0; n < 3; n++) {
      const params = { case_id, operation_id: ids[n] ?? '' };
      await desk.ok('annotate', { params, body: { note: `note ${n}` } });
    }
    tamper(case_id, sql);
    expect((await logOf(desk, case_id)).damage).toEqual(damage);
  });
});

describe('the logs of two cases of one file', () => {
  it('cannot be exchanged: each names its case', async () => {
    const [one, other] = [await importBy(desk, 'one'), await importBy(desk, 'other')];
    for (const case_id of [one, other]) {
      await desk.ok('annotate', { params: { case_id, operation_id: ids[0] ?? '' }, body: { note: case_id } });
    }
    const before = await logOf(desk, one);
    expect([before.log_id, before.damage, before.data.map(({ entry }) => entry?.log_id)]).toEqual([one, [], [one]]);
    const path = join(service.dataDir, 'cases', other, 'annotations.sqlite');
    const exchange = ['tags', 'annotations', 'custody', 'custody_signatures']
      .map((table) => `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM other.${table};`)
      .join('\n');
    tamper(one, `ATTACH '${path}' AS other; ${exchange}`);
    const log = await logOf(desk, one);
    expect([log.log_id, log.damage]).toEqual([other, [{ entry_no: 1, code: 'OTHER_CASE' }]]);
  });

  it('are read as before where they are older, and say that they name no case', async () => {
    const case_id = await importBy(desk, 'older');
    const note = (note: string) =>
      desk.ok('annotate', { params: { case_id, operation_id: ids[0] ?? '' }, body: { note } });
    await note('x');
    const [row] = (await logOf(desk, case_id)).data;
    const { log_id: _, ...entry } = row?.entry ?? expect.fail();
    const { sha256: case_sha256 } = await desk.ok('getCase', { params: { case_id } });
    const older: CustodyEntry = { type: CUSTODY_ENTRY, case_sha256, entry_no: 1, ...entry };
    tamper(case_id, `UPDATE custody SET entry = '${canonicalize({ ...older })}', entry_hash = '${custodyHash(older)}'`);
    await note('y');
    expect(await logOf(desk, case_id)).toMatchObject({ log_id: null, damage: [], head: { entry_no: 2 } });
  });
});

describe('what is remembered of a log', () => {
  const OF = { caseSha256: `sha256:${'a'.repeat(64)}`, caseId: '00000000-0000-4000-8000-00000000000a' };
  const path = join(temporaryFolder(), 'annotations.sqlite');
  const sqlite = openAnnotations(path);
  const examiner = { by: null, at: 0, ...OF };
  const writing: Writing = {
    by: null,
    at: 0,
    orgId: OF_CASE,
    append: (action, details) => appendCustody(sqlite, examiner, action, details),
  };
  for (let n = 0; n < 600; n++) annotate(sqlite, `record ${n}`, { note: 'x' }, writing);
  const checks = new CustodyChecks(sqlite);

  it('stays until the file changes, by whoever', async () => {
    const known = await checks.known(OF);
    expect(await checks.known(OF)).toBe(known);
    annotate(sqlite, 'record 1', { note: 'y' }, writing);
    const later = await checks.known(OF);
    expect([later.head?.entry_no, later.damage]).toEqual([601, []]);
    const stranger = new Database(path);
    stranger.exec(`UPDATE annotations SET note = 'z' WHERE operation_id = 'record 2'`);
    stranger.close();
    expect((await checks.known(OF)).damage).toEqual([{ entry_no: 3, code: 'NOTE_CHANGED' }]);
    sqlite.exec(`UPDATE annotations SET note = 'x' WHERE operation_id = 'record 2'`);
  });

  it('is of one moment, though others write while the log is checked', async () => {
    const asked = checks.known(OF);
    let isWritten = false;
    setImmediate(() => {
      annotate(sqlite, 'record 0', { note: 'written meanwhile' }, writing);
      isWritten = true;
    });
    const { head, damage } = await asked;
    expect([isWritten, head?.entry_no, damage]).toEqual([true, 602, []]);
  });
});

describe('a log that continues after it was checked', () => {
  const OF = { caseSha256: `sha256:${'a'.repeat(64)}`, caseId: '00000000-0000-4000-8000-00000000000a' };
  const [ada, grace] = [signerOf('ada@example.com'), signerOf('grace@example.com')];

  function begun() {
    const path = join(temporaryFolder(), 'annotations.sqlite');
    const sqlite = openAnnotations(path);
    const writing = (by: string): Writing => ({
      by,
      at: 0,
      orgId: OF_CASE,
      append: (action, details) => appendCustody(sqlite, { by, at: 0, ...OF }, action, details),
    });
    const note = (record: string, note: string, by = 'ada@example.com') =>
      annotate(sqlite, record, { note }, writing(by));
    const remove = (record: string) => removeAnnotation(sqlite, record, writing('ada@example.com'));
    const sign = (entryNo: number, { sign: signed }: typeof ada) => {
      const row = sqlite.prepare('SELECT entry_hash FROM custody WHERE entry_no = ?').pluck().get(entryNo) as string;
      const subject = entrySubject({ case_sha256: OF.caseSha256, entry_no: entryNo, entry_hash: row }, OF.caseId);
      insertSignature(sqlite, entryNo, canonicalize({ ...signed(subject) }));
    };
    const stranger = (sql: string) => {
      const other = new Database(path);
      other.exec(sql);
      other.close();
    };
    for (let n = 1; n <= 20; n++) note(`record ${n}`, 'x', n % 3 === 0 ? 'grace@example.com' : 'ada@example.com');
    return { sqlite, checks: new CustodyChecks(sqlite), note, remove, sign, stranger };
  }
  const afresh = (sqlite: Database.Database) => new CustodyChecks(sqlite).known(OF);

  it('is known as if it had been checked from its first entry, after each thing that is done with a case', async () => {
    const { sqlite, checks, note, remove, sign } = begun();
    await checks.known(OF);
    const acts: (() => unknown)[] = [
      () => note('record 3', 'another'),
      () => remove('record 4'),
      () => sign(6, grace),
      () => sign(2, ada),
      () => [note('record 4', 'again'), note('record 21', 'new'), sign(21, ada), remove('record 21')],
      () => sign(3, ada),
      () => appendCustody(sqlite, { by: null, at: 0, ...OF }, 'case.open', {}),
      () => appendCustody(sqlite, { by: null, at: 0, ...OF }, 'case.rename', { name: 'x' }),
    ];
    for (const act of acts) {
      act();
      expect(await checks.known(OF)).toEqual(await afresh(sqlite));
    }
    // The one that is not by who signed it.
    expect(await checks.known(OF)).toMatchObject({
      signatures: { signed: 3, invalid: 1 },
      damage: [{ entry_no: 3, code: 'SIGNATURE_INVALID' }],
      examiners: [{ signer: 'ada@example.com', entries: 2 }, { signer: 'grace@example.com' }],
    });
  });

  it('is not read again before what was checked, but for papers and after a restart', async () => {
    const { sqlite, checks, note } = begun();
    await checks.known(OF);
    // As bytes that somebody writes past SQLite: no commit of another connection says so.
    sqlite.exec(`UPDATE custody SET entry = replace(entry, '"note":"x"', '"note":"y"') WHERE entry_no = 5`);
    note('record 1', 'y');
    expect((await checks.known(OF)).damage).toEqual([]);
    const changed = [{ entry_no: 5, code: 'ENTRY_CHANGED' }];
    expect((await afresh(sqlite)).damage).toEqual(changed);
    expect((await checks.whole(OF)).damage).toEqual(changed);
    note('record 1', 'z');
    expect((await checks.known(OF)).damage).toEqual(changed);
  });

  it.each([
    ['an entry', `UPDATE custody SET entry = replace(entry, 'x', 'y') WHERE entry_no = 5`, 'ENTRY_CHANGED', 5],
    ['a note', `UPDATE annotations SET note = 'y' WHERE operation_id = 'record 5'`, 'NOTE_CHANGED', 5],
    ['the newest entry', 'DELETE FROM custody WHERE entry_no = 20', null, 20],
  ])('is read whole again where another connection changed %s, also while it is checked', async (_, sql, code, no) => {
    for (const isMeanwhile of [false, true]) {
      const { sqlite, checks, note, stranger } = begun();
      await checks.known(OF);
      if (code !== null) note('record 1', 'own');
      const early = isMeanwhile ? checks.known(OF) : null;
      stranger(sql);
      const { damage } = await (early ?? checks.known(OF));
      expect(damage).toEqual((await afresh(sqlite)).damage);
      if (code !== null) expect(damage).toContainEqual({ entry_no: no, code });
    }
  });

  it('finds entries that do not follow from what was checked', async () => {
    const { sqlite, checks, note } = begun();
    await checks.known(OF);
    note('record 1', 'y');
    sqlite.exec(`UPDATE custody SET entry_hash = 'sha256:${'0'.repeat(64)}' WHERE entry_no = 21`);
    note('record 1', 'z');
    expect((await checks.known(OF)).damage).toEqual([{ entry_no: 21, code: 'ENTRY_CHANGED' }]);
    const { sqlite: other, checks: ofOther, note: noteThere } = begun();
    await ofOther.known(OF);
    noteThere('record 1', 'y');
    other.exec(`UPDATE annotations SET note = 'unlogged' WHERE operation_id = 'record 1'`);
    expect((await ofOther.known(OF)).damage).toEqual([{ entry_no: 21, code: 'NOTE_CHANGED' }]);
  });
});

describe('the check of a custody log', () => {
  const CASE = `sha256:${'a'.repeat(64)}`;
  const OF = { caseSha256: CASE, caseId: null };
  const entryAfter = (before: StoredEntry | undefined, case_sha256 = CASE): StoredEntry => {
    const entry = {
      type: CUSTODY_ENTRY,
      case_sha256,
      entry_no: (before?.entry_no ?? 0) + 1,
      at: '2026-11-23T00:00:00.000Z',
      by: null,
      action: 'annotation.set',
      details: {},
      prev_hash: before?.entry_hash ?? null,
    } as const;
    return { entry_no: entry.entry_no, entry: canonicalize(entry), entry_hash: custodyHash(entry), signature: null };
  };

  const damageOf = async (rows: readonly StoredEntry[]) =>
    (await checkCustody(rows, OF, new KnownSignatures(nodeCrypto))).damage;

  it('finds an entry of another case, and one that hangs on no other', async () => {
    const first = entryAfter(undefined);
    const second = entryAfter(first);
    expect(await damageOf([first, second])).toEqual([]);
    const foreign = entryAfter(first, `sha256:${'b'.repeat(64)}`);
    expect(await damageOf([first, foreign])).toEqual([{ entry_no: 2, code: 'OTHER_CASE' }]);
    const loose = entryAfter({ ...first, entry_hash: `sha256:${'c'.repeat(64)}` });
    expect(await damageOf([first, loose])).toEqual([{ entry_no: 2, code: 'LINK_BROKEN' }]);
  });

  it('counts an entry as signed only where it is what was signed, in this case', async () => {
    const by = 'ada@example.com';
    const { sign } = signerOf(by);
    const signedIn = (case_sha256: string): StoredEntry => {
      const text = { ...readEntry(entryAfter(undefined).entry), case_sha256, by } as CustodyEntry;
      const entry_hash = custodyHash(text);
      const subject = { type: 'countersign.custody-signature.v1', case_sha256, entry_no: 1, entry_hash } as const;
      const signature = canonicalize({ ...sign(subject) });
      return { entry_no: 1, entry: canonicalize({ ...text }), entry_hash, signature };
    };
    const statesOf = async (row: StoredEntry) => {
      const { signatures, damage } = await checkCustody([row], OF, new KnownSignatures(nodeCrypto));
      return [signatures, damage.map(({ code }) => code)];
    };
    const own = signedIn(CASE);
    expect(await statesOf(own)).toEqual([{ signed: 1, unsigned: 0, invalid: 0 }, []]);
    const reworded = { ...own, entry: own.entry.replace('"details":{}', '"details":{"note":"x"}') };
    expect(await statesOf(reworded)).toEqual([{ signed: 0, unsigned: 0, invalid: 1 }, ['ENTRY_CHANGED']]);
    const foreign = signedIn(`sha256:${'b'.repeat(64)}`);
    expect(await statesOf(foreign)).toEqual([{ signed: 0, unsigned: 0, invalid: 1 }, ['OTHER_CASE']]);
  });

  it('counts a signature only where it names the case that the log names', async () => {
    const by = 'ada@example.com';
    const { sign } = signerOf(by);
    const logId = '00000000-0000-4000-8000-00000000000a';
    const text = { ...readEntry(entryAfter(undefined).entry), by, log_id: logId } as CustodyEntry;
    const entry_hash = custodyHash(text);
    const subject = { type: 'countersign.custody-signature.v1', case_sha256: CASE, entry_no: 1, entry_hash } as const;
    const statesOf = async (about: Parameters<typeof sign>[0], caseId: string | null) => {
      const row = {
        entry_no: 1,
        entry: canonicalize({ ...text }),
        entry_hash,
        signature: canonicalize({ ...sign(about) }),
      };
      const { signatures, damage } = await checkCustody([row], { ...OF, caseId }, new KnownSignatures(nodeCrypto));
      return [signatures.signed, damage.map(({ code }) => code)];
    };
    expect(await statesOf({ ...subject, log_id: logId }, logId)).toEqual([1, []]);
    expect(await statesOf(subject, logId)).toEqual([0, ['SIGNATURE_INVALID']]);
    const other = '00000000-0000-4000-8000-00000000000b';
    expect(await statesOf({ ...subject, log_id: logId }, other)).toEqual([1, ['OTHER_CASE']]);
  });

  it('says the same of a note however often it is asked', () => {
    const noted = new NotedRecords();
    const entry = readEntry(entryAfter(undefined).entry) as CustodyEntry;
    const details = { operation_id: 'a', tags: [], note: 'x', bookmarked: false };
    noted.take({ entry_no: 1, entry: { ...entry, details }, isSound: true, signature: 'unsigned', signedBy: null });
    const changed = { tags: [], note: 'y', bookmarked: false, by: entry.by };
    expect([noted.differsFrom('a', changed), noted.differsFrom('a', changed)]).toEqual([1, 1]);
    expect(noted.missing()).toEqual([]);
  });

  it.each(['', '{', '[]', '{"type":"countersign.custody-entry.v1"}', '{"a":1,"a":1}'])(
    'reads no entry from %j',
    (text) => {
      expect(readEntry(text)).toBeNull();
    },
  );
});
