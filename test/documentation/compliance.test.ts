// scripts/docs/compliance.ts: what it names exists. Members, screens and routes the compiler checks.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FRAMEWORKS } from '../../scripts/docs/compliance.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { agentActionJsonSchema } from '../../src/actions/profile/index.ts';
import { run } from '../support/command-line.ts';

const rows = FRAMEWORKS.flatMap(({ name, requirements }) => requirements.map((row) => ({ name, ...row })));
const named = (kind: 'profile' | 'commands' | 'documents'): string[] => [
  ...new Set(rows.flatMap(({ answeredBy }) => answeredBy[kind] ?? [])),
];

describe('the table of compliance', () => {
  it('names members of the payload profile that there are', () => {
    const { properties } = agentActionJsonSchema() as { properties: Record<string, unknown> };
    expect(named('profile').filter((member) => !(member in properties))).toEqual([]);
  });

  it.each(named('commands'))('names a command that there is: %s', async (command) => {
    const { code, stdout } = await run(...command.split(' '), '--help');
    expect(stdout).toContain(`countersign ${command}`);
    expect(code).toBe(0);
  });

  it.each(named('documents'))('names a document that there is: %s', (path) => {
    expect(existsSync(join(ROOT, 'docs', path.split('#')[0] ?? ''))).toBe(true);
  });

  it('says of every requirement what answers it and what is left open', () => {
    for (const { name, of, answeredBy, open } of rows) {
      expect(Object.values(answeredBy).flat().length, `${name} ${of}`).toBeGreaterThan(0);
      expect(open, `${name} ${of}`).not.toBe('');
    }
  });
});
