// Witnesses of a service: added by their keys, asked by HTTP after each epoch and by file, and what they cosigned (docs/interface.md, Witnesses).
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import {
  cosignatureOf,
  nobleCrypto,
  parseCheckpoint,
  parseWitnessKey,
  StrictVerifier,
  utf8,
} from '../../../src/protocol/index.ts';
import { isMlDsaSignature } from '../../../src/protocol/ml-dsa/index.ts';
import { expectError } from '../../support/client.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { PATIENCE_MS } from '../../support/processes.ts';
import { type Account, registerAgent, submitNext, TestService } from '../../support/service.ts';
import type { Signer } from '../../support/signer.ts';
import { makeCertificate } from '../../support/tls.ts';
import { until } from '../../support/until.ts';
import { TestWitness, textOf } from '../../support/witness.ts';

const certificate = makeCertificate();
const tlsCa = [certificate.cert];
const BOTH = ['ed25519', 'ml-dsa-44'];
const SOME_KEY = new TestWitness('some.example').keys.split('\n')[0] ?? '';

async function seal(owner: Account, signer: Signer): Promise<void> {
  await submitNext(owner, signer);
  await owner.client.ok('closeEpoch');
}

const listed = async ({ client }: Account) => (await client.ok('listWitnesses')).witnesses;
const newestOf = async (owner: Account, name: string) => (await listed(owner)).find((one) => one.name === name)?.newest;

async function cosigned({ client }: Account, keys: string): Promise<number> {
  const checkpoint = parseCheckpoint(utf8(await textOf(client.call('cosignedCheckpoint'))));
  const verifiers = { ed25519: new StrictVerifier(nobleCrypto), mlDsa44: isMlDsaSignature };
  for (const vkey of keys.trim().split('\n')) {
    expect(await cosignatureOf(checkpoint, parseWitnessKey(vkey), verifiers)).not.toBeNull();
  }
  return checkpoint.size;
}

describe('a witness that is asked by file', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const { client } = owner;
  const signer = await registerAgent(owner);
  const witness = new TestWitness('w1.example.org');
  const { witness: added } = await client.ok('addWitness', { body: { keys: witness.keys, url: null } });
  const params = { witness_id: added.witness_id };
  const request = () => textOf(client.call('witnessRequest', { params }));

  it('is listed with its keys', async () => {
    expect(added).toMatchObject({ name: 'w1.example.org', by_http: false, url: null, newest: null, asking: null });
    expect(added.keys.map(({ vkey }) => `${vkey}\n`).join('')).toBe(witness.keys);
    expect(await listed(owner)).toEqual([added]);
  });

  it('is asked for nothing while nothing is sealed', async () => {
    expectError(await client.call('witnessRequest', { params }), 'NOT_FOUND');
    expectError(await client.call('cosignedCheckpoint'), 'NOT_FOUND');
  });

  it('cosigns the newest checkpoint, and the next from there', async () => {
    await seal(owner, signer);
    const first = await request();
    expect(first.startsWith('old 0\n')).toBe(true);
    const answer = await witness.answer(service, owner, first);
    // The answer comes back when the log is longer already.
    await seal(owner, signer);
    const imported = await client.ok('importCosignatures', { params, body: { answer } });
    expect(imported.cosignature).toMatchObject({ name: 'w1.example.org', size: 1, algorithms: BOTH });
    expect(await cosigned(owner, witness.keys)).toBe(1);
    const next = await request();
    expect(next.startsWith('old 1\n')).toBe(true);
    // As somebody pastes it.
    const pasted = `  \r\n${(await witness.answer(service, owner, next)).replaceAll('\n', '\r\n')}\r\n`;
    const body = { answer: pasted.replaceAll('\r\n', '\n') };
    expect((await client.ok('importCosignatures', { params, body })).cosignature.size).toBe(2);
    expect(await cosigned(owner, witness.keys)).toBe(2);
    const { data } = await client.ok('listCosignatures');
    expect(data.map(({ size, name, algorithms }) => ({ size, name, algorithms }))).toEqual(
      [2, 1].map((size) => ({ size, name: 'w1.example.org', algorithms: BOTH })),
    );
    const paged = await client.ok('listCosignatures', { query: { limit: '1' } });
    const after = await client.ok('listCosignatures', { query: { limit: '1', cursor: paged.nextCursor ?? '' } });
    expect([...paged.data, ...after.data]).toEqual(data);
    expect(await textOf(client.call('cosignedCheckpoint', { query: { size: '1' } }))).toContain('\n1\n');
    expectError(await client.call('cosignedCheckpoint', { query: { size: '3' } }), 'NOT_FOUND');
  });

  it('is not taken at the word of another, nor for another log', async () => {
    await seal(owner, signer);
    const other = new TestWitness('w1.example.org');
    const refused = async (answer: string) =>
      expectError(await client.call('importCosignatures', { params, body: { answer } }), 'VALIDATION_ERROR');
    await refused(await other.answer(service, owner, (await request()).replace(/^old 2\n[\s\S]*?\n\n/, 'old 0\n\n')));
    await refused('{"type":"countersign.equivocation-proof.v1"}');
    await refused('');
    const guest = await service.signUpGuest();
    await seal(guest, await registerAgent(guest));
    const answer = await witness.answer(service, guest, await textOf(guest.client.call('witnessRequest', { params })));
    await refused(answer);
    expect(await listed(owner)).toMatchObject([{ newest: { size: 2 } }]);
  });

  it('is added and removed by the home organization alone, and leaves what it cosigned', async () => {
    const refused = async (body: { keys: string; url: string | null }, code: Parameters<typeof expectError>[1]) =>
      expectError(await client.call('addWitness', { body }), code);
    await refused({ keys: witness.keys, url: null }, 'CONFLICT');
    await refused({ keys: '', url: null }, 'VALIDATION_ERROR');
    await refused({ keys: 'a+b+c', url: null }, 'VALIDATION_ERROR');
    await refused({ keys: `${SOME_KEY}\n${SOME_KEY}`, url: null }, 'VALIDATION_ERROR');
    await refused({ keys: `${SOME_KEY}\n${witness.keys}`, url: null }, 'VALIDATION_ERROR');
    for (const url of [
      'http://w.example.org',
      'https://127.0.0.1',
      'https://a:b@w.example.org',
      'https://w.example.org?x',
    ]) {
      await refused({ keys: SOME_KEY, url }, 'VALIDATION_ERROR');
    }
    const guest = await service.signUpGuest();
    expectError(await guest.client.call('addWitness', { body: { keys: SOME_KEY, url: null } }), 'FORBIDDEN');
    expectError(await guest.client.call('removeWitness', { params }), 'FORBIDDEN');
    for (let n = 0; n < 6; n++) {
      await client.ok('addWitness', { body: { keys: new TestWitness(`more-${n}.example`).keys, url: null } });
    }
    // The seventh has two keys, and there is room for one.
    await client.ok('addWitness', { body: { keys: SOME_KEY, url: null } });
    await refused({ keys: new TestWitness('full.example').keys, url: null }, 'QUOTA_EXCEEDED');
    await client.ok('removeWitness', { params });
    expectError(await client.call('witnessRequest', { params }), 'NOT_FOUND');
    expect(await cosigned(owner, witness.keys)).toBe(2);
    expect((await client.ok('listCosignatures')).data.map(({ name }) => name)).toEqual([
      'w1.example.org',
      'w1.example.org',
    ]);
  });
});

describe('a witness that is asked by HTTP', { timeout: PATIENCE_MS }, async () => {
  // Made first: it goes away last, and the service runs in it.
  const copy = join(temporaryFolder(), 'copy');
  const service = await TestService.start({ webhookAllowPrivate: true }, { tlsCa });
  const owner = await service.signUp();
  const signer = await registerAgent(owner);
  const here = (): Account => ({ ...owner, client: service.client(owner.client.token) });
  const witness = new TestWitness('w2.example.org');
  const process = await witness.serve(service, owner, certificate);
  const url = await process.listening();
  const size = (wanted: number) =>
    until(`the size ${wanted} to be cosigned`, async () => (await newestOf(here(), 'w2.example.org'))?.size === wanted);

  const refused = (error: RegExp) =>
    until(`the service to say: ${error}`, async () => error.test((await listed(here()))[0]?.asking?.error ?? ''));

  it('cosigns each epoch after it was sealed, and what was sealed before it was added', async () => {
    await seal(owner, signer);
    await owner.client.ok('addWitness', { body: { keys: witness.keys, url: `${url}/` } });
    await size(1);
    for (let records = 2; records <= 5; records++) {
      await seal(owner, signer);
      await size(records);
    }
    expect(await cosigned(owner, witness.keys)).toBe(5);
    expect(await listed(owner)).toMatchObject([
      {
        url,
        by_http: true,
        newest: { size: 5, algorithms: BOTH },
        asking: { attempts: 0, error: null, next_at: null },
      },
    ]);
  });

  it('is asked from where it is, although an answer was lost', async () => {
    // Asked by somebody else meanwhile: what the service has of it is older.
    await service.stop();
    await service.restart({ epochIntervalSeconds: 3600 });
    const { client } = here();
    await submitNext(here(), signer);
    service.sql.prepare('UPDATE witnesses SET url = NULL').run();
    await client.ok('closeEpoch');
    const [{ witness_id = '' } = {}] = await listed(here());
    const request = await textOf(client.call('witnessRequest', { params: { witness_id } }));
    await witness.answer(service, here(), request);
    service.sql.prepare('UPDATE witnesses SET url = ?').run(url);
    await seal(here(), signer);
    await size(7);
  });

  it('is asked again after it was away', async () => {
    await process.kill('SIGKILL');
    await seal(here(), signer);
    const asking = () => listed(here()).then(([one]) => one?.asking);
    await until('an attempt to fail', async () => (await asking())?.error != null);
    expect(await asking()).toMatchObject({ attempts: 1, error: 'no answer: ECONNREFUSED' });
    const again = await witness.serve(service, here(), certificate, new URL(url).port);
    expect(await again.listening()).toBe(url);
    await size(8);
    expect(await asking()).toMatchObject({ attempts: 0, error: null });
  });

  it('is told from one that remembers, once its folder was set back', async () => {
    const memory = new Database(join(witness.dir, 'witness.sqlite'));
    memory.exec('CREATE TABLE older AS SELECT * FROM log');
    await seal(here(), signer);
    await size(9);
    memory.exec('CREATE TABLE newer AS SELECT * FROM log');
    memory.exec('DELETE FROM log; INSERT INTO log SELECT * FROM older');
    await seal(here(), signer);
    await refused(/^the witness cosigned the size 9, and now says 8: it was set back/);
    memory.exec('DELETE FROM log; INSERT INTO log SELECT * FROM newer');
    memory.close();
    await size(10);
  });

  it('says that an older copy of the data folder was restored', async () => {
    await service.stop();
    cpSync(service.dataDir, copy, { recursive: true });
    await service.restart();
    for (const sealed of [11, 12]) {
      await seal(here(), signer);
      await size(sealed);
    }
    await service.restart({ dataDir: copy });
    // One record in place of two, and then another second one.
    const other = await registerAgent(here(), 'another');
    await seal(here(), other);
    await refused(/^the witness cosigned the size 12, and this log ends at 11: was an older copy of the data folder/);
    await seal(here(), other);
    await refused(/^HTTP 422: the log does not continue/);
    expect(await newestOf(here(), 'w2.example.org')).toMatchObject({ size: 10 });
  });
});
