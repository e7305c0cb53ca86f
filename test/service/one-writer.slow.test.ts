// docs/architecture.md, Parts of the service, store: what its commits change, applied to an empty file, gives the ledger's whole file. So
// whatever the service keeps there goes through one call, in one order.
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/service/store/open.ts';
import { Writer } from '../../src/service/store/writer.ts';
import { CapturedChanges, rowsOf } from '../support/captured-changes.ts';
import { CHANGING, surroundings, useEveryRoute } from '../support/every-route/use.ts';
import { seedOf } from '../support/extent.ts';
import { temporaryFolder } from '../support/folders.ts';
import { TestService } from '../support/service.ts';

const SEED = seedOf(43);
const ROUNDS = 2;

describe(`a service of which every route was used (seed ${SEED})`, async () => {
  const captured = new CapturedChanges();
  const log = join(temporaryFolder(), 'log');
  const around = await surroundings();
  const service = await TestService.start(around.settings, {
    aroundCommit: captured.keptFirst(async (rows) => void (await appendFile(log, `${JSON.stringify(rows)}\n`))),
  });
  const world = await useEveryRoute(service, around, { seed: SEED, rounds: ROUNDS, between: () => service.restart() });
  await service.stop();
  const ledger = rowsOf(join(service.dataDir, 'ledger.sqlite'));

  it('has changed something by each route that can', () => {
    expect(CHANGING.filter((name) => !world.succeeded.has(name))).toEqual([]);
  });

  it('has added rows to every table', () => {
    const added = new Set(captured.statements.map((statement) => /^INSERT INTO (\w+)/.exec(statement)?.[1]));
    expect(Object.keys(ledger).filter((table) => !added.has(table))).toEqual([]);
  });

  it('wrote nothing outside the commits of the writer', () => {
    expect(captured.outside).toEqual([]);
  });

  it('is made again, row by row, of what its writer has committed', () => {
    const replayed = join(temporaryFolder(), 'replayed.sqlite');
    captured.replayInto(replayed);
    expect(rowsOf(replayed)).toEqual(ledger);
  });
});

describe('a write outside the writer', () => {
  it.each<[string, (path: string, sqlite: Database.Database) => void, boolean]>([
    ['by its connection', (_, sqlite) => void sqlite.exec("UPDATE organizations SET name = 'other'"), true],
    [
      'by another connection',
      (path) => {
        const other = new Database(path);
        other.exec("UPDATE organizations SET name = 'other'");
        other.close();
      },
      false,
    ],
  ])('%s is found', async (_, write, isNamed) => {
    const folder = temporaryFolder();
    const path = join(folder, 'ledger.sqlite');
    const store = openStore(path);
    const captured = new CapturedChanges();
    const writer = new Writer(store, captured.around);
    const add = (id: string) =>
      writer.transact(({ sqlite }) =>
        sqlite.exec(`INSERT INTO organizations (org_id, name, created_at) VALUES ('${id}', 'name', 0)`),
      );
    await add('1');
    write(path, store.sqlite);
    await add('2');
    store.close();
    captured.replayInto(join(folder, 'replayed.sqlite'));
    expect(captured.outside).toHaveLength(isNamed ? 1 : 0);
    expect(rowsOf(join(folder, 'replayed.sqlite'))).not.toEqual(rowsOf(path));
  });
});
