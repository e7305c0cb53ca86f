// countersign export (docs/export-formats.md).
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { RECORD_FORM_NAMES, RECORD_FORMS } from '../../src/actions/index.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { bundleTexts } from '../support/vectors.ts';

const folder = temporaryFolder();
const bundle = join(folder, 'whole.csbundle');
writeFileSync(bundle, bundleTexts['bundle-whole.json']);
const packed = join(folder, 'whole.csbundle.gz');
writeFileSync(packed, gzipSync(bundleTexts['bundle-whole.json']));
const { records } = JSON.parse(bundleTexts['bundle-whole.json']) as {
  readonly records: readonly {
    readonly eor: { readonly agent_id: string };
    readonly ear: { readonly seq_no: number };
  }[];
};

async function seqNosOf(path: string): Promise<number[]> {
  const file = Uint8Array.from(readFileSync(path)).buffer;
  const compressors = { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) };
  const rows = await parquetReadObjects({ file, compressors });
  return rows.map((row) => Number(row['seq_no']));
}

describe('countersign export', () => {
  it.each(RECORD_FORM_NAMES)('writes all records of a bundle as %s, and nothing besides', async (form) => {
    const name = `all${RECORD_FORMS[form].ending}`;
    const { code, stdout } = await run('export', bundle, '--as', form, '-o', join(folder, name));
    expect(code).toBe(0);
    expect(stdout).toContain(`${records.length} records as ${RECORD_FORMS[form].name}`);
    expect(stdout).toContain('The file is not evidence, and the bundle was not verified');
    expect(readFileSync(join(folder, name)).includes('A copy without proof.')).toBe(true);
    // Without a query no index is made: the records are the same.
    const found = join(folder, `found${RECORD_FORMS[form].ending}`);
    expect(await run('export', bundle, '--as', form, '--query', '*', '-o', found)).toMatchObject({ code: 0 });
    expect(readFileSync(found).equals(readFileSync(join(folder, name)))).toBe(true);
    expect(readdirSync(folder).filter((one) => one.startsWith('.'))).toEqual([]);
  });

  it('finds what a query means, in a compressed bundle too', async () => {
    const [first] = records;
    const wanted = records.filter(({ eor }) => eor.agent_id === first?.eor.agent_id).map(({ ear }) => ear.seq_no);
    const path = join(folder, 'some.parquet');
    const query = `agent = "${first?.eor.agent_id}"`;
    expect(await run('export', packed, '--as', 'parquet', '--query', query, '-o', path)).toMatchObject({ code: 0 });
    expect(wanted.length).toBeLessThan(records.length);
    expect(await seqNosOf(path)).toEqual(wanted);
  });

  it('refuses to overwrite a file unless it is told to, and its bundle always', async () => {
    const path = join(folder, 'there.csv');
    writeFileSync(path, 'mine');
    expect(await run('export', bundle, '--as', 'csv', '-o', path)).toMatchObject({ code: 2 });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect(await run('export', bundle, '--as', 'csv', '-o', path, '--force')).toMatchObject({ code: 0 });
    expect(readFileSync(path, 'utf8')).toContain('operation_id');
    expect(await run('export', bundle, '--as', 'csv', '-o', bundle, '--force')).toMatchObject({ code: 2 });
  });

  it.each([
    [['--as', 'xml', '-o', 'x'], '--as takes parquet, csv'],
    [['--as', 'csv'], 'name the file to write'],
    [['--as', 'csv', '-o', join(folder, 'none', 'x')], 'the folder does not exist'],
    [['--as', 'csv', '--query', 'tool:(', '-o', join(folder, 'q.csv')], 'query: '],
  ])('says what is wrong with %s', async (args, message) => {
    const { code, stderr } = await run('export', bundle, ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('says of a file that is no bundle, is cut off or is not there that there is no export, and leaves nothing', async () => {
    const out = join(folder, 'out');
    mkdirSync(out);
    const text = join(folder, 'text');
    writeFileSync(text, 'text');
    const cut = join(folder, 'cut.gz');
    writeFileSync(cut, readFileSync(packed).subarray(0, 2000));
    for (const path of [text, cut, join(folder, 'none')]) {
      expect(await run('export', path, '--as', 'csv', '-o', join(out, 'x.csv')), path).toMatchObject({ code: 2 });
    }
    expect(readdirSync(out)).toEqual([]);
  });
});
