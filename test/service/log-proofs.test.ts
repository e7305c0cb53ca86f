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
  parseKeptCheckpoint,
  type Receipt,
  receiptLeafHash,
  receiptSignedBytes,
  utf8,
  verifyConsistency,
  verifyEd25519,
} from '../../src/protocol/index.ts';
import { expectError, send } from '../support/client.ts';
import { type Account, ALWAYS, bundleOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import { named, verifyFile } from '../support/verifying.ts';

/** An organization whose log is sealed at some sizes, with its receipts. */
async function sealedAt(account: Account, sizes: readonly number[]): Promise<Receipt[]> {
  const signer = await registerAgent(account);
  const receipts: Receipt[] = [];
  for (const size of sizes) {
    while (receipts.length < size) receipts.push(await submitNext(account, signer));
    await account.client.ok('closeEpoch');
  }
  return receipts;
}

async function noteOf(account: Account, size?: number): Promise<string> {
  const answer = await account.client.call('checkpoint', size === undefined ? {} : { query: { size: String(size) } });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  return answer.bytes.toString('utf8');
}

const SIZES = [3, 4, 9];
const service = await TestService.start();
const owner = await service.signUp();
const receipts = await sealedAt(owner, SIZES);
const leaves = receipts.map((receipt) => receiptLeafHash(receiptSignedBytes(receipt)));
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
  const proofOf = async (query: Record<string, string>): Promise<string> => {
    const answer = await owner.client.call('consistencyProof', { query });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    return answer.bytes.toString('utf8');
  };

  it('answers a proof from any size to the checkpoint of a sealed one', async () => {
    for (const to of SIZES) {
      for (let from = 1; from <= to; from++) {
        const text = await proofOf({ from: String(from), to: String(to) });
        const { checkpoint, link } = parseKeptCheckpoint(utf8(text));
        expect(text.endsWith(`\n\n${await noteOf(owner, to)}`)).toBe(true);
        expect([checkpoint.size, link?.oldSize]).toEqual([to, from]);
        const [firstRoot, secondRoot] = [parseDigest(root(from)), parseDigest(checkpoint.root)];
        const path = link?.path ?? [];
        expect(verifyConsistency({ firstSize: from, secondSize: to, firstRoot, secondRoot, path })).toBe(true);
      }
    }
  });

  it('leads to the newest sealed size unless another is named', async () => {
    expect(await proofOf({ from: '3' })).toBe(await proofOf({ from: '3', to: '9' }));
  });

  it('holds a checkpoint that was kept against a bundle that does not come to its size', async () => {
    const kept = await noteOf(owner, 3);
    const timeOf = (receipt: Receipt | undefined): string => receipt?.server_received_at ?? '';
    const bundle = await bundleOf(owner, { ...ALWAYS, startTime: timeOf(receipts[7]) });
    const trustedKids = [parseKid((await owner.client.ok('jwks')).keys)];
    const verify = (...notes: readonly string[]) =>
      verifyFile(bundle, { trustedKids, checkpoints: notes.map((note, n) => named(`kept ${n}`, note)) });
    expect(await verify(kept)).toMatchObject({ verdict: 'incomplete' });
    expect(await verify(kept, await proofOf({ from: '3' }))).toMatchObject({
      verdict: 'verified',
      checks: { reconciliation: { counts: { compared: 2 } } },
    });
  });

  it('refuses sizes out of order and beyond what is sealed', async () => {
    const call = (query: Record<string, string>) => owner.client.call('consistencyProof', { query });
    expectError(await call({ from: '5', to: '4' }), 'VALIDATION_ERROR', 'from');
    expectError(await call({ from: '0' }), 'VALIDATION_ERROR', 'from');
    expectError(await call({}), 'VALIDATION_ERROR', 'from');
    expectError(await call({ from: '1', to: '10' }), 'NOT_FOUND', 'ends at 9');
    expectError(await call({ from: '1', to: '5' }), 'NOT_FOUND', 'ends at 9');
    expectError(await call({ from: '10' }), 'VALIDATION_ERROR', 'from');
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
