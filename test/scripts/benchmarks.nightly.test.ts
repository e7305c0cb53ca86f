// docs/performance.md: what its figures come from still runs, on as little as each program takes.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';
import { temporaryFolder } from '../support/folders.ts';

const run = promisify(execFile);

const SMALL: Readonly<Record<string, () => readonly string[]>> = {
  archive: () => ['--folder', temporaryFolder(), '--ledgers', '2', '--records', '600', '--bytes', '600'],
  audit: () => ['--records', '2000'],
  case: () => ['1000'],
  export: () => ['1000'],
  hostile: () => ['--only', 'unknown-paths', '--seconds', '1', '--batches', '2'],
  ingest: () => ['--records', '600', '--rounds', '1'],
  investigate: () => ['--records', '12000', '--bytes', '300', '--engines', 'segments'],
  'operation-index': () => ['--sizes', '2000', '--rounds', '1'],
  record: () => ['--hooks', '3', '--events', '20', '--idle-seconds', '1'],
  report: () => ['1000'],
  scale: () => ['--small', '1000', '--records', '2000', '--submit', '200'],
  start: () => ['--records', '2000', '--leaves', '64'],
  verify: () => ['1000'],
};

/** What needs more than this machine may have: a display, a browser, servers or packages that are installed by hand. */
const LEFT_OUT = ['desktop', 'peers', 'shared', 'window'];

it('has every program', () => {
  const programs = readdirSync(join(ROOT, 'bench')).flatMap((name) => /^(.*)\.ts$/.exec(name)?.[1] ?? []);
  expect(programs.sort()).toEqual([...Object.keys(SMALL), ...LEFT_OUT].sort());
});

describe.each(Object.entries(SMALL))('%s', (name, args) => {
  it('prints figures', async () => {
    const { stdout } = await run(process.execPath, [join('bench', `${name}.ts`), ...args()], { cwd: ROOT });
    // One text of JSON, or one a line.
    const texts = stdout.trimStart().startsWith('{\n') ? [stdout] : stdout.trim().split('\n');
    for (const text of texts) expect(JSON.parse(text)).toBeInstanceOf(Object);
  });
});
