// docs/decisions/0095-archive.md: a central node that is killed at any step of accepting continues where it was, and one that is made again from the runs
// alone has accepted the same. One that follows a sweep goes on too (0108-retention-of-the-archive.md).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { acceptedRuns } from '../../src/service/archive/accepted-runs.ts';
import { FolderStore } from '../../src/service/archive/folder-store.ts';
import type { AcceptedRun } from '../../src/service/archive/follow.ts';
import { verifyDataDir } from '../../src/service/light.ts';
import { archiveHost, shipped } from '../support/archive.ts';
import { folderPlace } from '../support/archive-places.ts';
import { hold, kept, recorded, SECRET, showing } from '../support/archive-retention.ts';
import { builtChild } from '../support/built-command.ts';
import { atEnd } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/folders.ts';
import { sweep } from '../support/retention.ts';

const folder = temporaryFolder();
const kids: string[] = [];
let expected: AcceptedRun[] = [];
const reference = join(temporaryFolder(), 'central');

type Ended = [number | null, NodeJS.Signals | null];

/** A central node in a process that looks at an archive once. @returns its exit code, and the signal that it ended by */
async function node(args: readonly string[], env = process.env): Promise<Ended> {
  const child = spawn(process.execPath, [builtChild('central-child'), ...args], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  atEnd(() => void child.kill('SIGKILL'));
  return (await once(child, 'close')) as Ended;
}

const central = (dataDir: string, step = 'none', count = 1): Promise<Ended> =>
  node([dataDir, folder, step, String(count), ...kids]);

function acceptedIn(dataDir: string): AcceptedRun[] {
  const ledger = new Database(join(dataDir, 'ledger.sqlite'), { readonly: true });
  const orgId = ledger.prepare('SELECT org_id FROM organizations').pluck().get();
  const records = ledger
    .prepare("SELECT count(*) FROM operations WHERE operation_type = 'archive.accept'")
    .pluck()
    .get();
  ledger.close();
  const accepted = acceptedRuns(dataDir, String(orgId));
  expect(accepted).toHaveLength(Number(records));
  return accepted;
}

/** What can be searched: each record once, all of them. */
function indexedIn(dataDir: string): unknown[] {
  const [caseId = '', ...more] = readdirSync(join(dataDir, 'cases')).filter((name) => name.length === 36);
  expect(more).toEqual([]);
  const index = new Database(join(dataDir, 'cases', caseId, 'case.sqlite'), { readonly: true });
  const records = index.prepare('SELECT n, operation_id, leaf_hash, ledger_no FROM records ORDER BY n').all();
  index.close();
  const content = new Database(join(dataDir, 'cases', caseId, 'content.sqlite'), { readonly: true });
  const reached = content.prepare('SELECT indexed_to, judged_to FROM shelves').all();
  content.close();
  expect(reached).toEqual([{ indexed_to: records.length, judged_to: records.length }]);
  return records;
}

beforeAll(async () => {
  for (const epochs of [2, 1]) {
    const host = await archiveHost();
    kids.push(host.service.kid);
    for (let n = 0; n < epochs; n++) {
      await host.seal();
      await shipped(host.service.dataDir, new FolderStore(folder));
    }
  }
  expect(await central(reference)).toEqual([0, null]);
  expected = acceptedIn(reference);
});

it('what was accepted is a signed ledger, which verifies', async () => {
  expect(expected).toHaveLength(3);
  expect(indexedIn(reference)).toHaveLength(6);
  const ledger = new Database(join(reference, 'ledger.sqlite'), { readonly: true });
  const kid = String(ledger.prepare('SELECT kid FROM service_keys').pluck().get());
  ledger.close();
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  expect(await verifyDataDir(reference, [kid], options)).toMatchObject([
    // Who reads, and three runs.
    { verdict: 'verified', bundle: { records: 4 } },
  ]);
});

it('a start with nothing new accepts nothing again', async () => {
  expect(await central(reference)).toEqual([0, null]);
  expect(acceptedIn(reference)).toEqual(expected);
  const ledger = new Database(join(reference, 'ledger.sqlite'), { readonly: true });
  // Who reads, and three runs.
  expect(ledger.prepare('SELECT count(*) FROM operations').pluck().get()).toBe(4);
  ledger.close();
});

describe.each([
  ['once it has its identity', 'identity', 1],
  ['once it has signed up', 'signed_up', 1],
  ['once its agent is registered', 'registered', 1],
  ['between verifying a run and recording it', 'verified', 2],
  ['behind the record of the first run', 'accepted', 1],
  ['behind the record of the last run', 'accepted', 3],
] as const)('a central node that is killed %s', (_, step, count) => {
  it('accepts each run once', async () => {
    const dataDir = join(temporaryFolder(), 'central');
    expect(await central(dataDir, step, count)).toEqual([null, 'SIGKILL']);
    expect(await central(dataDir)).toEqual([0, null]);
    expect(acceptedIn(dataDir)).toEqual(expected);
    expect(indexedIn(dataDir)).toEqual(indexedIn(reference));
  });
});

/** Stops a central node; from then on it looks once at a time, each time in a process that may end itself. */
async function stopped({ central: own, place, host }: Awaited<ReturnType<typeof kept>>) {
  const { dataDir } = own.running;
  const key = own.orderKey;
  await own.stop();
  const look = (at: string) => node([dataDir, place.at, at, '1', host.service.kid], { ...process.env, KEEPS: '1' });
  return { dataDir, key, look };
}

describe.each(['decided', 'swept', 'ordered'] as const)(
  'one that follows a sweep and is killed once it has "%s"',
  (step) => {
    it('decides once, and the host finds it', async () => {
      const made = await kept(folderPlace());
      await sweep({ client: made.owner });
      const { dataDir, key, look } = await stopped(made);
      expect(await look(step)).toEqual([null, 'SIGKILL']);
      expect(await look('none')).toEqual([0, null]);
      const ship = () => shipped(made.host.service.dataDir, made.place.store, { archiveKeys: [key] });
      expect(await ship()).toMatchObject([{ outcome: 'replaced' }]);
      expect(await look('none')).toEqual([0, null]);
      const ledger = new Database(join(dataDir, 'ledger.sqlite'), { readonly: true });
      const counts = ledger.prepare(
        "SELECT operation_type, count(*) FROM operations WHERE agent_id = 'archive' GROUP BY 1",
      );
      expect(Object.fromEntries(counts.raw().all() as [string, number][])).toEqual({
        'archive.accept': 2,
        'archive.erase': 1,
        'archive.keepers': 1,
        'archive.readers': 1,
        'archive.replace': 1,
        'archive.sweep': 1,
      });
      ledger.close();
      expect(await showing(made, SECRET)).toEqual([]);
      expect(await ship()).toEqual([]);
    });
  },
);

describe.each(['decided', 'recalled', 'withdrawn', 'ordered'] as const)(
  'one that calls a decision back and is killed once it has "%s"',
  (step) => {
    it('decides about what is left once, and leaves the host nothing else', async () => {
      const made = await kept(folderPlace());
      await sweep({ client: made.owner });
      await made.central.follow();
      await hold(made, 'salted');
      const { key, look } = await stopped(made);
      expect(await look(step)).toEqual([null, 'SIGKILL']);
      expect(await look('none')).toEqual([0, null]);
      expect(await look('none')).toEqual([0, null]);
      expect(recorded(made, 'archive.erase')).toMatchObject([{ seq_no: '1-2,4' }, { seq_no: '1,4' }]);
      expect(recorded(made, 'archive.recall')).toMatchObject([{ records: 1, left: 0 }]);
      const ship = () => shipped(made.host.service.dataDir, made.place.store, { archiveKeys: [key] });
      expect(await ship()).toMatchObject([{ outcome: 'replaced' }]);
      expect(await look('none')).toEqual([0, null]);
      expect(recorded(made, 'archive.replace')).toMatchObject([{ withheld: '1,4' }]);
      expect(await ship()).toEqual([]);
    });
  },
);
