// docs/interface.md, Epochs: POST /v1/epochs. What an epoch is has its own tests in epochs.slow.test.ts.
import { describe, expect, it } from 'vitest';
import { bundleOf, eventsOf, registerAgent, submitNext, TestService, verifyWith } from '../support/service.ts';

const service = await TestService.start({ epochIntervalSeconds: 3600 });

async function organization() {
  const account = await service.signUp();
  return { account, signer: await registerAgent(account) };
}

describe('POST /v1/epochs', () => {
  it('seals what is pending, at once, and shows the epoch whole', async () => {
    const { account, signer } = await organization();
    for (let n = 0; n < 3; n++) await submitNext(account, signer);
    const answer = await account.client.call('closeEpoch');
    expect(answer.status).toBe(200);
    const { epoch } = answer.body;
    expect(epoch).toMatchObject({ epoch_no: 1, first_seq_no: 1, last_seq_no: 3, leaf_count: 3, org_id: account.orgId });
    expect(await account.client.ok('getEpoch', { params: { epoch_id: epoch?.epoch_id ?? '' } })).toEqual(epoch);
    const [event] = await eventsOf(account);
    expect(event).toMatchObject({
      action: 'epoch.close',
      actor: account.userId,
      target_type: 'organization',
      target_id: account.orgId,
      details: {},
    });
    // The epoch is sealed over the log that tells of its closing.
    expect(epoch?.admin_head_hash).toBe(event?.event_hash);
    await submitNext(account, signer);
    expect((await account.client.ok('closeEpoch')).epoch).toMatchObject({
      epoch_no: 2,
      first_seq_no: 4,
      last_seq_no: 4,
    });
    expect((await verifyWith(service.kid, await bundleOf(account))).verdict).toBe('verified');
  });

  it('makes no empty epoch', async () => {
    const { account, signer } = await organization();
    expect(await account.client.ok('closeEpoch')).toEqual({ epoch: null });
    await submitNext(account, signer);
    await account.client.ok('closeEpoch');
    expect(await account.client.ok('closeEpoch')).toEqual({ epoch: null });
    expect((await account.client.ok('listEpochs')).data).toHaveLength(1);
    expect(await eventsOf(account, 'epoch.close')).toHaveLength(1);
  });

  it('many times at once seals once', async () => {
    const { account, signer } = await organization();
    await submitNext(account, signer);
    const answers = await Promise.all(Array.from({ length: 5 }, () => account.client.ok('closeEpoch')));
    const sealed = answers.flatMap(({ epoch }) => (epoch === null ? [] : [epoch.epoch_id]));
    expect(new Set(sealed).size).toBe(1);
    expect((await account.client.ok('listEpochs')).data).toHaveLength(1);
  });

  it('while records arrive leaves none out', async () => {
    const { account, signer } = await organization();
    const records = Array.from({ length: 60 }, () => signer.next());
    await Promise.all([
      ...[0, 20, 40].map((from) =>
        account.client.ok('submitBatch', { body: { records: records.slice(from, from + 20) } }),
      ),
      ...Array.from({ length: 4 }, () => account.client.ok('closeEpoch')),
    ]);
    await account.client.ok('submitBatch', { body: { records } });
    await account.client.ok('closeEpoch');
    const { data } = await account.client.ok('listEpochs');
    let next = 1;
    for (const { first_seq_no, last_seq_no } of data.toReversed()) {
      expect(first_seq_no).toBe(next);
      next = last_seq_no + 1;
    }
    expect((await verifyWith(service.kid, await bundleOf(account))).verdict).toBe('verified');
  });

  it("leaves another organization's records waiting", async () => {
    const [one, other] = [await organization(), await organization()];
    await submitNext(other.account, other.signer);
    expect(await one.account.client.ok('closeEpoch')).toEqual({ epoch: null });
    expect((await other.account.client.ok('listEpochs')).data).toEqual([]);
  });
});
