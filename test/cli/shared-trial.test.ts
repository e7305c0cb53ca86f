// countersign shared trial: two nodes in processes of their own, of which the active one is taken away twice.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { postgresFolder } from '../../src/cli/shared/postgres-pair.ts';
import { temporaryFolder } from '../support/folders.ts';
import { CommandProcess, PATIENCE_MS } from '../support/processes.ts';

const HAS_POSTGRES = postgresFolder() !== undefined;

it.each([
  { options: ['--kill'], log: [], times: HAS_POSTGRES ? 3 : 2 },
  { options: ['--kill'], log: [join(temporaryFolder(), 'log')], times: 2 },
  { options: [], log: [], times: 2 },
])(
  'shows that nothing is lost when the active node and the primary end $options $log.length',
  { timeout: 3 * PATIENCE_MS },
  async ({ options, log, times }) => {
    const trial = new CommandProcess(['shared', 'trial', ...options, ...log]);
    const { code, stdout, stderr } = await trial.ended;
    expect(stderr).toBe('');
    expect(stdout.match(/^ {2}50 records with a receipt each$/gm)).toHaveLength(times + 1);
    expect(stdout.includes('the primary of the database was killed')).toBe(times === 3);
    expect(stdout).toContain('Verdict: verified');
    expect(code).toBe(0);
  },
);
