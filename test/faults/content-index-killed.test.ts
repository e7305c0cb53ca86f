// A service that is killed while its content index takes records in: every start goes on from there, and each search finds what the
// ledger holds, no record twice and none left out.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { contentPaths } from '../../src/service/search/content-index/catalog.ts';
import { Client } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { serve } from '../support/processes.ts';
import { firstOwner, registerAgent } from '../support/service.ts';
import { until } from '../support/until.ts';

const BATCHES = 5;
const RECORDS_OF_A_BATCH = 200;
const PRIMES = [2, 3, 7, 101];

/** Up to which record the index holds all, or 0 where it was not begun. */
function indexedTo(dataDir: string): number {
  const { catalog } = contentPaths(dataDir);
  if (!existsSync(catalog)) return 0;
  const sqlite = new Database(catalog);
  try {
    // The kill may come between the file and its tables.
    if (sqlite.pragma('user_version', { simple: true }) === 0) return 0;
    return (sqlite.prepare('SELECT max(indexed_to) FROM shelves').pluck().get() as number | null) ?? 0;
  } finally {
    sqlite.close();
  }
}

it('is continued by the next start', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const start = () => serve(dataDir, '--log-level', 'silent');
  let service = start();
  let owner = await firstOwner(await service.listening(), dataDir);
  const signer = await registerAgent(owner);
  const search = (query: string, limit = 1) => owner.client.ok('auditQuery', { body: { query, limit } });
  const wordsOf = (n: number): string =>
    PRIMES.filter((prime) => n % prime === 0)
      .map((prime) => `multiple${prime}`)
      .join(' ');
  const behind: number[] = [];
  let taken = 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    const records = Array.from({ length: RECORDS_OF_A_BATCH }, () => {
      taken++;
      return signer.next({ payload: { text: `${wordsOf(taken)} only${taken}`, pad: 'words of a pad '.repeat(20) } });
    });
    await owner.client.ok('submitBatch', { body: { records } });
    if (batch % 2 === 0) continue;
    // Whoever asks waits until the index has taken in the newest records, and this one waits in vain.
    const unanswered = expect(search('only1')).rejects.toThrow();
    expect(await service.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL', stderr: '' });
    await unanswered;
    behind.push(taken - indexedTo(dataDir));
    service = start();
    owner = { ...owner, client: new Client(await service.listening(), owner.client.token) };
  }
  expect(Math.max(...behind)).toBeGreaterThan(0);
  await until('the index to have taken in all records', async () => {
    const { coverage } = await search('only1');
    return coverage?.indexed_to === taken && coverage.pending === 0;
  });
  for (const prime of PRIMES) {
    const found: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await owner.client.ok('auditQuery', {
        body: { query: `multiple${prime}`, limit: 100, ...(cursor === undefined ? {} : { cursor }) },
      });
      found.push(...page.data.map(({ seq_no }) => seq_no));
      cursor = page.hasMore ? (page.nextCursor ?? undefined) : undefined;
    } while (cursor !== undefined);
    const expected = Array.from({ length: Math.floor(taken / prime) }, (_, n) => (n + 1) * prime);
    expect(found.sort((a, b) => a - b)).toEqual(expected);
  }
  for (const n of [1, 400, 401, taken]) {
    expect((await search(`only${n}`)).data.map(({ seq_no }) => seq_no)).toEqual([n]);
  }
  await service.kill('SIGTERM');
});
