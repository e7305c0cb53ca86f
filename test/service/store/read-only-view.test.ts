// What a service's parts read the ledger with: the writer's own connection, on which they can change nothing.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sql } from '../../../src/service/store/drizzle.ts';
import { openStore } from '../../../src/service/store/open.ts';
import { readOnlyView } from '../../../src/service/store/read-only-view.ts';
import { knownPages, organizations } from '../../../src/service/store/schema.ts';
import { Writer } from '../../../src/service/store/writer.ts';
import { atEnd } from '../../support/cleanup.ts';
import { temporaryFolder } from '../../support/folders.ts';

const file = openStore(join(temporaryFolder(), 'ledger.sqlite'));
atEnd(() => file.close());
const writer = new Writer(file);
const store = readOnlyView(file);
const organization = { orgId: 'org', name: 'Organization', description: null, createdAt: 0 };

it('reads, also what a commit that is under way has changed', async () => {
  const seen = await writer.transact((tx) => {
    tx.db.insert(organizations).values(organization).run();
    return store.statement('SELECT name FROM organizations').pluck().get();
  });
  expect(seen).toBe('Organization');
  expect(store.db.select().from(organizations).all()).toHaveLength(1);
  expect(store.sqlite.transaction(() => store.sqlite.pragma('page_size', { simple: true }))()).toBe(4096);
});

it.each<[string, () => unknown]>([
  ['a prepared statement', () => store.statement("UPDATE organizations SET name = 'other'")],
  ['a statement that answers with rows', () => store.sqlite.prepare('DELETE FROM organizations RETURNING name')],
  ['a query of drizzle', () => store.db.all(sql`UPDATE organizations SET name = 'other' RETURNING name`)],
  ['a change by drizzle', () => (store.db as typeof file.db).delete(knownPages).run()],
  ['a script', () => store.sqlite.exec('DELETE FROM known_pages')],
  ['a pragma', () => store.sqlite.pragma('user_version = 1')],
])('refuses %s that writes', (_, write) => {
  expect(write).toThrow('outside the writer');
  expect(file.db.select().from(organizations).all()).toEqual([{ ...organization, separateDuties: 0, recordBytes: 0 }]);
});

it('is changed by no commit outside a task of the writer', async () => {
  await expect(writer.commit((tx) => tx.db.delete(organizations).run())).rejects.toThrow('outside a task');
});
