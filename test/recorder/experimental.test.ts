// Which recorders are called experimental: those whose fixtures were written from documentation, and no others.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';
import { PROGRAM_IDS, standingOf } from '../../src/recorder/index.ts';
import { run } from '../support/command-line.ts';

const isDocumented = (id: string): boolean => existsSync(join(ROOT, 'test/recorder/fixtures', id, 'documented'));

describe('a program that is known from its documentation alone', () => {
  it.each(PROGRAM_IDS)('is called experimental, and no other is: %s', (id) => {
    expect(standingOf(id)).toBe(isDocumented(id) ? ' (experimental)' : '');
  });

  it('is called so in the list of programs', async () => {
    const { stdout } = await run('record', 'install', '--help');
    const listed = stdout.replace(/\s+/g, ' ');
    for (const id of PROGRAM_IDS) expect(listed.includes(`${id} (experimental)`)).toBe(isDocumented(id));
  });
});
