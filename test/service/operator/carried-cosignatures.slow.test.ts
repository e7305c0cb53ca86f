// Protocol F145, R1, V187, R14: what witnesses cosigned goes out with a ledger's files, and is verified from them alone.
import { describe, expect, it } from 'vitest';
import {
  parseJsonBytes,
  parseWitnessPolicy,
  type VerificationReport,
  verifyBundle,
  verifyRecordProof,
} from '../../../src/protocol/index.ts';
import { isMlDsaSignature } from '../../../src/protocol/ml-dsa/index.ts';
import { bundleOf, registerAgent, submitNext, TestService } from '../../support/service.ts';
import { TestWitness, textOf } from '../../support/witness.ts';

interface Carrying {
  readonly edges?: { readonly cosigned?: readonly string[] };
  readonly seal?: { readonly cosigned?: readonly string[] };
}

describe('a ledger that witnesses cosigned', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const { client } = owner;
  const signer = await registerAgent(owner);
  const alpha = new TestWitness('alpha.example.org');
  const beta = new TestWitness('beta.example.org');
  const added: string[] = [];

  const submit = async (): Promise<string> => (await submitNext(owner, signer)).operation_id;
  async function cosign(witness: TestWitness, place: number): Promise<void> {
    const params = { witness_id: added[place] ?? '' };
    const answer = await witness.answer(service, owner, await textOf(client.call('witnessRequest', { params })));
    await client.ok('importCosignatures', { params, body: { answer } });
  }
  const demand = (threshold: number) => {
    const organizations = [
      { name: 'Alpha', keys: alpha.keys.trim().split('\n') },
      { name: 'Beta', keys: beta.keys.trim().split('\n') },
    ];
    return { policy: parseWitnessPolicy({ threshold, organizations }), mlDsa44: isMlDsaSignature };
  };
  const trustedKids = [service.kid];
  const witnessed = async (bytes: Uint8Array, threshold: number): Promise<VerificationReport> =>
    verifyBundle(() => [bytes], { trustedKids, witnesses: demand(threshold) });
  const proofOf = async (operationId: string): Promise<Uint8Array> =>
    (await client.call('operationProof', { params: { operation_id: operationId } })).bytes;
  const carriedBy = (bytes: Uint8Array): readonly string[] => {
    const { edges, seal } = parseJsonBytes(bytes) as Carrying;
    return edges?.cosigned ?? seal?.cosigned ?? [];
  };

  it('carries nothing while nobody cosigned it', async () => {
    for (const witness of [alpha, beta])
      added.push((await client.ok('addWitness', { body: { keys: witness.keys, url: null } })).witness.witness_id);
    const first = await submit();
    await client.ok('closeEpoch');
    const bytes = await bundleOf(owner);
    expect(Object.keys(parseJsonBytes(bytes) as object)).toContain('edges');
    expect(carriedBy(bytes)).toEqual([]);
    expect(carriedBy(await proofOf(first))).toEqual([]);
    expect((await verifyBundle(() => [bytes], { trustedKids })).verdict).toBe('verified');
    expect((await witnessed(bytes, 1)).verdict).toBe('incomplete');
  });

  it('carries the newest checkpoint of each number of witnesses, and is verified by it alone', async () => {
    await cosign(alpha, 0);
    await cosign(beta, 1);
    await submit();
    await submit();
    await client.ok('closeEpoch');
    await cosign(alpha, 0);
    const bytes = await bundleOf(owner);
    // Of 3 records, and of 1 with the way from there to 3.
    expect(carriedBy(bytes)).toHaveLength(3);
    expect(await witnessed(bytes, 1)).toMatchObject({ verdict: 'verified', witnessed: { size: 3 } });
    expect(await witnessed(bytes, 2)).toMatchObject({
      verdict: 'incomplete',
      witnessed: { size: 1 },
      finding_counts: { NOT_WITNESSED: 1 },
    });
    const unasked = await verifyBundle(() => [bytes], { trustedKids });
    expect(unasked).toMatchObject({ verdict: 'verified', bundle: { cosigned: 3 } });
    expect(unasked.checks.reconciliation.status).toBe('not_applicable');
  });

  it('leads from a checkpoint that lies before the records of a later epoch', async () => {
    await submit();
    const bytes = await bundleOf(owner);
    expect(await witnessed(bytes, 1)).toMatchObject({ verdict: 'incomplete', witnessed: { size: 3 } });
    await cosign(alpha, 0);
    expect(await witnessed(await bundleOf(owner), 1)).toMatchObject({ verdict: 'verified', witnessed: { size: 4 } });
  });

  it('gives each record a proof that says who stands behind it', async () => {
    const { data } = await client.ok('auditQuery', { body: {} });
    for (const { operation_id, seq_no } of data) {
      const bytes = await proofOf(operation_id);
      const verify = (threshold: number) =>
        verifyRecordProof(() => [bytes], { trustedKids, witnesses: demand(threshold) });
      const [one, two] = [await verify(1), await verify(2)];
      expect(one).toMatchObject({ verdict: 'verified' });
      expect(one.witnessed?.size).toBeGreaterThanOrEqual(seq_no);
      expect(two.verdict).toBe(seq_no === 1 ? 'verified' : 'incomplete');
      expect((await verifyRecordProof(() => [bytes], { trustedKids })).checks.reconciliation.status).toBe(
        'not_applicable',
      );
    }
  });
});
