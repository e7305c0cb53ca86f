/**
 * One of many writers of a run's name, in a process of its own: `node archive-writer-child.ts ARCHIVE SPOOL CONTENT`. It says that it is ready, creates the
 * run once it is told to, and prints what came of it.
 */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { openRunStore } from '../../src/service/archive/open-run-store.ts';

const [at = '', spool = '', content = ''] = process.argv.slice(2);
const store = await openRunStore({ at, spool });
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const created = await store.create(
  { kid: 'A'.repeat(43), orgId: 'org_1', first: 1, last: 2, erased: null, decided: null },
  async (path) => {
    await writeFile(path, content);
    return true;
  },
);
process.stdout.write(JSON.stringify(created));
process.exit(0);
