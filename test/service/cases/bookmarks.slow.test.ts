// docs/interface.md, Annotations: bookmarks in a case, tags and notes for several of its records, and files from before bookmarks.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openAnnotations } from '../../../src/service/cases/annotations-file.ts';
import { annotate, findAnnotation, OF_CASE } from '../../../src/service/search/annotations/annotations.ts';
import { makeBundle } from '../../support/bundle-maker.ts';
import { enterWorkstation, importCase } from '../../support/cases.ts';
import { expectError } from '../../support/client.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { TestService } from '../../support/service.ts';

const service = await TestService.start();
const desk = await enterWorkstation(service);
const made = makeBundle({ agents: 1, epochs: [3] });
const [first = '', second = '', third = ''] = made.bundle.records.map(({ eor }) => eor.operation_id);
const { case_id } = await importCase(desk, { name: 'a case', bytes: Buffer.from(made.text) });
const params = { case_id };

it('finds the records of a case by their bookmarks', async () => {
  await desk.ok('annotate', { params: { case_id, operation_id: first }, body: { bookmarked: true } });
  const body = { operation_ids: [first, second], add_tags: ['look into'], add_note: 'Both.', bookmarked: true };
  expect(await desk.ok('annotateMany', { params, body })).toEqual({ changed: 2 });
  const bookmarks = await desk.ok('listAnnotations', { params, query: { bookmarked: 'true' } });
  expect(bookmarks.data.map(({ operation_id }) => operation_id).toSorted()).toEqual([first, second].toSorted());
  const found = await desk.ok('caseAuditQuery', { params, body: { query: 'bookmarked = true tag = "look into"' } });
  expect(found.data.map(({ seq_no, bookmarked }) => [seq_no, bookmarked])).toEqual([
    [2, true],
    [1, true],
  ]);
  const [entry] = (await desk.ok('custody', { params })).data;
  expect(entry?.entry).toMatchObject({ action: 'annotation.set', details: { bookmarked: true, note: 'Both.' } });
  expectError(
    await desk.call('annotateMany', { params, body: { operation_ids: [third, 'none'], bookmarked: true } }),
    'NOT_FOUND',
  );
  expectError(await desk.call('getAnnotation', { params: { case_id, operation_id: third } }), 'NOT_FOUND');
});

it('leaves a record that has nothing but a bookmark out of the notes in a report', async () => {
  await desk.ok('annotate', { params: { case_id, operation_id: third }, body: { bookmarked: true } });
  const { bytes } = await desk.call('caseReportJson', { params });
  expect(JSON.parse(bytes.toString()).investigator.annotations).not.toContainEqual(
    expect.objectContaining({ operation_id: third }),
  );
});

it('makes the report of a case with pages of bookmarks alone', async () => {
  const { case_id: id } = await importCase(desk, { name: 'marked', bytes: Buffer.from(made.text) });
  await desk.ok('listAnnotations', { params: { case_id: id } });
  const file = new Database(join(service.dataDir, 'cases', id, 'annotations.sqlite'));
  const insert = file.prepare(
    'INSERT INTO annotations (org_id, operation_id, note, bookmarked, updated_at, updated_by) VALUES (?, ?, ?, 1, 0, NULL)',
  );
  // In one transaction: the service runs on this thread, and closes connections that stay idle while each row reaches the disk.
  file.transaction(() => {
    for (let n = 0; n < 401; n++) insert.run(OF_CASE, `op-${String(n).padStart(3, '0')}`, n === 400 ? 'the last' : '');
  })();
  file.close();
  const { bytes } = await desk.call('caseReportJson', { params: { case_id: id } });
  expect(JSON.parse(bytes.toString()).investigator.annotations).toMatchObject([{ note: 'the last' }]);
});

it('opens a file of tags and notes from before there were authors and bookmarks', () => {
  const path = join(temporaryFolder(), 'annotations.sqlite');
  const old = new Database(path);
  old.exec(`
    CREATE TABLE annotations (operation_id TEXT PRIMARY KEY, note TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT;
    CREATE TABLE tags (
      tag TEXT NOT NULL, operation_id TEXT NOT NULL REFERENCES annotations ON DELETE CASCADE, place INTEGER NOT NULL,
      PRIMARY KEY (tag, operation_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO annotations VALUES ('op', 'an old note', 0);
    INSERT INTO tags VALUES ('old', 'op', 0);
    PRAGMA application_id = ${0x43734131};
  `);
  old.close();
  const file = openAnnotations(path);
  const read = { tags: ['old'], note: 'an old note', updated_by: null };
  expect(findAnnotation(file, 'op')).toMatchObject({ ...read, bookmarked: false });
  annotate(file, 'op', { bookmarked: true }, { by: null, at: 1, orgId: OF_CASE, append: () => undefined });
  expect(findAnnotation(file, 'op')).toMatchObject({ ...read, bookmarked: true });
  file.close();
});
