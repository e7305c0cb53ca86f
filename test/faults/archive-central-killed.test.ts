// docs/decisions/0095-archive.md: a central node that is killed at any step of accepting continues where it was, and one that is made again from the runs
// alone has accepted the same.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { acceptedRuns } from '../../src/service/archive/accepted-runs.ts';
import { FolderStore } from '../../src/service/archive/folder-store.ts';
import type { AcceptedRun } from '../../src/service/archive/follow.ts';
import { verifyDataDir } from '../../src/service/light.ts';
import { archiveHost, shipped } from '../support/archive.ts';
import { atEnd } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/folders.ts';

const CHILD = fileURLToPath(new URL('../support/central-child.ts', import.meta.url));

const folder = temporaryFolder();
const kids: string[] = [];
let expected: AcceptedRun[] = [];
const reference = join(temporaryFolder(), 'central');

/** A central node in a process that looks at the archive once. @returns the signal that it ended by, and its exit code */
async function central(dataDir: string, step = 'none', count = 1): Promise<[number | null, NodeJS.Signals | null]> {
  const args = [CHILD, dataDir, folder, step, String(count), ...kids];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  atEnd(() => void child.kill('SIGKILL'));
  return (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
}

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
