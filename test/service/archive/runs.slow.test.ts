// docs/decisions/0095-archive.md: what a run is, and that it is created once.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/node/index.ts';
import { verifyBundle } from '../../../src/protocol/index.ts';
import { FolderStore } from '../../../src/service/archive/folder-store.ts';
import { readRunPath, runPath } from '../../../src/service/archive/run-name.ts';
import { archiveHost, at, exitCodes, shipped } from '../../support/archive.ts';
import { copyOfRunning, temporaryFolder } from '../../support/folders.ts';
import { hasPython } from '../../support/fuzz/verifier-process.ts';
import { bundleOf, submitNext } from '../../support/service.ts';

const verified = async (path: string, kid: string, against: readonly string[] = []) =>
  verifyBundle(() => [gunzipSync(readFileSync(path))], {
    crypto: nodeCrypto,
    trustedKids: [kid],
    against: against.map((name) => ({ name, source: () => [gunzipSync(readFileSync(name))] })),
  });

describe('a run', () => {
  it.skipIf(!hasPython())(
    'is an ordinary bundle for gunzip and all three verifiers, with the run before too',
    async () => {
      const host = await archiveHost();
      const folder = temporaryFolder();
      await host.seal(3);
      const [one] = await shipped(host.service.dataDir, new FolderStore(folder));
      await host.seal(2);
      await host.seal(4);
      // Not sealed, so in no run.
      await submitNext(host.account, host.signer);
      const [two] = await shipped(host.service.dataDir, new FolderStore(folder));
      const { kid } = host.service;
      expect([one, two]).toMatchObject([
        { outcome: 'shipped', path: `${kid}/${one?.path.split('/')[1]}/1-1.csbundle.json.gz`, records: 3 },
        { outcome: 'shipped', path: expect.stringMatching(/\/2-3\.csbundle\.json\.gz$/), records: 6 },
      ]);
      if (one === undefined || two === undefined) return;
      for (const run of [one, two]) {
        execFileSync('gzip', ['--test', at(folder, run)]);
        expect((await verified(at(folder, run), kid)).findings).toEqual([]);
        expect(await exitCodes(at(folder, run), ['--trust', kid])).toEqual({ 'single-file': 0, python: 0 });
      }
      const report = await verified(at(folder, two), kid, [at(folder, one)]);
      expect(report).toMatchObject({ verdict: 'verified', bundle: { first_seq_no: 4, last_seq_no: 9, epochs: 2 } });
      const against = ['--trust', kid, '--against', at(folder, one)];
      expect(await exitCodes(at(folder, two), against)).toEqual({ 'single-file': 0, python: 0 });
    },
  );

  it('has the same bytes when it is made again, whatever the ledger has come to since', async () => {
    const host = await archiveHost();
    const { client } = host.account;
    const [first, again] = [temporaryFolder(), temporaryFolder()];
    const key = { kid: 'key-2', public_key: host.signer.publicKey };
    await host.seal(300);
    await shipped(host.service.dataDir, new FolderStore(first));
    // Everything of the directory changes, and the ledger continues.
    const agent = { agent_id: host.signer.agentId };
    await client.ok('revokeKey', { params: agent, body: { kid: 'key-1', reason: 'lost' } });
    await client.ok('freezeAgent', { params: agent, body: { reason: 'lost' } });
    await client.ok('registerAgent', { body: { agent_id: 'another', keys: [{ ...key, algorithm: 'ed25519' }] } });
    await host.service.restart();
    const [run] = await shipped(host.service.dataDir, new FolderStore(again));
    expect(run).toMatchObject({ outcome: 'shipped', records: 300 });
    const [a, b] = [first, again].map((folder) => readFileSync(join(folder, run?.path ?? '')));
    expect(a?.equals(b ?? Buffer.alloc(0))).toBe(true);
    expect((await verified(join(again, run?.path ?? ''), host.service.kid)).findings).toEqual([]);
    // A reader begins behind any flush: what follows it is a stretch of whole lines.
    const bytes = a ?? Buffer.alloc(0);
    const mark = Buffer.of(0, 0, 0xff, 0xff);
    const head = bytes.indexOf(mark) + 4;
    const stretch = bytes.indexOf(mark, head) + 4;
    const part = (from: number, to?: number) =>
      inflateRawSync(bytes.subarray(from, to), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
    expect(gunzipSync(bytes).toString()).toContain(part(10, head));
    const lines = part(head, stretch).split('\n');
    expect(lines).toHaveLength(257);
    expect(lines[0]).toMatch(/^\{"eor":/);
    expect(part(stretch, -8).split('\n')[43]).toMatch(/^\{"eor":/);
  });

  it('verifies after a rotation, is signed by the new key, and keeps the name of the first', async () => {
    const host = await archiveHost();
    const folder = temporaryFolder();
    const store = new FolderStore(folder);
    const { kid } = host.service;
    await host.seal();
    const [one] = await shipped(host.service.dataDir, store);
    await host.seal();
    await host.account.client.ok('rotateServiceKey', { body: { kid } });
    // The old key is gone, and the new one has sealed nothing yet.
    expect(await shipped(host.service.dataDir, store)).toMatchObject([{ outcome: 'awaits_epoch' }]);
    await host.seal();
    const [two] = await shipped(host.service.dataDir, store);
    expect(two).toMatchObject({ outcome: 'shipped', path: expect.stringContaining(`${kid}/`) });
    const report = await verified(at(folder, { path: two?.path ?? '' }), kid, [at(folder, { path: one?.path ?? '' })]);
    expect(report).toMatchObject({ verdict: 'verified', findings: [], issuer: { kid: host.service.kid } });
    expect(host.service.kid).not.toBe(kid);
  });

  it('agrees with an export and with receipts of its host', async () => {
    const host = await archiveHost();
    const folder = temporaryFolder();
    await host.seal();
    const receipt = await submitNext(host.account, host.signer);
    await host.seal();
    const [run] = await shipped(host.service.dataDir, new FolderStore(folder));
    const whole = await bundleOf(host.account);
    const report = await verifyBundle(() => [gunzipSync(readFileSync(at(folder, { path: run?.path ?? '' })))], {
      crypto: nodeCrypto,
      trustedKids: [host.service.kid],
      against: [{ name: 'export', source: () => [whole] }],
      receipts: [{ name: 'receipts', source: () => [Buffer.from(JSON.stringify(receipt))] }],
    });
    expect(report).toMatchObject({ verdict: 'verified', findings: [] });
  });

  it('that was lost is made again from its host, and nothing else is', async () => {
    const host = await archiveHost();
    const folder = temporaryFolder();
    const store = new FolderStore(folder);
    const runs = [];
    for (let n = 0; n < 3; n++) {
      await host.seal();
      runs.push(...(await shipped(host.service.dataDir, store)));
    }
    const [, lost] = runs.map((run) => at(folder, run));
    const before = readFileSync(lost ?? '');
    execFileSync('rm', [lost ?? '']);
    const again = await shipped(host.service.dataDir, store);
    expect(again).toEqual([runs[1]]);
    expect(readFileSync(lost ?? '').equals(before)).toBe(true);
    expect(await shipped(host.service.dataDir, store)).toEqual([]);
  });

  it('is not shipped before its day or its records are complete, and is when its day is over', async () => {
    const host = await archiveHost();
    const store = new FolderStore(temporaryFolder());
    await host.seal();
    const { dataDir } = host.service;
    expect(await shipped(dataDir, store, { withNewest: false })).toEqual([]);
    const now = () => Date.now() + 86_400_000;
    expect(await shipped(dataDir, store, { withNewest: false, now })).toMatchObject([{ outcome: 'shipped' }]);
  });

  it('is not continued by a ledger that was set back', async () => {
    const host = await archiveHost();
    const store = new FolderStore(temporaryFolder());
    await host.seal();
    const copy = join(temporaryFolder(), 'copy');
    copyOfRunning(host.service.dataDir, copy);
    await host.seal();
    await shipped(host.service.dataDir, store);
    expect(await shipped(copy, store)).toMatchObject([{ outcome: 'set_back', path: expect.stringContaining('/1-2.') }]);
  });
});

describe('the name of a run', () => {
  it.each(['org_1', 'Org/../x', '..', 'ä b%', 'UPPER'])('says which organization it is of: %j', (orgId) => {
    const name = { kid: 'B'.repeat(43), orgId, first: 3, last: 70, erased: null, decided: null, second: null };
    const path = runPath(name);
    expect(path.split('/')).toHaveLength(3);
    expect(path).not.toContain('..');
    expect(readRunPath(path)).toEqual(name);
  });

  it.each(['1-2.csbundle.json.gz', 'x/y/1-2.csbundle.json.gz', `${'A'.repeat(43)}/Org/1-2.csbundle.json.gz`])(
    'is not %s',
    (path) => expect(readRunPath(path)).toBeNull(),
  );

  it('has its numbers in order', () => {
    for (const numbers of ['2-1', '0-1', '01-2', '1-2-3', '1']) {
      expect(readRunPath(`${'A'.repeat(43)}/org/${numbers}.csbundle.json.gz`)).toBeNull();
    }
  });
});
