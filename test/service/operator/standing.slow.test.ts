// docs/interface.md, GET /v1/operations/ID/standing: who stands behind a record, by whose word counts for whoever asks.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectError } from '../../support/client.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { type Account, registerAgent, submitNext, TestService } from '../../support/service.ts';
import { StampingAuthority, stampOf } from '../../support/stamping.ts';
import { TestWitness, textOf } from '../../support/witness.ts';

describe('what stands behind a record', async () => {
  const service = await TestService.start({ trustStore: join(temporaryFolder(), 'trust.json') });
  const owner = await service.signUp();
  const { client } = owner;
  const signer = await registerAgent(owner);
  const { operation_id } = await submitNext(owner, signer);
  const [alpha, beta] = [new TestWitness('alpha.example.org'), new TestWitness('beta.example.org')];
  const authority = new StampingAuthority('Good Time');
  const standing = (of: Account = owner, id = operation_id) =>
    of.client.ok('operationStanding', { params: { operation_id: id } });

  it('is unknown until an epoch seals the record', async () => {
    expectError(await client.call('operationStanding', { params: { operation_id } }), 'CONFLICT');
    await client.ok('closeEpoch');
    const { report, witnesses_of } = await standing();
    expect(witnesses_of).toBe(null);
    expect(report).toMatchObject({ verdict: 'verified', bundle: { first_seq_no: 1, last_seq_no: 1 } });
    expect([report.witnessed, report.bundle.cosigned, report.times]).toEqual([undefined, undefined, undefined]);
  });

  it('are the witnesses that the service asks, where whoever asks demands none', async () => {
    const { witness } = await client.ok('addWitness', { body: { keys: alpha.keys, url: null } });
    const params = { witness_id: witness.witness_id };
    const answer = await alpha.answer(service, owner, await textOf(client.call('witnessRequest', { params })));
    await client.ok('importCosignatures', { params, body: { answer } });
    const { report, witnesses_of } = await standing();
    expect(witnesses_of).toBe('service');
    expect(report.witnessed).toMatchObject({
      threshold: 1,
      organizations: 1,
      size: 1,
      checkpoints: [{ size: 1, cosigned_by: [{ organization: 'alpha.example.org' }] }],
    });
  });

  it('are time stamps of an authority that whoever asks trusts', async () => {
    await client.ok('addTimeStamp', { body: await stampOf(client, authority) });
    const { report } = await standing();
    expect([report.bundle.stamped, report.times]).toEqual([1, undefined]);
    await client.ok('trustTimeRoots', { body: { certificates: authority.rootPem } });
    expect((await standing()).report.times?.stamps).toMatchObject([
      { verdict: 'verified', said_by: 'CN=Good Time', reaches: 1, late: null },
    ]);
  });

  it('are the witnesses of the trust store, where it demands some of this ledger', async () => {
    await client.ok('trustWitness', { body: { name: 'Elsewhere', keys: beta.keys, org_id: 'org_of_others' } });
    expect((await standing()).witnesses_of).toBe('service');
    await client.ok('trustWitness', { body: { name: 'Beta Ltd', keys: beta.keys } });
    const { report, witnesses_of } = await standing();
    expect(witnesses_of).toBe('trust_store');
    expect(report).toMatchObject({ verdict: 'incomplete', witnessed: { threshold: 1, organizations: 1, size: 0 } });
  });

  it('is said to a guest by the witnesses of the service alone, and of nobody else’s record', async () => {
    const guest = await service.signUp();
    const receipt = await submitNext(guest, await registerAgent(guest));
    await guest.client.ok('closeEpoch');
    const { report, witnesses_of } = await standing(guest, receipt.operation_id);
    expect(witnesses_of).toBe('service');
    expect(report).toMatchObject({ witnessed: { organizations: 1, size: 0 } });
    expectError(await guest.client.call('operationStanding', { params: { operation_id } }), 'NOT_FOUND');
  });
});
