// docs/interface.md, Annotations: tags, notes and bookmarks over the live ledger, and the log of who wrote what.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/api/index.ts';
import { expectError } from '../support/client.ts';
import { type Account, bundleOf, registerAgent, TestService } from '../support/service.ts';

const service = await TestService.start();

/** An organization of its own with some records. */
async function ledgerOf(records: number) {
  const owner = await service.signUp();
  const signer = await registerAgent(owner);
  const ids: string[] = [];
  for (let n = 0; n < records; n++) {
    const { operation_id } = await owner.client.ok('submitOperation', { body: signer.next({ payload: { n } }) });
    ids.push(operation_id);
  }
  const [first = '', second = '', third = ''] = ids;
  return { owner, ids, first, second, third };
}

const annotate = ({ client }: Account, operation_id: string, body: object) =>
  client.ok('annotateLive', { params: { operation_id }, body });
const found = async ({ client }: Account, query: string, more: object = {}): Promise<number[]> =>
  (await client.ok('auditQuery', { body: { query, ...more } })).data.map(({ seq_no }) => seq_no);

describe('tags, notes and bookmarks of a ledger', () => {
  it('are kept with author and time, and what is left out stays', async () => {
    const { owner, first } = await ledgerOf(1);
    const params = { operation_id: first };
    expectError(await owner.client.call('liveAnnotation', { params }), 'NOT_FOUND');
    await annotate(owner, first, { tags: ['odd', 'odd'], note: 'Ask the branch.' });
    const kept = await annotate(owner, first.toUpperCase(), { bookmarked: true });
    expect(kept).toMatchObject({
      operation_id: first,
      tags: ['odd'],
      note: 'Ask the branch.',
      bookmarked: true,
      updated_by: owner.email,
    });
    expect(Date.parse(kept.updated_at)).toBeGreaterThan(0);
    expect(await owner.client.ok('liveAnnotation', { params })).toEqual(kept);
    await annotate(owner, first, { tags: [], note: '', bookmarked: false });
    expectError(await owner.client.call('liveAnnotation', { params }), 'NOT_FOUND');
  });

  it('come with the first of many tags, and in pages that are not long', async () => {
    const { owner, ids, first } = await ledgerOf(56);
    const { orgId } = owner;
    const insert = service.sql.prepare('INSERT INTO tags (org_id, tag, operation_id, place) VALUES (?, ?, ?, ?)');
    await annotate(owner, first, { note: 'x' });
    for (let n = 0; n < 1001; n++) insert.run(orgId, `tag ${n}`, first, n);
    const note = '\u{1F512}'.repeat(10_000);
    await owner.client.ok('annotateManyLive', { body: { operation_ids: ids.slice(1), add_note: note } });
    const all = await owner.client.ok('liveAnnotations', { query: { limit: '200' } });
    expect([all.tags.length, all.tags_total, all.hasMore]).toEqual([1000, 1001, true]);
    const rest = await owner.client.ok('liveAnnotations', { query: { limit: '200', cursor: all.nextCursor ?? '' } });
    expect([all.data.length + rest.data.length, rest.hasMore]).toEqual([56, false]);
    const log = await owner.client.ok('annotationLog', { query: { limit: '200' } });
    expect(log).toMatchObject({ hasMore: true, damage: [] });
  });

  it('are found by queries, counted among values, and stand in the rows', async () => {
    const { owner, first, second, third } = await ledgerOf(3);
    await annotate(owner, first, { tags: ['look into', 'b'] });
    await annotate(owner, third, { tags: ['b'], bookmarked: true });
    expect(await found(owner, 'tag = "look into"')).toEqual([1]);
    expect(await found(owner, 'tag:look n = 0')).toEqual([1]);
    expect(await found(owner, 'tag = b')).toEqual([3, 1]);
    expect(await found(owner, 'not tag:*')).toEqual([2]);
    expect(await found(owner, 'bookmarked = true')).toEqual([3]);
    expect(await found(owner, 'bookmarked = false', { order: 'oldest' })).toEqual([1, 2]);
    // Without a word of a payload having changed, the same question has another answer.
    await annotate(owner, second, { tags: ['b'], bookmarked: true });
    expect(await found(owner, 'tag = b bookmarked = true')).toEqual([3, 2]);
    const { facets } = await owner.client.ok('facets', { body: { fields: ['tag'] } });
    expect(facets[0]?.values).toEqual([
      { value: 'b', count: 3 },
      { value: 'look into', count: 1 },
    ]);
    const names = await owner.client.ok('names', { body: { field: 'tag', begins: 'lo' } });
    expect(names.data).toEqual([{ text: 'look into', count: 1 }]);
    const rows = await owner.client.ok('auditQuery', { body: { details: true } });
    expect(rows.data.map(({ tags, bookmarked }) => [tags, bookmarked])).toEqual([
      [['b'], true],
      [['b'], true],
      [['look into', 'b'], false],
    ]);
    const asked = await owner.client.ok('auditQuery', {
      body: { query: 'bookmarked = true', details: true, limit: 1 },
    });
    expect(asked.data[0]).toMatchObject({ tags: ['b'], bookmarked: true });
  });

  it('are listed, all or those with a bookmark, with all tags', async () => {
    const { owner, first, second, third } = await ledgerOf(3);
    await annotate(owner, first, { tags: ['a', 'b'] });
    await annotate(owner, second, { bookmarked: true });
    await annotate(owner, third, { tags: ['b'], bookmarked: true });
    const page = await owner.client.ok('liveAnnotations', { query: { limit: '2' } });
    expect(page).toMatchObject({
      hasMore: true,
      tags: [
        { tag: 'a', count: 1 },
        { tag: 'b', count: 2 },
      ],
    });
    const next = await owner.client.ok('liveAnnotations', { query: { limit: '2', cursor: page.nextCursor ?? '' } });
    const ids = [...page.data, ...next.data].map(({ operation_id }) => operation_id);
    expect(ids.toSorted()).toEqual([first, second, third].toSorted());
    const bookmarks = await owner.client.ok('liveAnnotations', { query: { bookmarked: 'true' } });
    expect(bookmarks.data.map(({ operation_id }) => operation_id).toSorted()).toEqual([second, third].toSorted());
    const one = await owner.client.ok('liveAnnotations', { query: { operation_id: second } });
    expect(one.data).toHaveLength(1);
  });

  it('are given to several records at once, and taken away', async () => {
    const { owner, ids, first, second } = await ledgerOf(3);
    await annotate(owner, first, { note: 'Before.', tags: ['a'] });
    const body = { operation_ids: ids, add_tags: ['a', 'z'], add_note: 'Together.', bookmarked: true };
    expect(await owner.client.ok('annotateManyLive', { body })).toEqual({ changed: 3 });
    const of = (operation_id: string) => owner.client.ok('liveAnnotation', { params: { operation_id } });
    expect(await of(first)).toMatchObject({ tags: ['a', 'z'], note: 'Before.\n\nTogether.', bookmarked: true });
    expect(await of(second)).toMatchObject({ tags: ['a', 'z'], note: 'Together.', bookmarked: true });
    const again = { operation_ids: ids, remove_tags: ['z'], bookmarked: true };
    expect(await owner.client.ok('annotateManyLive', { body: again })).toEqual({ changed: 3 });
    expect(await owner.client.ok('annotateManyLive', { body: again })).toEqual({ changed: 0 });
    expect(await of(second)).toMatchObject({ tags: ['a'] });
  });

  it('are given to all of several records or to none', async () => {
    const { owner, ids, first, second } = await ledgerOf(2);
    const tags = Array.from({ length: LIMITS.tagsPerRecord }, (_, n) => `t${n}`);
    await annotate(owner, second, { tags });
    const over = { operation_ids: ids, add_tags: ['one more'] };
    expectError(await owner.client.call('annotateManyLive', { body: over }), 'VALIDATION_ERROR', 'add_tags');
    await annotate(owner, second, { note: 'x'.repeat(LIMITS.note) });
    const long = { operation_ids: ids, add_note: 'y' };
    expectError(await owner.client.call('annotateManyLive', { body: long }), 'VALIDATION_ERROR', 'add_note');
    const unknown = { operation_ids: [first, crypto.randomUUID()], bookmarked: true };
    expectError(await owner.client.call('annotateManyLive', { body: unknown }), 'NOT_FOUND');
    expectError(
      await owner.client.call('annotateManyLive', { body: { operation_ids: ids } }),
      'VALIDATION_ERROR',
      'must have',
    );
    expectError(await owner.client.call('liveAnnotation', { params: { operation_id: first } }), 'NOT_FOUND');
  });

  it('are those of one organization', async () => {
    const [one, other] = [await ledgerOf(1), await ledgerOf(1)];
    await annotate(one.owner, one.first, { tags: ['mine'], bookmarked: true });
    const params = { operation_id: one.first };
    expectError(await other.owner.client.call('liveAnnotation', { params }), 'NOT_FOUND');
    expectError(await other.owner.client.call('annotateLive', { params, body: { note: 'x' } }), 'NOT_FOUND');
    expect(await other.owner.client.ok('liveAnnotations')).toMatchObject({ data: [], tags: [] });
    expect(await found(other.owner, 'tag:* or bookmarked = true')).toEqual([]);
    expect((await other.owner.client.ok('annotationLog')).head).toBeNull();
  });

  it.each(['readonly_investigator', 'integration_engineer'] as const)('are not for a %s', async (role) => {
    const { owner, first } = await ledgerOf(1);
    const { client } = service.addMember(owner, role);
    const params = { operation_id: first };
    expectError(await client.call('annotateLive', { params, body: { note: 'x' } }), 'FORBIDDEN');
    expectError(
      await client.call('annotateManyLive', { body: { operation_ids: [first], bookmarked: true } }),
      'FORBIDDEN',
    );
    expectError(await client.call('removeLiveAnnotation', { params }), 'FORBIDDEN');
    expectError(await client.call('liveAnnotations'), 'FORBIDDEN');
  });

  it('are read by an investigator where duties are separated, and not changed', async () => {
    const { owner, first } = await ledgerOf(1);
    await annotate(owner, first, { note: 'the note' });
    await owner.client.ok('changeOrganization', { body: { separate_duties: true } });
    const { client } = service.addMember(owner, 'readonly_investigator');
    const params = { operation_id: first };
    expect((await client.ok('liveAnnotation', { params })).note).toBe('the note');
    expectError(await client.call('annotateLive', { params, body: { note: 'x' } }), 'FORBIDDEN');
  });
});

describe('the log of what was written', () => {
  it('says who wrote what, newest first, and of one record what was written about it', async () => {
    const { owner, first, second } = await ledgerOf(2);
    const auditor = service.addMember(owner, 'compliance_auditor');
    await annotate(owner, first, { note: 'First.' });
    await auditor.client.ok('annotateLive', { params: { operation_id: first }, body: { note: 'Second.' } });
    await annotate(owner, second, { tags: ['x'] });
    await owner.client.ok('removeLiveAnnotation', { params: { operation_id: second } });
    const log = await owner.client.ok('annotationLog');
    expect(log.data.map(({ entry }) => [entry?.action, entry?.by, entry?.details['note']])).toEqual([
      ['annotation.remove', owner.email, ''],
      ['annotation.set', owner.email, ''],
      ['annotation.set', auditor.email, 'Second.'],
      ['annotation.set', owner.email, 'First.'],
    ]);
    expect(log).toMatchObject({ head: { entry_no: 4, entry_hash: log.data[0]?.entry_hash }, damage: [] });
    const page = await owner.client.ok('annotationLog', { query: { limit: '2' } });
    const rest = await owner.client.ok('annotationLog', { query: { limit: '2', cursor: page.nextCursor ?? '' } });
    expect(rest.data.map(({ entry_no }) => entry_no)).toEqual([2, 1]);
    const ofFirst = await owner.client.ok('annotationLog', { query: { operation_id: first } });
    expect(ofFirst.data.map(({ entry_no }) => entry_no)).toEqual([2, 1]);
    expect(ofFirst.damage).toEqual([]);
  });

  it('leaves nothing in the administrative log, nor in an export', async () => {
    const { owner, first } = await ledgerOf(1);
    const before = await owner.client.ok('listAdminEvents', { query: { limit: '100' } });
    await annotate(owner, first, { note: 'not for the other side', tags: ['suspicious'] });
    expect(await owner.client.ok('listAdminEvents', { query: { limit: '100' } })).toEqual(before);
    const text = (await bundleOf(owner)).toString();
    expect(text).toContain(first);
    expect(text).not.toMatch(/not for the other side|suspicious|annotation/);
  });

  it.each([
    [
      'an entry that was taken out',
      'DELETE FROM annotation_log WHERE org_id = @org AND entry_no = 2',
      'ENTRY_MISSING',
      2,
    ],
    [
      'a note that was changed',
      `UPDATE annotation_log SET entry = replace(entry, 'note 1', 'note x') WHERE org_id = @org AND entry_no = 2`,
      'ENTRY_CHANGED',
      2,
    ],
    [
      'an entry of another organization',
      `UPDATE annotation_log SET (entry, entry_hash) = (SELECT entry, entry_hash FROM annotation_log WHERE org_id <> @org AND entry_no = 2)
       WHERE org_id = @org AND entry_no = 2`,
      'OTHER_LEDGER',
      2,
    ],
  ])('finds %s', async (_, sql, code, entry_no) => {
    const [one, other] = [await ledgerOf(1), await ledgerOf(1)];
    for (const { owner, first } of [one, other]) {
      for (let n = 0; n < 3; n++) await annotate(owner, first, { note: `note ${n}` });
    }
    const file = new Database(join(service.dataDir, 'ledger.sqlite'));
    expect(() => file.prepare(sql).run({ org: one.owner.orgId })).toThrow('log of annotations');
    // Somebody with the file can take the triggers away.
    const triggers = file.prepare(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'annotation_log'`,
    );
    const all = triggers.all() as { name: string; sql: string }[];
    for (const { name } of all) file.exec(`DROP TRIGGER ${name}`);
    file.prepare(sql).run({ org: one.owner.orgId });
    for (const trigger of all) file.exec(trigger.sql);
    file.close();
    const { damage } = await one.owner.client.ok('annotationLog');
    expect(damage[0]).toEqual({ entry_no, code });
  });
});
