// A guest of the service – any other program of the machine, while sign-up is open – wants a forged bundle to be believed by
// the person at this machine: by the trust store, over HTTP, whatever role the guest has at home.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROLES, satisfiesRole } from '../../src/api/index.ts';
import { makeBundle, ORG_ID, serviceKid } from '../support/bundle-maker.ts';
import { enterWorkstation, importCase, settled, uploadOf } from '../support/cases.ts';
import { expectError } from '../support/client.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { TestService } from '../support/service.ts';

const folder = temporaryFolder();
const path = join(folder, 'trust.json');
const service = await TestService.start({ trustStore: path });
const owner = await service.signUp();
const guest = await service.signUpGuest('attacker');
const desk = await enterWorkstation(service);

const trusted = serviceKid(0);
const attacker = serviceKid(5);
const genuine = { name: 'genuine', bytes: Buffer.from(makeBundle({ epochs: [3] }).text) };
const forged = { name: 'forged', bytes: Buffer.from(makeBundle({ epochs: [3], serviceOffset: 5 }).text) };
const organizations = [{ org_id: ORG_ID, org_name: 'Example' }];
await desk.ok('addTrust', { body: { kid: trusted, name: 'secret label', organizations } });
const store = readFileSync(path, 'utf8');

describe('a guest', () => {
  it.each(ROLES)('as %s neither adds to the trust store nor takes away from it', async (role) => {
    const { client } = service.addMember(guest, role);
    expectError(await client.call('addTrust', { body: { kid: attacker, organizations } }), 'FORBIDDEN');
    expectError(
      await client.call('addTrust', { body: { kid: trusted, organizations: [{ org_id: 'x' }] } }),
      'FORBIDDEN',
    );
    // Whoever may not even ask at home is told so; to the others there is nothing here.
    const refusal = satisfiesRole(role, 'security_admin') ? 'NOT_FOUND' : 'FORBIDDEN';
    expectError(await client.call('removeTrust', { params: { kid: trusted } }), refusal);
    expectError(await client.call('removeTrust', { params: { kid: trusted }, query: { org_id: ORG_ID } }), refusal);
    expect(readFileSync(path, 'utf8')).toBe(store);
  });

  it('does not see whom the person at this machine trusts', async () => {
    const answer = await guest.client.call('listTrust');
    expect(answer.body).toEqual({ enabled: false, trusted: [], seen: [], witnesses: [], time_roots: [] });
    expect(answer.bytes.toString('utf8')).not.toContain('secret');
  });

  it('gets no verdict out of the store either, and leaves no trace in it', async () => {
    expect((await uploadOf(guest.client, genuine)).issuer).toBe('unknown');
    expect((await importCase(guest.client, genuine)).verdict).toBe('incomplete');
    expect(readFileSync(path, 'utf8')).toBe(store);
    // Whom a guest trusts is named for each verification.
    const named = await importCase(guest.client, genuine, { trusted_kids: [`${trusted}@${ORG_ID}`] });
    expect(named.verdict).toBe('verified');
    expect(readFileSync(path, 'utf8')).toBe(store);
  });

  it('cannot make a forged bundle verified: not for the workstation, its owner, or the command line', async () => {
    await guest.client.call('addTrust', { body: { kid: attacker, organizations } });
    await importCase(guest.client, forged, { trusted_kids: [attacker] });
    for (const client of [desk, owner.client]) {
      const found = await importCase(client, forged);
      expect(found.verdict).toBe('incomplete');
      await client.ok('verifyCase', { params: { case_id: found.case_id }, body: {} });
      expect((await settled(client, found.case_id)).verdict).toBe('incomplete');
    }
    const file = join(folder, 'forged.csbundle');
    writeFileSync(file, forged.bytes);
    const { code, stdout } = await run('verify', file, '--trust-store', path);
    expect(code).toBe(3);
    expect(stdout).not.toContain('Verdict: verified');
  });
});

describe('whoever may change the store', () => {
  it('is, over HTTP, a security admin of the home organization, and each change is in its log', async () => {
    const auditor = service.addMember(owner, 'compliance_auditor');
    expectError(await auditor.client.call('addTrust', { body: { kid: attacker } }), 'FORBIDDEN', 'security_admin');
    const admin = service.addMember(owner, 'security_admin');
    await admin.client.ok('addTrust', { body: { kid: attacker } });
    await admin.client.ok('removeTrust', { params: { kid: attacker } });
    const { events } = await owner.client.ok('listAdminEvents', { query: { limit: '2' } });
    expect(events.map(({ action, actor, target_id }) => [action, actor, target_id])).toEqual([
      ['trust.remove', admin.userId, attacker],
      ['trust.add', admin.userId, attacker],
    ]);
  });

  it('leaves no event of a change that was refused', async () => {
    const before = await owner.client.ok('listAdminEvents', { query: { limit: '1' } });
    expectError(await owner.client.call('removeTrust', { params: { kid: serviceKid(9) } }), 'NOT_FOUND');
    expectError(await owner.client.call('addTrust', { body: { kid: 'none' } }), 'VALIDATION_ERROR');
    await guest.client.call('addTrust', { body: { kid: attacker } });
    expect(await owner.client.ok('listAdminEvents', { query: { limit: '1' } })).toEqual(before);
  });
});
