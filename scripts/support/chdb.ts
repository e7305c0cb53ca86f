import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.ts';

/** ClickHouse within a process, which tests of the search engine run: no dependency, since its library has 566 MB. */
export const CHDB = { package: 'chdb', version: '3.4.0' } as const;

/** Where chdb is: COUNTERSIGN_CHDB names the folder that it was installed into with npm, else it may be among the own packages. */
export function chdbPath(): string | undefined {
  const { COUNTERSIGN_CHDB: chosen } = process.env;
  const path = join(chosen || ROOT, 'node_modules', CHDB.package);
  return existsSync(join(path, 'index.js')) ? path : undefined;
}
