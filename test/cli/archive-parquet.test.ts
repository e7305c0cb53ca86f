// docs/archive.md, "For programs that search": a Parquet file for each run, made again once payloads were erased.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import { FolderStore } from '../../src/service/archive/folder-store.ts';
import { archiveHost, shipped } from '../support/archive.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { submitNext } from '../support/service.ts';

const compressors = { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) };

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.parquet'))
    .sort();

async function read(path: string) {
  const { buffer } = Uint8Array.from(readFileSync(path));
  const metadata = parquetMetadata(buffer);
  const said = Object.fromEntries((metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value]));
  const columns = ['ledger', 'seq_no', 'payload'];
  return { said, rows: await parquetReadObjects({ file: buffer, metadata, columns, compressors }) };
}

it('writes each run once, by issuer, organization and day, and again without what was erased', async () => {
  const host = await archiveHost();
  const [archive, to] = [temporaryFolder(), temporaryFolder()];
  const store = new FolderStore(archive);
  const secret = 'word-that-is-erased-later';
  const { operation_id } = await submitNext(host.account, host.signer, { payload: { text: secret } });
  await host.seal(2);
  await shipped(host.service.dataDir, store);
  await host.seal(4);
  await shipped(host.service.dataDir, store);
  // What a crash left.
  mkdirSync(join(to, '.countersign-run-x'));
  writeFileSync(join(to, '.countersign-run-x', 'run'), secret);
  const parquet = () => run('archive', 'parquet', archive, '--to', to);
  expect(await parquet()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^(written {2}\S+ {2}\d records\n){2}$/),
  });
  const names = filesBelow(to);
  const folder = `issuer=${host.service.kid}/org=${host.account.orgId}`;
  const shown = names.map((name) => name.replace(/day=\d{4}-\d\d-\d\d/, 'day=DAY'));
  expect(shown).toEqual([`${folder}/day=DAY/1-1.parquet`, `${folder}/day=DAY/2-2.parquet`]);
  const files = await Promise.all(names.map((name) => read(join(to, name))));
  expect(files.map(({ rows }) => rows.map(({ seq_no }) => Number(seq_no)))).toEqual([
    [1, 2, 3],
    [4, 5, 6, 7],
  ]);
  const runs = (await store.list()).map(({ path }) => path).sort();
  expect(files.map(({ said }) => said['countersign.source'])).toEqual(runs);
  const digests = await Promise.all(runs.map(async (path) => `sha256:${await store.digest(path)}`));
  expect(files.map(({ said }) => said['countersign.source_digest'])).toEqual(digests);
  expect(await parquet()).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to write') });

  await host.account.client.ok('eraseOperation', { params: { operation_id }, body: { reason: 'asked for' } });
  await shipped(host.service.dataDir, store);
  expect((await parquet()).stdout).toMatch(
    /^removed {2}\S+\/1-1\.parquet\nwritten {2}\S+\/1-1\.e\d+\.parquet {2}3 records\n$/,
  );
  const [first = ''] = filesBelow(to);
  const { rows } = await read(join(to, first));
  expect(rows.map(({ payload }) => payload === null || payload === undefined)).toEqual([true, false, false]);
  const left = readdirSync(to, { recursive: true, encoding: 'utf8', withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const { parentPath, name } of left) expect(readFileSync(join(parentPath, name)).includes(secret)).toBe(false);
});

/** What DuckDB answers, its numbers as text. */
async function asked(sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

it('is counted and added up by DuckDB as the ledgers have it', async () => {
  const hosts = [await archiveHost(), await archiveHost()];
  const [archive, to] = [temporaryFolder(), temporaryFolder()];
  const wanted: string[][] = [];
  for (const [n, { service, account, signer, seal }] of hosts.entries()) {
    for (const amount of [12.5, 7, 0.25]) {
      await submitNext(account, signer, { payload: { amount: amount * (n + 1), text: 'Überweisung an 山田' } });
    }
    await seal(n + 1);
    await shipped(service.dataDir, new FolderStore(archive));
    const records = 3 + n + 1;
    const sum = (19.75 * (n + 1)).toFixed(2);
    wanted.push([service.kid, account.orgId, `${records}`, `${(records * (records + 1)) / 2}`, sum, '3']);
  }
  expect(await run('archive', 'parquet', archive, '--to', to)).toMatchObject({ code: 0 });
  const all = `read_parquet('${join(to, '**', '*.parquet').replaceAll('\\', '/')}', hive_partitioning = true)`;
  const found = await asked(`
    SELECT issuer, org::VARCHAR AS organization, count(*), sum(seq_no)::BIGINT,
      sum((payload->>'$.amount')::DECIMAL(10, 2))::VARCHAR, count(*) FILTER (payload LIKE '%山田%')
    FROM (SELECT issuer, org, seq_no, payload::JSON AS payload FROM ${all}) GROUP BY ALL ORDER BY organization`);
  expect(found.map((row) => row.map(String))).toEqual(wanted.sort(([, a = ''], [, b = '']) => (a < b ? -1 : 1)));
  // By what the folders are called, and by what stands in the files.
  expect(await asked(`SELECT count(*) FROM ${all} WHERE issuer <> issuer_kid OR org::VARCHAR <> org_id`)).toEqual([
    ['0'],
  ]);
});
