// protocol F112: a service key that replaces another, which signs it. What was signed before stays verifiable by whoever
// trusts the key before; a crash at any of the steps leaves one key that counts.
import { cpSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Receipt } from '../../../src/protocol/index.ts';
import { makeKeyFile } from '../../../src/service/ledger/keys/file-key-holder.ts';
import { expectError } from '../../support/client.ts';
import {
  type Account,
  bundleOf,
  eventsOf,
  registerAgent,
  submitNext,
  TestService,
  verifyWith,
} from '../../support/service.ts';
import type { Signer } from '../../support/signer.ts';

const AGENTS = 4;
const RECORDS = 12;

const rotate = ({ client }: Account, kid: string) => client.ok('rotateServiceKey', { body: { kid } });
const receiptsFile = (receipts: readonly Receipt[]) => {
  const text = receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
  return [{ name: 'receipts', source: () => [Buffer.from(text)] }];
};

describe('a rotation under load', () => {
  let service: TestService;
  let owner: Account;
  let guest: Account;
  let first: string;
  let receipts: Receipt[];

  beforeAll(async () => {
    service = await TestService.start();
    owner = await service.signUp();
    guest = await service.signUp('guest');
    first = service.kid;
    const signers = await Promise.all(Array.from({ length: AGENTS }, (_, n) => registerAgent(owner, `agent-${n}`)));
    const send = async (signer: Signer, only?: number): Promise<Receipt[]> => {
      const got: Receipt[] = [];
      for (let n = 0; n < (only ?? RECORDS); n++) got.push(await submitNext(owner, signer));
      return got;
    };
    const before = await Promise.all(signers.map((signer) => send(signer, 1)));
    const [during] = await Promise.all([
      Promise.all(signers.map((signer) => send(signer))),
      rotate(owner, first),
      // A bundle that is begun beside it is of one of the two keys, whole.
      bundleOf(owner),
    ]);
    const after = await Promise.all(signers.map((signer) => send(signer, 1)));
    receipts = [...before, ...during, ...after].flat();
  });

  it('signs by the old key up to one record, and by the new one from the next on', () => {
    const kids = receipts.toSorted((a, b) => a.seq_no - b.seq_no).map(({ service_kid: kid }) => kid);
    expect(service.kid).not.toBe(first);
    expect(new Set(kids)).toEqual(new Set([first, service.kid]));
    expect(kids.slice(kids.indexOf(service.kid))).not.toContain(first);
  });

  it('leaves a bundle that verifies for anyone who trusts the old key or the new one', async () => {
    const bundle = await bundleOf(owner);
    for (const kid of [first, service.kid]) {
      const report = await verifyWith(kid, bundle, receiptsFile(receipts));
      expect(report.findings).toEqual([]);
      expect(report.verdict).toBe('verified');
    }
    const { service_keys: keys, manifest } = JSON.parse(bundle.toString('utf8'));
    expect(manifest.service_kid).toBe(service.kid);
    expect(keys).toMatchObject([
      { kid: service.kid, status: 'active', prev_kid: first, retired_at: null },
      { kid: first, status: 'retired', prev_kid: null },
    ]);
  });

  it('is not believed for a key that nothing links with it', async () => {
    const other = await TestService.start();
    const report = await verifyWith(other.kid, await bundleOf(owner));
    expect(report.verdict).not.toBe('verified');
  });

  it('is in the log of every organization, elsewhere without saying who did it', async () => {
    const details = { prev_kid: first, kid: service.kid };
    const target = { target_type: 'service_key', target_id: service.kid };
    expect(await eventsOf(owner, 'service_key.rotate')).toMatchObject([{ ...target, actor: owner.userId, details }]);
    expect(await eventsOf(guest, 'service_key.rotate')).toMatchObject([{ ...target, actor: 'operator', details }]);
  });

  it('shows both keys, the active one first, here and in the key set', async () => {
    const { keys } = await owner.client.ok('listServiceKeys');
    expect(keys.map(({ kid, status, prev_kid: prev }) => [kid, status, prev])).toEqual([
      [service.kid, 'active', first],
      [first, 'retired', null],
    ]);
    expect((await owner.client.ok('jwks')).keys.map(({ kid }) => kid)).toEqual([service.kid, first]);
  });

  it('is done once: who names the key before rotates nothing', async () => {
    const present = service.kid;
    expectError(await owner.client.call('rotateServiceKey', { body: { kid: first } }), 'CONFLICT', 'kid');
    expect(service.kid).toBe(present);
    expect(await eventsOf(owner, 'service_key.rotate')).toHaveLength(1);
  });

  it('is for the organization that administers the service, and its owners', async () => {
    const body = { kid: service.kid };
    expectError(await guest.client.call('rotateServiceKey', { body }), 'FORBIDDEN', 'home organization');
    const admin = service.addMember(owner, 'security_admin');
    expectError(await admin.client.call('rotateServiceKey', { body }), 'FORBIDDEN', 'org_owner');
  });

  it('remains after a restart, and can be done again', async () => {
    const second = service.kid;
    await service.restart();
    expect(service.kid).toBe(second);
    owner = { ...owner, client: service.client(owner.client.token) };
    await rotate(owner, second);
    const third = service.kid;
    await service.restart();
    owner = { ...owner, client: service.client(owner.client.token) };
    const report = await verifyWith(first, await bundleOf(owner), receiptsFile(receipts));
    expect([service.kid, report.verdict]).toEqual([third, 'verified']);
  });
});

describe('a crash', () => {
  const keyOf = (folder: string, name = 'service-key.json') => join(folder, name);
  const kidIn = (path: string): string => JSON.parse(readFileSync(path, 'utf8')).kid;

  it('after the new key was written: the old one continues, and the new one is dropped', async () => {
    const service = await TestService.start();
    const { kid } = service;
    await service.stop();
    makeKeyFile(keyOf(service.dataDir, 'service-key-next.json'), null, Date.now());
    await service.restart();
    expect(service.kid).toBe(kid);
    expect(existsSync(keyOf(service.dataDir, 'service-key-next.json'))).toBe(false);
  });

  it('after the commit: the new key continues, and takes the place of the old', async () => {
    const service = await TestService.start();
    const owner = await service.signUp();
    const signer = await registerAgent(owner);
    await submitNext(owner, signer);
    const first = service.kid;
    const kept = keyOf(service.dataDir, 'kept.json');
    cpSync(keyOf(service.dataDir), kept);
    const { key } = await rotate(owner, first);
    await service.stop();
    renameSync(keyOf(service.dataDir), keyOf(service.dataDir, 'service-key-next.json'));
    renameSync(kept, keyOf(service.dataDir));
    await service.restart();
    expect(service.kid).toBe(key.kid);
    expect(kidIn(keyOf(service.dataDir))).toBe(key.kid);
    expect(statSync(keyOf(service.dataDir)).mode & 0o777).toBe(0o600);
    expect(existsSync(keyOf(service.dataDir, 'service-key-next.json'))).toBe(false);
    const again = { ...owner, client: service.client(owner.client.token) };
    await submitNext(again, signer);
    expect((await verifyWith(first, await bundleOf(again))).verdict).toBe('verified');
  });

  it('is not mistaken for one: with neither key of the ledger there is no start', async () => {
    const service = await TestService.start();
    await service.stop();
    makeKeyFile(keyOf(service.dataDir), null, Date.now());
    await expect(service.restart()).rejects.toMatchObject({ code: 'KEY_WRONG' });
    makeKeyFile(keyOf(service.dataDir, 'service-key-next.json'), null, Date.now());
    await expect(service.restart()).rejects.toMatchObject({ code: 'KEY_WRONG' });
  });

  it('of the transaction leaves the old key, and no file beside it', async () => {
    const service = await TestService.start();
    const owner = await service.signUp();
    const { kid } = service;
    service.sql.exec(
      "CREATE TRIGGER fail BEFORE INSERT ON admin_events BEGIN SELECT RAISE(ABORT, 'for the test'); END",
    );
    expectError(await owner.client.call('rotateServiceKey', { body: { kid } }), 'INTERNAL_ERROR');
    service.sql.exec('DROP TRIGGER fail');
    expect(service.kid).toBe(kid);
    expect((await owner.client.ok('jwks')).keys).toHaveLength(1);
    expect(existsSync(keyOf(service.dataDir, 'service-key-next.json'))).toBe(false);
    await rotate(owner, kid);
    expect(service.kid).not.toBe(kid);
  });
});
