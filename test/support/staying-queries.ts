import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from './folders.ts';
import type { CommandProcess } from './processes.ts';
import { until } from './until.ts';

/** Has the threads of a process stay within a query that SQLite never comes back from: no signal and no terminate() reaches them there. */
export class StayingQueries {
  readonly #asked: string;
  /** For the process. */
  readonly environment: Readonly<Record<string, string>>;

  constructor() {
    const folder = temporaryFolder();
    this.#asked = join(folder, 'stay');
    const code = join(folder, 'staying.mjs');
    writeFileSync(
      code,
      `import { createRequire } from 'node:module';
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const Database = createRequire(${JSON.stringify(import.meta.url)})('better-sqlite3');
const { prepare } = Database.prototype;
const asked = ${JSON.stringify(this.#asked)};
if (!isMainThread) {
  Database.prototype.prepare = function (sql) {
    if (existsSync(asked) && sql.includes(readFileSync(asked, 'utf8'))) {
      writeSync(2, 'stays');
      prepare.call(this, 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n').get();
    }
    return prepare.call(this, sql);
  };
}`,
    );
    this.environment = { NODE_OPTIONS: `--import ${pathToFileURL(code).href}` };
  }

  /** @param part of the query that they stay in: any from now on without one */
  begin(part = ''): void {
    writeFileSync(this.#asked, part);
  }

  /** Once a thread of the process stays. */
  async begun(process: CommandProcess): Promise<void> {
    await until('it to stay', () => process.stderr.includes('stays') || undefined);
  }
}
