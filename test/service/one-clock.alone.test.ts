// protocol F64: what the service signs never runs backwards, whatever the machine's clock does.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import {
  formatTime,
  parseTime,
  type Receipt,
  utf8,
  type VerificationReport,
  verifyBundle,
  verifyRecordProof,
} from '../../src/protocol/index.ts';
import { atEnd } from '../support/cleanup.ts';
import { expectError } from '../support/client.ts';
import { type Account, bundleOf, registerAgent, signInAt, submitNext, TestService } from '../support/service.ts';
import type { Signer } from '../support/signer.ts';
import type { Bundle } from '../support/vectors.ts';
import { sourceOf } from '../support/verifying.ts';

const HOUR = 3_600_000;

const real = Date.now;
let shift = 0;
Date.now = () => real() + shift;
atEnd(() => {
  Date.now = real;
});

const service = await TestService.start();
const home = await service.signUp('home');

/** Sets the service's clock; where it jumps ahead, a person says that it is right. */
async function setShift(milliseconds: number): Promise<void> {
  shift = milliseconds;
  const { client } = await signInAt(service.url, home);
  const { state, id } = await client.ok('getClock', {});
  if (state === 'in_doubt') await client.ok('confirmClock', { body: { id: id ?? '', reason: 'it is right' } });
}

/** A record by the agent's own clock, which is right, with the hours that the service's may be ahead of it. */
function submit(account: Account, signer: Signer): Promise<Receipt> {
  return submitNext(account, signer, { issued_at: formatTime(real()), ttl_ms: 24 * HOUR });
}

function verify(
  bytes: Buffer,
  receipts: readonly Receipt[],
  against: readonly Buffer[] = [],
): Promise<VerificationReport> {
  const text = receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
  return verifyBundle(() => [bytes], {
    trustedKids: [service.kid],
    receipts: [{ name: 'receipts', source: () => [utf8(text)] }],
    against: against.map((other, n) => ({ name: `bundle ${n}`, source: () => [other] })),
  });
}

const manifestOf = (bytes: Buffer): Bundle['manifest'] => (JSON.parse(bytes.toString('utf8')) as Bundle).manifest;

describe('a clock that steps back', () => {
  it('after an export makes no receipt earlier than its manifest, nor does a restart without the export', async () => {
    const account = await service.signUp('exporter');
    const signer = await registerAgent(account);
    const receipts = [await submit(account, signer), await submit(account, signer)];
    await setShift(HOUR);
    const one = await bundleOf(account);
    await setShift(0);
    receipts.push(await submit(account, signer));
    const two = await bundleOf(account);
    for (const { exportId } of (await account.client.ok('listExports')).data) {
      await account.client.ok('deleteExport', { params: { export_id: exportId } });
    }
    await setShift(-HOUR);
    await service.restart();
    const client = service.client(account.client.token);
    const restarted = { ...account, client };
    receipts.push(await submit(restarted, signer));
    const three = await bundleOf(restarted);
    const times = receipts.map(({ server_received_at }) => parseTime(server_received_at));
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
    expect(times[2]).toBeGreaterThanOrEqual(parseTime(manifestOf(one).created_at));
    for (const bytes of [one, two, three]) {
      const others = [one, two, three].filter((other) => other !== bytes);
      const report = await verify(bytes, receipts, others);
      expect(report.findings).toEqual([]);
      expect(report.verdict).toBe('verified');
    }
  });

  it('of one organization holds back the time of all', async () => {
    const [ahead, behind] = [await service.signUp('ahead'), await service.signUp('behind')];
    const signers = [await registerAgent(ahead), await registerAgent(behind)] as const;
    await setShift(2 * HOUR);
    const first = await submit(ahead, signers[0]);
    await setShift(0);
    const second = await submit(behind, signers[1]);
    expect(parseTime(second.server_received_at)).toBeGreaterThanOrEqual(parseTime(first.server_received_at));
  });

  it('between records and acts on their agents, keys and the service key leaves all of it verified', async () => {
    const account = await service.signUp('keeper');
    const { client } = account;
    const [signer, other] = [await registerAgent(account, 'one'), await registerAgent(account, 'two')];
    const receipts: Receipt[] = [];
    const params = { agent_id: 'one' };
    const acts: (() => Promise<unknown>)[] = [
      () => client.ok('freezeAgent', { params, body: { reason: 'a look' } }),
      () => client.ok('unfreezeAgent', { params, body: { reason: 'all well' } }),
      () => client.ok('addKey', { params, body: { kid: 'next', public_key: signer.publicKey, algorithm: 'ed25519' } }),
      // By a person who is there: what somebody proved by a clock that is ahead counts no longer.
      async () => (await signInAt(service.url, home)).client.ok('rotateServiceKey', { body: { kid: service.kid } }),
      () => client.ok('revokeKey', { params, body: { kid: signer.kid, reason: 'lost' } }),
      () => client.ok('deleteAgent', { params }),
    ];
    for (const [index, act] of acts.entries()) {
      await setShift(3 * HOUR - index * HOUR);
      if (index !== 1 && index < 5) receipts.push(await submit(account, signer));
      receipts.push(await submit(account, other));
      await setShift(shift - HOUR / 2);
      await act();
      await setShift(shift - HOUR / 4);
      receipts.push(await submit(account, other));
    }
    const bytes = await bundleOf(account);
    const report = await verify(bytes, receipts);
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ verdict: 'verified', bundle: { records: receipts.length } });
    const { service_keys: keys } = JSON.parse(bytes.toString('utf8')) as Bundle;
    const ofStatus = (wanted: string) => keys.find(({ status }) => status === wanted);
    expect(ofStatus('retired')?.retired_at).toBe(ofStatus('active')?.created_at);
  });
});

describe('a clock that was wrong by two jumps', () => {
  it('is set back in each ledger by the jumps which that one shows, one with only a manifest in the stretch among them', async () => {
    const another = await TestService.start();
    const owner = await another.signUp('home');
    const accounts = await Promise.all(['both', 'first', 'manifest'].map((name) => another.signUp(name)));
    const [both, first, manifest] = accounts;
    if (both === undefined || first === undefined || manifest === undefined) throw new Error('three signed up');
    const signers = await Promise.all(accounts.map((account) => registerAgent(account)));
    const receipts: Receipt[][] = [[], [], []];
    const send = async (account: Account): Promise<void> => {
      const index = accounts.indexOf(account);
      const signer = signers[index];
      const issued_at = formatTime(Date.now());
      if (signer !== undefined)
        receipts[index]?.push(await submitNext(account, signer, { issued_at, ttl_ms: 24 * HOUR }));
    };
    const setClock = async (milliseconds: number): Promise<Account> => {
      shift = milliseconds;
      const signedIn = await signInAt(another.url, owner);
      const { state, id } = await signedIn.client.ok('getClock', {});
      if (state === 'in_doubt')
        await signedIn.client.ok('confirmClock', { body: { id: id ?? '', reason: 'it is right' } });
      return signedIn;
    };
    for (const account of accounts) await send(account);
    await setClock(2 * HOUR);
    await send(both);
    await send(first);
    await setClock(5 * HOUR);
    await send(both);
    const made = await bundleOf(manifest);
    const { client } = await setClock(0);
    const { id } = await client.ok('getClock', {});
    expect(await client.ok('correctClock', { body: { id: id ?? '', reason: 'it was not' } })).toMatchObject({
      state: 'right',
    });
    for (const [index, account] of accounts.entries()) {
      await send(account);
      const bytes = await bundleOf(account);
      const report = await verifyBundle(() => [bytes], {
        trustedKids: [another.kid],
        receipts: [
          {
            name: 'receipts',
            source: () => [utf8((receipts[index] ?? []).map((one) => JSON.stringify(one)).join('\n'))],
          },
        ],
        against: account === manifest ? [{ name: 'made', source: () => [made] }] : [],
      });
      expect(report.findings.map(({ code }) => code)).toEqual(['CLOCK_CORRECTED']);
      expect(report.verdict).toBe('verified');
    }
  });
});

describe('the proof of an operation around a correction of the clock', async () => {
  const another = await TestService.start();
  const owner = await another.signUp();
  const old = await registerAgent(owner, 'old');
  /** Sets the clock, and says of it what an owner does who signs in by it. */
  async function setClock(milliseconds: number, said: 'confirmClock' | 'correctClock'): Promise<Account> {
    shift = milliseconds;
    const { client } = await signInAt(another.url, owner);
    const { id } = await client.ok('getClock', {});
    await client.ok(said, { body: { id: id ?? '', reason: 'for the test' } });
    return { ...owner, client };
  }
  const before = await submit(owner, old);
  const ahead = await setClock(5 * HOUR, 'confirmClock');
  const registeredMeanwhile = await registerAgent(ahead, 'new');
  await submit(ahead, registeredMeanwhile);
  const { client } = await setClock(0, 'correctClock');
  const corrected = { ...owner, client };
  const [after, across] = [await submit(corrected, old), await submit(corrected, registeredMeanwhile)];
  await client.ok('closeEpoch');
  const proofOf = ({ operation_id }: Receipt) => client.call('operationProof', { params: { operation_id } });

  it('is refused where the clock was set back between the making of a key and what it signed', async () => {
    const answer = await proofOf(across);
    expectError(answer, 'CONFLICT', 'the clock of the service was set back');
    expectError(answer, 'CONFLICT', 'or export a bundle');
  });

  it('is made of what one clock told, on each side', async () => {
    for (const receipt of [before, after]) {
      const { status, bytes } = await proofOf(receipt);
      expect(status).toBe(200);
      const report = await verifyRecordProof(sourceOf(bytes), { crypto: nodeCrypto, trustedKids: [another.kid] });
      expect([report.verdict, report.findings]).toEqual(['verified', []]);
    }
  });
});
