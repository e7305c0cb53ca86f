// This service as a witness of the logs of others: docs/interface.md (Witnesses), docs/witnesses.md.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WitnessFolder, WitnessFolderError } from '../../../src/node/witness/index.ts';
import { parseEquivocationProof, utf8, verifyEquivocationProof } from '../../../src/protocol/index.ts';
import { expectError } from '../../support/client.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { type Account, backupOf, registerAgent, submitNext, TestService } from '../../support/service.ts';
import type { Signer } from '../../support/signer.ts';
import { textOf } from '../../support/witness.ts';

const NAME = 'witness.example.org/w1';
const copy = temporaryFolder();
const service = await TestService.start({ trustStore: join(temporaryFolder(), 'trust.json') });
const owner = await service.signUp();
const { client } = owner;
const other = await TestService.start();
const theirs = await other.signUp();
const signer = await registerAgent(theirs);
const origin = `countersign.v1/${theirs.orgId}`;

const seal = async (account: Account, by: Signer): Promise<void> => {
  await submitNext(account, by);
  await account.client.ok('closeEpoch');
};
const ask = (account: Account, witness_id: string, from?: number) =>
  textOf(
    account.client.call('witnessRequest', {
      params: { witness_id },
      query: from === undefined ? {} : { from: String(from) },
    }),
  );
/** Where the service listens now. */
const ofService = () => service.client(client.token);
const cosign = (body: { request: string; service_keys?: string }) => ofService().ok('cosign', { body });
const events = async () => {
  const { events: all } = await ofService().ok('listAdminEvents', { query: { limit: '50' } });
  return all.filter(({ action }) => action.startsWith('witness.'));
};

it('is a witness once it has a name, which the home organization gives it', async () => {
  const guest = await service.signUpGuest();
  expect(await client.ok('ownWitness')).toEqual({ witness: null, administered_here: true });
  expect(await guest.client.ok('ownWitness')).toEqual({ witness: null, administered_here: false });
  expectError(await client.call('cosign', { body: { request: 'old 0\n' } }), 'NOT_FOUND');
  expectError(await guest.client.call('makeWitness', { body: { name: NAME } }), 'FORBIDDEN');
  for (const name of ['', 'two words', 'a+b', 'a\u{200b}b', 'n'.repeat(201), '🦉'.repeat(64)]) {
    expectError(await client.call('makeWitness', { body: { name } }), 'VALIDATION_ERROR');
  }
  const { witness } = await client.ok('makeWitness', { body: { name: NAME } });
  expect(witness).toMatchObject({ name: NAME, logs: [] });
  expect(witness?.keys.map((vkey) => vkey.slice(0, NAME.length + 1))).toEqual([`${NAME}+`, `${NAME}+`]);
  expectError(await client.call('makeWitness', { body: { name: 'another' } }), 'CONFLICT');
  expectError(await guest.client.call('cosign', { body: { request: 'old 0\n' } }), 'FORBIDDEN');
  expect(await client.ok('ownWitness')).toEqual({ witness, administered_here: true });
  expect(await guest.client.ok('ownWitness')).toEqual({ witness: null, administered_here: false });
});

it('keeps its secret keys sealed, and in no backup', async () => {
  const folder = join(service.dataDir, 'witness');
  expect(() => WitnessFolder.open(folder, null)).toThrow(WitnessFolderError);
  const id = await backupOf(owner);
  const { backups } = await client.ok('listBackups');
  expect(JSON.stringify(backups.find(({ backup_id }) => backup_id === id))).not.toContain('witness');
});

it('cosigns the log of a service whose key it trusts, from where it cosigned last', async () => {
  const { witness } = await client.ok('ownWitness');
  const keys = (witness?.keys ?? []).join('\n');
  const { witness: added } = await theirs.client.ok('addWitness', { body: { keys, url: null } });
  const params = { witness_id: added.witness_id };
  await seal(theirs, signer);
  const request = await ask(theirs, added.witness_id);
  const service_keys = await textOf(theirs.client.call('serviceKeysFile'));
  const untrusted = await cosign({ request, service_keys });
  expect(untrusted).toMatchObject({
    cosigned: null,
    refused: { status: 404, proof: null, message: expect.stringContaining('give its service keys') as string },
  });
  await client.ok('addTrust', { body: { kid: other.kid, organizations: [{ org_id: theirs.orgId }] } });
  // Its keys are not known yet.
  expect((await cosign({ request })).refused?.status).toBe(404);
  expectError(await client.call('cosign', { body: { request, service_keys: '{}' } }), 'VALIDATION_ERROR');
  expect((await cosign({ request: 'nothing', service_keys })).refused?.status).toBe(400);
  const { cosigned, refused } = await cosign({ request, service_keys });
  expect([cosigned?.origin, cosigned?.size, refused]).toEqual([origin, 1, null]);
  await theirs.client.ok('importCosignatures', { params, body: { answer: cosigned?.answer ?? '' } });
  await seal(theirs, signer);
  // As somebody pastes it.
  const pasted = `\r\n ${(await ask(theirs, added.witness_id)).replaceAll('\n', '\r\n')} \r\n`;
  const next = await cosign({ request: pasted });
  expect(next.cosigned?.size).toBe(2);
  const { cosignature } = await theirs.client.ok('importCosignatures', {
    params,
    body: { answer: next.cosigned?.answer ?? '' },
  });
  expect(cosignature).toMatchObject({ name: NAME, size: 2, algorithms: ['ed25519', 'ml-dsa-44'] });
  const logs = (await client.ok('ownWitness')).witness?.logs;
  expect(logs).toMatchObject([{ origin, size: 2, cosigned_at: cosignature.cosigned_at }]);
  expect((await cosign({ request })).refused).toMatchObject({ status: 409, proof: null });
});

it('refuses a log that was rewritten, with the proof, also after a restart', async () => {
  await other.stop();
  cpSync(other.dataDir, copy, { recursive: true });
  await other.restart();
  const at = (): Account => ({ ...theirs, client: other.client(theirs.client.token) });
  const here = at();
  const { witness_id } = (await here.client.ok('listWitnesses')).witnesses[0] ?? expect.fail();
  await seal(here, signer);
  const honest = (await cosign({ request: await ask(here, witness_id) })).cosigned;
  expect(honest?.size).toBe(3);
  await other.restart({ dataDir: copy });
  const there = at();
  const another = await registerAgent(there, 'another');
  await seal(there, another);
  await seal(there, another);
  await service.restart();
  const { cosigned, refused } = await ofService().ok('cosign', {
    body: { request: await ask(there, witness_id, 3) },
  });
  expect([cosigned, refused?.status]).toEqual([null, 422]);
  const proof = parseEquivocationProof(utf8(refused?.proof ?? ''));
  expect((await verifyEquivocationProof(proof, { trustedKids: [other.kid] })).verdict).toBe('verified');
});

it('says in the log of events what it cosigned and what it refused', async () => {
  const said = (await events()).reverse();
  expect(said.map(({ action, target_id }) => [action, target_id])).toEqual(
    ['make', 'refuse', 'refuse', 'refuse', 'cosign', 'cosign', 'refuse', 'cosign', 'refuse'].map((act) => [
      `witness.${act}`,
      NAME,
    ]),
  );
  expect(said[4]?.details).toEqual({ origin, size: 1 });
  expect(said[8]?.details).toMatchObject({ status: 422, proof: expect.stringMatching(/^sha256:/) });
});
