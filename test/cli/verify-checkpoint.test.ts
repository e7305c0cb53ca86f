// countersign verify --checkpoint: what comes of kept checkpoints has its own tests in test/protocol/checkpoint.test.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { VerificationReport } from '../../src/protocol/index.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { serviceKids } from '../support/vectors.ts';

const vector = (name: string): string => fileURLToPath(new URL(`../vectors/${name}`, import.meta.url));
const bundle = vector('bundle-whole.json');
const trust = serviceKids.flatMap((kid) => ['--trust', kid]);
const [kept, wrong] = [vector('checkpoint.txt'), vector('checkpoint-wrong.txt')];
const folder = temporaryFolder();

describe('verify --checkpoint', () => {
  it('holds the bundle against each checkpoint that is named', async () => {
    const { code, stdout } = await run(
      'verify',
      bundle,
      ...trust,
      '--json',
      '--checkpoint',
      kept,
      '--checkpoint',
      wrong,
    );
    const { checks, findings } = JSON.parse(stdout) as VerificationReport;
    expect([code, checks.reconciliation.counts]).toEqual([1, { compared: 2, out_of_scope: 0 }]);
    expect(findings.map(({ code: found, where }) => [found, where.file])).toEqual([['EQUIVOCATION', wrong]]);
    expect((await run('verify', bundle, ...trust, '--checkpoint', kept)).code).toBe(0);
  });

  it('writes a proof that verifies by itself', async () => {
    const proof = join(folder, 'proof.json');
    await run('verify', bundle, ...trust, '--checkpoint', wrong, '--proof', proof);
    expect(JSON.parse(readFileSync(proof, 'utf8'))).toMatchObject({ kind: 'checkpoint', number: 31 });
    const judged = await run('verify', proof, ...trust);
    expect([judged.code, judged.stdout]).toEqual([0, expect.stringContaining('two statements about a log of size 31')]);
  });

  it('names what was signed in the report for people', async () => {
    const { stdout } = await run('verify', bundle, ...trust, '--checkpoint', wrong);
    expect(stdout).toContain('checkpoint of the log at size 31');
  });

  it.each([
    ['a missing file', [bundle, '--checkpoint', join(folder, 'missing')]],
    ['a folder', [bundle, '--checkpoint', folder]],
    ['a stored ledger', ['--data-dir', folder, '--checkpoint', kept]],
  ])('is wrong usage with %s', async (_, args) => {
    expect((await run('verify', ...args, ...trust)).code).toBe(2);
  });

  it('leaves the verdict open where the file is no checkpoint', async () => {
    const path = join(folder, 'notes.txt');
    writeFileSync(path, 'my notes\n');
    expect((await run('verify', bundle, ...trust, '--checkpoint', path)).code).toBe(3);
  });
});
