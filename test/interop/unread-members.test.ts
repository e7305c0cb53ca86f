// protocol V13: where a member that everything rests on cannot be read, no verifier calls a check passed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folders.ts';
import { hasPython, type ProgramName, printedBy } from '../support/fuzz/verifier-process.ts';
import { bundleTexts, serviceKids } from '../support/vectors.ts';
import { verifyFile } from '../support/verifying.ts';

const [KEY = ''] = serviceKids;

/** A status of each check, as a program prints it. */
async function printed(
  program: ProgramName,
  text: string,
): Promise<{ readonly status: number; readonly checks: unknown[] }> {
  const path = join(temporaryFolder(), 'bundle.json');
  writeFileSync(path, text);
  const { status, stdout } = await printedBy(program, path, '--json', `--trust=${KEY}`);
  const { checks } = JSON.parse(stdout) as { checks: Readonly<Record<string, string | { readonly status: string }>> };
  return { status, checks: Object.values(checks).map((check) => (typeof check === 'string' ? check : check.status)) };
}

describe.each(['org', 'edges', 'manifest', 'manifest_signature'])('a bundle whose %s cannot be read', (member) => {
  const text = JSON.stringify({ ...(JSON.parse(bundleTexts['bundle-whole.json']) as object), [member]: 'none' });

  it('has no check that passed', async () => {
    const { verdict, checks } = await verifyFile(text, { trustedKids: [KEY] });
    expect(verdict).toBe('failed');
    expect(Object.values(checks).map(({ status }) => status)).not.toContain('pass');
  });

  it('has none for the verifier in one file', async () => {
    const { status, checks } = await printed('single-file', text);
    expect(status).toBe(1);
    expect(checks).not.toContain('pass');
  });

  it.skipIf(!hasPython())('has none for the verifier in Python', async () => {
    const { status, checks } = await printed('python', text);
    expect(status).toBe(1);
    expect(checks).not.toContain('pass');
  });
});
