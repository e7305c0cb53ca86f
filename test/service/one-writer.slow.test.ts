// docs/architecture.md, Parts of the service, store: what its commits change, applied to an empty file, gives the ledger's whole file. So
// whatever the service keeps there goes through one call, in one order.
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { ROUTES, type Route, type RouteName } from '../../src/api/index.ts';
import { openStore } from '../../src/service/store/open.ts';
import { Writer } from '../../src/service/store/writer.ts';
import { CapturedChanges, rowsOf } from '../support/captured-changes.ts';
import { atEnd } from '../support/cleanup.ts';
import { LEDGER } from '../support/every-route/ledger.ts';
import { PEOPLE } from '../support/every-route/people.ts';
import { type Act, World } from '../support/every-route/world.ts';
import { seedOf } from '../support/extent.ts';
import { temporaryFolder } from '../support/folders.ts';
import { startGithubProvider } from '../support/github-provider.ts';
import { providerSettings, register } from '../support/oauth-service.ts';
import { startOidcProvider } from '../support/oidc-provider.ts';
import { SeededRandom } from '../support/random.ts';
import { TestService } from '../support/service.ts';
import { startSmtpServer } from '../support/smtp-server.ts';

const SEED = seedOf(43);
const ROUNDS = 2;
const AT_ONCE = 3;

/** What only changes something where the clock is in doubt or was wrong, which it is in test/faults/clock.test.ts. */
const OF_A_WRONG_CLOCK: readonly RouteName[] = ['confirmClock', 'correctClock'];

/** Routes that can change stored state: all but those that only ask, of which two leave a trace. */
const CHANGING = (Object.entries(ROUTES) as [RouteName, Route][])
  .filter(([name]) => !OF_A_WRONG_CLOCK.includes(name))
  .filter(([name, { method }]) => method !== 'GET' || name === 'signInCallback' || name === 'downloadExport')
  .map(([name]) => name);

/** A new order, drawn. */
function shuffled<T>(items: readonly T[], random: SeededRandom): T[] {
  const drawn = items.map((item) => ({ item, at: random.next() }));
  return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

async function act(world: World, acts: readonly Act[]): Promise<void> {
  const waiting = [...acts];
  const one = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next(world);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

describe(`a service of which every route was used (seed ${SEED})`, async () => {
  const captured = new CapturedChanges();
  const log = join(temporaryFolder(), 'log');
  const google = await startOidcProvider();
  const github = await startGithubProvider();
  const smtp = await startSmtpServer();
  atEnd(async () => {
    await Promise.all([google.close(), github.close(), smtp.close()]);
  });
  const service = await TestService.start(
    {
      ...providerSettings(google, github),
      smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
      smtpFrom: 'audit@example.org',
      webhookAllowPrivate: true,
      epochMaxLeaves: 50,
      trustStore: join(temporaryFolder(), 'trust.json'),
    },
    { aroundCommit: captured.keptFirst(async (rows) => void (await appendFile(log, `${JSON.stringify(rows)}\n`))) },
  );
  const webhookUrl = github.url.replace('http:', 'https:');
  const world = new World(service, new SeededRandom(SEED), smtp, webhookUrl);
  for (let count = 0; count < 3; count++) world.owners.push(await world.signUp());
  for (let round = 1; round <= ROUNDS; round++) {
    if (round > 1) await service.restart();
    register(service, google, github);
    google.person = { sub: `google-${round}`, email: `google-${round}@example.org`, email_verified: true, name: 'G' };
    github.user = { id: round, login: `github-${round}`, name: null };
    github.emails = [{ email: `github-${round}@example.org`, primary: true, verified: true }];
    await act(world, shuffled([...PEOPLE, ...LEDGER], world.random));
  }
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
