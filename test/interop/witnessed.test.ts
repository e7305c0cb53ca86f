// Protocol V182 to V185: what the other verifiers say of witnesses that a reader demands.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeBundle } from '../support/bundle-maker.ts';
import { CHECKPOINT_TRUST, checkpointAt } from '../support/checkpoints.ts';
import { WHOLE } from '../support/dishonest.ts';
import { hasPython, printedBy } from '../support/fuzz/verifier-process.ts';
import { inFile } from '../support/two-verifiers.ts';
import { serviceKids, witnessVectors } from '../support/vectors.ts';
import {
  ALPHA,
  ALPHA_PQ,
  BETA,
  carriedCases,
  cosigned,
  malformedScopes,
  policyOf,
  scopedCases,
  T,
  type WitnessedCase,
  witnessedCases,
  witnessedProofs,
} from '../support/witnessed.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const python = hasPython();

interface Said {
  readonly verdict: string;
  readonly witnessed?: { readonly size: number; readonly until: string | null };
}
interface Given {
  readonly trust: readonly string[];
  readonly checkpoint: readonly string[];
  readonly witnesses: string;
}
interface Script {
  verifyBundleFile(path: string, options: Given): Said & { readonly finding_counts: Readonly<Record<string, number>> };
}
const script = (await import(pathToFileURL(here('../../resources/verifier/verify-bundle.mjs')).href)) as Script;

/** Neither of them has ML-DSA-44: what only that shows is not witnessed, and never verified. */
const wanted = ({ verdict, size, until, needsMlDsa }: WitnessedCase): Said =>
  needsMlDsa === true
    ? { verdict: 'incomplete', witnessed: { size: 0, until: null } }
    : { verdict, witnessed: { size, until: until ?? null } };

const given = ({ made, checkpoints, threshold }: WitnessedCase) => ({
  bundle: inFile(makeBundle(made).text),
  checkpoint: checkpoints.map(inFile),
  witnesses: inFile(JSON.stringify(policyOf(threshold))),
});

describe('the verifier in one file on witnesses', () => {
  it.each([...witnessedCases, ...carriedCases])('says the same of $what', (one) => {
    const { bundle, ...options } = given(one);
    const { verdict, witnessed, finding_counts } = script.verifyBundleFile(bundle, {
      trust: CHECKPOINT_TRUST,
      ...options,
    });
    expect({ verdict, witnessed }).toEqual(wanted(one));
    expect(finding_counts['NOT_WITNESSED'] ?? 0).toBe(one.needsMlDsa || one.codes.includes('NOT_WITNESSED') ? 1 : 0);
  });
});

describe('the other verifiers on the vectors of a bundle that carries checkpoints', () => {
  it.each(witnessVectors.cases)(
    'say how far for the policy $policy.threshold of $policy.organizations.length',
    async (one) => {
      const { policy, ...said } = one;
      const [bundle, witnesses] = [inFile(witnessVectors.bundle), inFile(JSON.stringify(policy))];
      const trust = serviceKids.slice(1);
      const { verdict, witnessed } = script.verifyBundleFile(bundle, { trust, checkpoint: [], witnesses });
      expect({ verdict, witnessed }).toEqual(said);
      if (!python) return;
      const flags = ['--json', '--witnesses', witnesses, ...trust.flatMap((kid) => ['--trust', kid])];
      const { stdout } = await printedBy('python', bundle, ...flags);
      expect(JSON.parse(stdout)).toMatchObject(said);
    },
  );
});

describe('the verifier in one file on a proof that carries checkpoints', () => {
  it.each(witnessedProofs)('says the same with $what', ({ file, threshold, verdict, size }) => {
    const witnesses = inFile(JSON.stringify(policyOf(threshold)));
    const said = script.verifyBundleFile(inFile(file), { trust: CHECKPOINT_TRUST, checkpoint: [], witnesses });
    expect([said.verdict, said.witnessed?.size]).toEqual([verdict, size]);
  });
});

describe.skipIf(!python)('the verifier in Python on a proof that carries checkpoints', () => {
  it.each(witnessedProofs)('says the same with $what', async ({ file, threshold, verdict, size }) => {
    const policy = inFile(JSON.stringify(policyOf(threshold)));
    const trust = CHECKPOINT_TRUST.flatMap((kid) => ['--trust', kid]);
    const { stdout } = await printedBy('python', inFile(file), '--json', '--witnesses', policy, ...trust);
    const said = JSON.parse(stdout) as Said;
    expect([said.verdict, said.witnessed?.size]).toEqual([verdict, size]);
  });
});

describe.skipIf(!python)('the verifier in Python on witnesses (skipped where python3 is missing)', () => {
  it.each([...witnessedCases, ...carriedCases])('says the same of $what', async (one) => {
    const { bundle, checkpoint, witnesses } = given(one);
    const flags = [
      ...CHECKPOINT_TRUST.flatMap((kid) => ['--trust', kid]),
      ...checkpoint.flatMap((path) => ['--checkpoint', path]),
    ];
    const { stdout } = await printedBy('python', bundle, '--json', '--witnesses', witnesses, ...flags);
    const { verdict, witnessed } = JSON.parse(stdout) as Said;
    expect({ verdict, witnessed }).toEqual(wanted(one));
  });
});

const { organizations, threshold } = policyOf(2);
const wrong: readonly (readonly [what: string, policy: unknown])[] = [
  ['a threshold above the organizations', { organizations, threshold: 4 }],
  ['a key of two organizations', { threshold, organizations: [...organizations, { name: 'D', keys: [ALPHA.vkey] }] }],
  [
    'a witness of two organizations, by another key each',
    {
      threshold,
      organizations: [
        { name: 'A', keys: [ALPHA.vkey] },
        { name: 'B', keys: [ALPHA_PQ.vkey] },
      ],
    },
  ],
  ['a name twice', { threshold, organizations: [...organizations, { ...organizations[0], keys: [] }] }],
  ['a member more', { threshold, organizations, extra: 1 }],
  [
    'a key whose id is that of another',
    { threshold: 1, organizations: [{ name: 'A', keys: [ALPHA.vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+')] }] },
  ],
];

describe('a policy with demands of single ledgers', () => {
  const [bundle, checkpoint] = [
    inFile(makeBundle(WHOLE).text),
    inFile(cosigned(checkpointAt(7), [ALPHA, T], [BETA, T])),
  ];
  const trust = CHECKPOINT_TRUST;

  it.each(scopedCases)('comes to the same in both others: $what', async ({ policy, verdict, size }) => {
    const witnesses = inFile(JSON.stringify(policy));
    const said = script.verifyBundleFile(bundle, { trust, checkpoint: [checkpoint], witnesses });
    expect([said.verdict, said.witnessed?.size ?? null]).toEqual([verdict, size]);
    if (!python) return;
    const flags = [
      '--json',
      '--witnesses',
      witnesses,
      '--checkpoint',
      checkpoint,
      ...trust.flatMap((kid) => ['--trust', kid]),
    ];
    const { stdout } = await printedBy('python', bundle, ...flags);
    const byPython = JSON.parse(stdout) as Said;
    expect([byPython.verdict, byPython.witnessed?.size ?? null]).toEqual([verdict, size]);
  });
});

describe('a malformed policy', () => {
  it.each([...wrong, ...malformedScopes])('ends both with wrong usage: %s', async (_, policy) => {
    const args = [inFile(makeBundle({}).text), '--witnesses', inFile(JSON.stringify(policy))];
    expect((await printedBy('single-file', ...args)).status).toBe(2);
    if (python) expect((await printedBy('python', ...args)).status).toBe(2);
  });
});
