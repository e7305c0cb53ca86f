// Protocol V120: what each of the other verifiers says of kept checkpoints.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/protocol/index.ts';
import { makeBundle } from '../support/bundle-maker.ts';
import { CHECKPOINT_TRUST, type KeptCase, keptCases } from '../support/checkpoints.ts';
import { WHOLE } from '../support/dishonest.ts';
import { hasPython, printedBy } from '../support/fuzz/verifier-process.ts';
import { inFile } from '../support/two-verifiers.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

interface Said {
  readonly verdict: Verdict;
  readonly codes: readonly string[];
}

/** What is found of a checkpoint; of other damage each verifier tells in its own way what follows from what. */
const OF_CHECKPOINTS = ['CONTRADICTION', 'EQUIVOCATION', 'MALFORMED', 'NOT_COMPARED', 'RECEIPT_SIGNATURE_INVALID'];
const said = (verdict: Verdict, codes: readonly string[]): Said => ({
  verdict,
  codes: OF_CHECKPOINTS.filter((code) => codes.includes(code)),
});
const wanted = ({ verdict, codes }: KeptCase): Said => said(verdict, codes);
const [files, others] = [true, false].map((isNone) =>
  keptCases.filter(({ codes }) => codes.includes('MALFORMED') === isNone),
);

interface Script {
  verifyBundleFile(
    path: string,
    options: { readonly trust: readonly string[]; readonly checkpoint: readonly string[] },
  ): { readonly verdict: Verdict; readonly finding_counts: Readonly<Record<string, number>> };
}

const script = (await import(pathToFileURL(here('../../resources/verifier/verify-bundle.mjs')).href)) as Script;

async function pythonSays(
  bundle: string,
  checkpoints: readonly string[],
  besides: readonly string[] = [],
): Promise<Said & { readonly findings: number }> {
  const flags = checkpoints.flatMap((path) => ['--checkpoint', path]);
  const trust = [...CHECKPOINT_TRUST, ...besides].flatMap((kid) => ['--trust', kid]);
  const { stdout, stderr } = await printedBy('python', bundle, '--json', ...trust, ...flags);
  expect(stderr).toBe('');
  const { verdict, findings } = JSON.parse(stdout) as { verdict: Verdict; findings: { readonly code: string }[] };
  return {
    ...said(
      verdict,
      findings.map(({ code }) => code),
    ),
    findings: findings.length,
  };
}

describe('the verifier in one file on kept checkpoints', () => {
  it.each(keptCases)('says the same of $what', (one) => {
    const checkpoint = one.checkpoints.map(inFile);
    const { verdict, finding_counts } = script.verifyBundleFile(inFile(makeBundle(one.made).text), {
      trust: [...CHECKPOINT_TRUST, ...(one.trust ?? [])],
      checkpoint,
    });
    expect(said(verdict, Object.keys(finding_counts))).toEqual(wanted(one));
  });
});

describe.skipIf(!hasPython())('the verifier in Python on kept checkpoints (skipped where python3 is missing)', () => {
  it.each(others ?? [])('says the same of $what', async (one) => {
    const bundle = inFile(makeBundle(one.made).text);
    const { findings: _, ...answer } = await pythonSays(bundle, one.checkpoints.map(inFile), one.trust);
    expect(answer).toEqual(wanted(one));
  });

  it('does not mistake another file for a checkpoint', async () => {
    const given = (files ?? []).flatMap(({ checkpoints }) => checkpoints.map(inFile));
    expect(given.length).toBeGreaterThan(30);
    expect(await pythonSays(inFile(makeBundle(WHOLE).text), given)).toEqual({
      verdict: 'incomplete',
      codes: ['MALFORMED', 'NOT_COMPARED'],
      findings: 2 * given.length,
    });
  });
});
