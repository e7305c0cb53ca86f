import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian puts the servers, a folder a version. */
const DEBIAN = '/usr/lib/postgresql';
const OLDEST = 15;

/**
 * The folder of PostgreSQL's programs, of version 15 or later: COUNTERSIGN_POSTGRES names it, or Debian's is installed.
 * @returns undefined where there is none
 */
export function postgresFolder(): string | undefined {
  const { COUNTERSIGN_POSTGRES: named = '' } = process.env;
  if (named !== '') return named;
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  return versions
    .filter((version) => version >= OLDEST)
    .toSorted((a, b) => b - a)
    .map((version) => join(DEBIAN, String(version), 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}
