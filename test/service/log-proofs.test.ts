// docs/interface.md, Ledger: GET /v1/ledger/checkpoint and GET /v1/ledger/consistency.
import { describe, expect, it } from 'vitest';
import {
  checkpointOrigin,
  type Epoch,
  formatDigest,
  fromBase64Url,
  merkleRoot,
  parseCheckpoint,
  parseDigest,
  type Receipt,
  receiptLeafHash,
  receiptSignedBytes,
  utf8,
  verifyConsistency,
  verifyEd25519,
} from '../../src/protocol/index.ts';
import { expectError, send } from '../support/client.ts';
import { type Account, bundleOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import { named, verifyFile } from '../support/verifying.ts';

/** An organization whose log is sealed at some sizes, with the leaves of its log. */
async function sealedAt(account: Account, sizes: readonly number[]): Promise<Uint8Array[]> {
  const signer = await registerAgent(account);
  const receipts: Receipt[] = [];
  for (const size of sizes) {
    while (receipts.length < size) receipts.push(await submitNext(account, signer));
    await account.client.ok('closeEpoch');
  }
  return receipts.map((receipt) => receiptLeafHash(receiptSignedBytes(receipt)));
}

async function noteOf(account: Account, size?: number): Promise<string> {
  const answer = await account.client.call('checkpoint', size === undefined ? {} : { query: { size: String(size) } });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  return answer.bytes.toString('utf8');
}

const SIZES = [3, 4, 9];
const service = await TestService.start();
const owner = await service.signUp();
const leaves = await sealedAt(owner, SIZES);
const root = (size: number): string => formatDigest(merkleRoot(leaves.slice(0, size)));
const [{ x: publicKeyText = '' } = {}] = (await owner.client.ok('jwks')).keys;
const publicKey = fromBase64Url(publicKeyText, 32);

describe('GET /v1/ledger/checkpoint', () => {
  it('answers a signed note of the newest sealed size', async () => {
    const note = parseCheckpoint(utf8(await noteOf(owner)));
    expect(note).toMatchObject({ origin: checkpointOrigin(owner.orgId), size: 9, root: root(9) });
    const [{ name, signature } = { name: '', signature: new Uint8Array(64) }] = note.signatures;
    expect(name).toBe(note.origin);
    expect(verifyEd25519({ publicKey, message: utf8(note.noteText), signature })).toBe(true);
  });

  it.each(SIZES)('answers the checkpoint of the sealed size %i, each time in the same bytes', async (size) => {
    const note = await noteOf(owner, size);
    expect(parseCheckpoint(utf8(note))).toMatchObject({ size, root: root(size) });
    expect(await noteOf(owner, size)).toBe(note);
  });

  it('has none of another size, and says which there are next to it', async () => {
    for (const [size, sealed] of [
      [5, 9],
      [10, 9],
      [1, 3],
    ] as const) {
      const answer = await owner.client.call('checkpoint', { query: { size: String(size) } });
      expectError(answer, 'NOT_FOUND', `ends at ${sealed}`);
    }
    for (const size of ['0', '-1', '03', '3.0', 'all', '']) {
      expectError(await owner.client.call('checkpoint', { query: { size } }), 'VALIDATION_ERROR', 'size');
    }
    expectError(await (await service.signUp()).client.call('checkpoint'), 'NOT_FOUND', 'nothing is sealed yet');
  });

  it('is read by members alone', async () => {
    for (const path of ['/v1/ledger/checkpoint', '/v1/ledger/consistency?from=1']) {
      expectError(await send(service.url, { path }), 'UNAUTHORIZED');
    }
  });

  it('fits a bundle made later, and no other organization', async () => {
    const kept = await noteOf(owner, 4);
    const other = await service.signUp();
    await sealedAt(other, [2]);
    const bundle = await bundleOf(owner);
    const trustedKids = [parseKid((await owner.client.ok('jwks')).keys)];
    const verify = (note: string) => verifyFile(bundle, { trustedKids, checkpoints: [named('kept', note)] });
    expect(await verify(kept)).toMatchObject({
      verdict: 'verified',
      checks: { reconciliation: { counts: { compared: 1 } } },
    });
    expect((await verify(await noteOf(other))).findings.map(({ code }) => code)).toEqual(['NOT_COMPARED']);
  });
});

function parseKid(keys: readonly { readonly kid: string }[]): string {
  const [key] = keys;
  if (key === undefined) throw new Error('the service has no key');
  return key.kid;
}

describe('GET /v1/ledger/consistency', () => {
  it('answers a proof between any two sizes up to the sealed one', async () => {
    for (let to = 1; to <= 9; to++) {
      for (let from = 1; from <= to; from++) {
        const proof = await owner.client.ok('consistencyProof', { query: { from: String(from), to: String(to) } });
        expect(proof).toMatchObject({ from, to, from_root: root(from), to_root: root(to) });
        const [firstRoot, secondRoot] = [parseDigest(proof.from_root), parseDigest(proof.to_root)];
        const path = proof.consistency.map(parseDigest);
        expect(verifyConsistency({ firstSize: from, secondSize: to, firstRoot, secondRoot, path })).toBe(true);
      }
    }
  });

  it('leads to the newest sealed size unless another is named', async () => {
    expect(await owner.client.ok('consistencyProof', { query: { from: '3' } })).toMatchObject({ from: 3, to: 9 });
  });

  it('refuses sizes out of order and beyond what is sealed', async () => {
    const call = (query: Record<string, string>) => owner.client.call('consistencyProof', { query });
    expectError(await call({ from: '5', to: '4' }), 'VALIDATION_ERROR', 'from');
    expectError(await call({ from: '0' }), 'VALIDATION_ERROR', 'from');
    expectError(await call({}), 'VALIDATION_ERROR', 'from');
    expectError(await call({ from: '1', to: '10' }), 'NOT_FOUND', 'size 9');
    expectError(await call({ from: '10' }), 'NOT_FOUND', 'size 9');
    const none = (await service.signUp()).client;
    expectError(await none.call('consistencyProof', { query: { from: '1' } }), 'NOT_FOUND', 'nothing is sealed yet');
  });
});

describe('a log whose rows somebody changed', async () => {
  const hurt = await TestService.start();
  const account = await hurt.signUp();
  await sealedAt(account, [3, 5]);
  const before = await noteOf(account);
  for (const name of hurt.sql.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").pluck().all()) {
    hurt.sql.exec(`DROP TRIGGER "${name}"`);
  }
  const change = (sql: string, value: unknown) => hurt.sql.prepare(sql).run(value);

  it('gets no checkpoint under another root, whether leaf or epoch says so', async () => {
    const [epoch] = (await account.client.ok('listEpochs')).data as readonly Pick<Epoch, 'log_root'>[];
    const digest = epoch?.log_root ?? '';
    change('UPDATE epochs SET log_root = ? WHERE epoch_no = 2', formatDigest(new Uint8Array(32)));
    expectError(await account.client.call('checkpoint'), 'CONFLICT', 'another root');
    expectError(await account.client.call('consistencyProof', { query: { from: '3' } }), 'CONFLICT', 'another root');
    change('UPDATE epochs SET log_root = ? WHERE epoch_no = 2', digest);
    expect(await noteOf(account)).toBe(before);
    change('UPDATE operations SET leaf_hash = ? WHERE seq_no = 5', Buffer.alloc(32, 7));
    expectError(await account.client.call('checkpoint'), 'CONFLICT', 'another root');
  });

  it('gets none where leaves and root were changed together, but nobody signed that', async () => {
    const hashes = hurt.sql.prepare('SELECT leaf_hash FROM operations ORDER BY seq_no').pluck().all() as Buffer[];
    expect(hashes).toHaveLength(5);
    change('UPDATE epochs SET log_root = ? WHERE epoch_no = 2', formatDigest(merkleRoot(hashes)));
    expectError(await account.client.call('checkpoint'), 'CONFLICT', 'not signed');
  });
});
