import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';
import { sizeText } from '../../src/renderer/lib/size.ts';

it('a number of bytes is worded in powers of 1,024', () => {
  expect([0, 1023, 1024, 1536, 150_000, 5 * 1024 ** 3].map((bytes) => sizeText(bytes))).toEqual([
    ...['0 bytes', '1023 bytes', '1 KiB', '1.5 KiB', '146 KiB', '5 GiB'],
  ]);
});

it.each(['renderer', 'cli'])('src/%s writes no unit of sizes itself', (layer) => {
  const folder = join(ROOT, 'src', layer);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  expect(files.filter((name) => /'(?:kB|[KMG]B|[KMG]iB)'/.test(readFileSync(join(folder, name), 'utf8')))).toEqual([]);
});
