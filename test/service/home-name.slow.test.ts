// docs/interface.md, Organizations of one name: whose name may be taken for the home organization's is marked.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeBundle, ORG_ID, serviceKid } from '../support/bundle-maker.ts';
import { enterWorkstation, importCase, uploadOf } from '../support/cases.ts';
import { temporaryFolder } from '../support/folders.ts';
import { TestService } from '../support/service.ts';

const service = await TestService.start({ trustStore: join(temporaryFolder(), 'trust.json') });
const owner = await service.signUp();
const desk = await enterWorkstation(service);
/** A bundle of an organization called Example. */
const file = { name: 'bundle', bytes: Buffer.from(makeBundle({ epochs: [3] }).text) };

function callHome(name: string): void {
  service.sql.prepare('UPDATE organizations SET name = ? WHERE org_id = ?').run(name, owner.orgId);
}

async function signUpAs(orgName: string) {
  const body = {
    email: `${randomUUID()}@example.org`,
    password: 'correct horse battery',
    name: 'A',
    org_name: orgName,
  };
  const { token } = await service.client().ok('signUp', { body });
  return service.client(token);
}

describe('an imported organization', () => {
  it('with the name of the home organization is marked, from the upload to the list and the trust store', async () => {
    callHome('EXAMPLE.');
    for (const client of [desk, owner.client]) {
      expect((await uploadOf(client, file)).resembles_home).toBe(true);
      const { case_id, verdict } = await importCase(client, file);
      expect(verdict).toBe('incomplete');
      const { data } = await client.ok('listCases');
      expect(data.find((of) => of.case_id === case_id)?.resembles_home).toBe(true);
    }
    const organizations = [{ org_id: ORG_ID, org_name: 'Ехample' }];
    const { keys } = await desk.ok('addTrust', { body: { kid: serviceKid(0), organizations } });
    expect(keys[0]?.organizations[0]?.resembles_home).toBe(true);
    const { trusted, seen } = await desk.ok('listTrust');
    expect(trusted[0]?.organizations[0]?.resembles_home).toBe(true);
    expect(seen.map(({ resembles_home: isMarked }) => isMarked)).toEqual([true]);
  });

  it('is not marked any more once the names differ', async () => {
    callHome('Somebody else');
    expect((await uploadOf(desk, file)).resembles_home).toBe(false);
    const { data } = await desk.ok('listCases');
    expect(data.map(({ resembles_home: isMarked }) => isMarked)).not.toContain(true);
    expect((await desk.ok('listTrust')).seen[0]?.resembles_home).toBe(false);
  });

  it('is not marked where it is the home organization itself', async () => {
    callHome('Example');
    const own = makeBundle({ epochs: [3], orgId: owner.orgId });
    expect((await uploadOf(desk, { name: 'own', bytes: Buffer.from(own.text) })).resembles_home).toBe(false);
  });

  it('tells a guest, who may choose any name for a file, nothing', async () => {
    callHome('Example');
    const guest = await signUpAs('Example');
    expect((await uploadOf(guest, file)).resembles_home).toBe(false);
    expect((await importCase(guest, file)).resembles_home).toBe(false);
  });
});

describe('an organization of the service', () => {
  it('is marked where it is a guest with such a name', async () => {
    callHome('Example');
    const marked = async (name: string) => (await (await signUpAs(name)).ok('ledgerSummary')).resembles_home;
    expect(await marked('Ехample')).toBe(true);
    expect(await marked('Sample')).toBe(false);
    expect((await owner.client.ok('ledgerSummary')).resembles_home).toBe(false);
  });
});
