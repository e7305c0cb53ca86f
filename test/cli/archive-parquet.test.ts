// docs/archive.md, "For programs that search": a Parquet file for each run, made again once payloads were erased.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
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
