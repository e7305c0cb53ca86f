// countersign shared trial: two nodes in processes of their own, of which the active one is taken away twice.
import { expect, it } from 'vitest';
import { CommandProcess, PATIENCE_MS } from '../support/processes.ts';

it.each([['--kill'], []])(
  'shows that nothing is lost when the active node ends %s',
  { timeout: PATIENCE_MS },
  async (...options) => {
    const trial = new CommandProcess(['shared', 'trial', ...options]);
    const { code, stdout, stderr } = await trial.ended;
    expect(stderr).toBe('');
    expect(stdout.match(/^ {2}50 records with a receipt each$/gm)).toHaveLength(2);
    expect(stdout).toContain('Verdict: verified');
    expect(code).toBe(0);
  },
);
