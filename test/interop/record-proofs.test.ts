// protocol R7: the proofs of records of test/vectors, good and damaged, before all three verifiers.
import { afterAll, describe, expect, it } from 'vitest';
import { canonicalBytes, type Json, utf8 } from '../../src/protocol/index.ts';
import { Comparison } from '../support/fuzz/compare.ts';
import { hasPython, VERIFIERS } from '../support/fuzz/verifier-process.ts';
import { changedAt } from '../support/record-proofs.ts';
import { disclosedKids, recordProofVectors, serviceKids } from '../support/vectors.ts';

const nothing = { trustAgent: [], madeNotBefore: null, receipts: [], against: [], checkpoints: [], what: '' };

describe.skipIf(!hasPython())('the three verifiers (skipped where Python is missing)', () => {
  const comparison = new Comparison();
  afterAll(() => comparison.stop());
  let number = 0;
  const judge = async (file: Uint8Array, trust: readonly string[]) => {
    const mutant = { ...nothing, number: number++, way: 'proof' as const, how: '', file, trust };
    const { answers } = await comparison.compare(mutant);
    return VERIFIERS.map((name) => answers[name]);
  };

  it.each(Object.entries(recordProofVectors.files))('verify %s for whoever trusts its issuer', async (name, text) => {
    const kids = name === 'proof-disclosures.json' ? disclosedKids : serviceKids;
    const verdicts = async (trust: readonly string[]) => (await judge(utf8(text), trust)).map(({ verdict }) => verdict);
    for (const kid of kids) expect(await verdicts([kid])).toEqual(VERIFIERS.map(() => 'verified'));
    expect(await verdicts([])).toEqual(VERIFIERS.map(() => 'incomplete'));
  });

  const base = JSON.parse(recordProofVectors.files[recordProofVectors.base]) as Json;
  it.each(recordProofVectors.damaged.map((change) => [change.code, change.path.join('.'), change] as const))(
    'name %s where %s is changed',
    async (code, _, change) => {
      for (const { verdict, codes } of await judge(canonicalBytes(changedAt(base, change)), serviceKids)) {
        expect(verdict).toBe('failed');
        expect(codes).toContain(code);
      }
    },
  );
});
