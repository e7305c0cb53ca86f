// docs/interface.md, Authentication: the workstation session, who sees which case, and who may change the trust store.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  fingerprintDigits,
  orgFingerprint,
  publicKeyOf,
  receiptSignedBytes,
  toBase64Url,
} from '../../../src/protocol/index.ts';
import { makeBundle, ORG_ID, serviceKid, serviceSeed, sign } from '../../support/bundle-maker.ts';
import { at } from '../../support/bytes.ts';
import { codeOf, enterWorkstation, importCase, settled, uploadOf, WorkstationClient } from '../../support/cases.ts';
import { type Client, expectError, send } from '../../support/client.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { TestService } from '../../support/service.ts';

const service = await TestService.start({ trustStore: join(temporaryFolder(), 'trust.json') });
const owner = await service.signUp('owner');
const stranger = await service.signUp('stranger');
const desk = await enterWorkstation(service);
const file = { name: 'bundle', bytes: Buffer.from(makeBundle({ agents: 2, epochs: [3, 2] }).text) };

const active = async (client: Client): Promise<boolean> => (await client.ok('workstation')).active;

describe('the link', () => {
  it('lets one browser in: a cookie that scripts and other sites do not get', async () => {
    const link = service.workstationLink();
    expect(link.slice(service.url.length)).toMatch(/^\/#\/enter\?code=[A-Za-z0-9_-]{43}$/);
    const body = { code: codeOf(link) };
    const first = await service.client().call('enterWorkstation', { body });
    expect(first.body).toEqual({ active: true });
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^countersign_workstation=[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
    const cookie = first.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    expect(await active(new WorkstationClient(service.url, cookie))).toBe(true);
    const second = await service.client().call('enterWorkstation', { body });
    expectError(second, 'UNAUTHORIZED');
    expect(second.headers['set-cookie']).toBeUndefined();
  });

  it('is nothing that can be made up', async () => {
    expectError(await service.client().call('enterWorkstation', { body: { code: 'A'.repeat(43) } }), 'UNAUTHORIZED');
    expect(await active(service.client())).toBe(false);
    expect(await active(new WorkstationClient(service.url, `countersign_workstation=${'A'.repeat(43)}`))).toBe(false);
  });

  it('ends with the service', async () => {
    const other = await TestService.start();
    const there = await enterWorkstation(other);
    expect(await active(there)).toBe(true);
    await other.restart();
    const again = new WorkstationClient(other.url, 'none');
    expect(await active(again)).toBe(false);
  });
});

describe('a trust store with the keys themselves', () => {
  it('lets a case judge what a key signed that its bundle lacks (protocol V109, V120)', async () => {
    const made = makeBundle({ agents: 2, epochs: [3, 2] });
    const { service_signature: _, ...receipt } = { ...at(made.receipts, 2), service_kid: serviceKid(7) };
    const signed = { ...receipt, service_signature: sign(serviceSeed(7), receiptSignedBytes(receipt)) };
    const receipts = [{ name: 'kept.jsonl', bytes: Buffer.from(JSON.stringify(signed)) }];
    const other = await TestService.start({ trustStore: join(temporaryFolder(), 'trust.json') });
    const there = await enterWorkstation(other);
    const keys = [0, 7].map((index) => {
      const x = toBase64Url(publicKeyOf(serviceSeed(index)));
      return { kty: 'OKP', crv: 'Ed25519', kid: serviceKid(index), x };
    });
    await there.ok('addTrust', { body: { jwks: { keys }, organizations: [{ org_id: ORG_ID }] } });
    const found = await importCase(there, file, { receipts });
    expect(found.verdict).toBe('failed');
  });
});

describe('a workstation session', () => {
  it('opens nothing of an organization', async () => {
    for (const route of ['listAgents', 'listMembers', 'ledgerSummary', 'session'] as const) {
      expectError(await desk.call(route), 'UNAUTHORIZED');
    }
  });

  it('cannot be used by a page elsewhere', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    expectError(await desk.call('addTrust', { body: { kid: 'A'.repeat(43) }, headers }), 'FORBIDDEN');
    expectError(await desk.call('deleteCase', { params: { case_id: 'none' }, headers }), 'FORBIDDEN');
    // A browser that says nothing of where the request comes from.
    const silent = { method: 'DELETE', path: '/v1/cases/none', headers: { cookie: desk.cookie } };
    expectError(await send(service.url, silent), 'FORBIDDEN');
    const own = { ...silent, headers: { ...silent.headers, 'sec-fetch-site': 'same-origin' } };
    expectError(await send(service.url, own), 'NOT_FOUND');
  });

  it('continues after the session of an account ended', async () => {
    const headers = { authorization: 'Bearer csn_sess_ended' };
    expect((await desk.call('listCases', { headers })).status).toBe(200);
    expectError(await service.client('csn_sess_ended').call('listCases'), 'UNAUTHORIZED');
  });
});

describe('a case', () => {
  it('belongs to the workstation, or to the organization of who made it', async () => {
    const ours = await importCase(owner.client, file, { name: 'of the organization' });
    const theirs = await importCase(desk, file, { name: 'of the workstation' });
    expect([ours.scope, theirs.scope]).toEqual(['organization', 'workstation']);
    const names = async (client: Client): Promise<string[]> =>
      (await client.ok('listCases')).data.map(({ name }) => name);
    expect(await names(owner.client)).toEqual(['of the organization']);
    expect(await names(desk)).toEqual(['of the workstation']);
    expect(await names(stranger.client)).toEqual([]);
    const member = service.addMember(owner, 'readonly_investigator');
    expect(await names(member.client)).toEqual(['of the organization']);
    for (const [client, { case_id }] of [
      [desk, ours],
      [stranger.client, ours],
      [owner.client, theirs],
    ] as const) {
      expectError(await client.call('getCase', { params: { case_id } }), 'NOT_FOUND');
      expectError(await client.call('caseSummary', { params: { case_id } }), 'NOT_FOUND');
      expectError(await client.call('deleteCase', { params: { case_id } }), 'NOT_FOUND');
    }
  });

  it('shows both kinds to somebody who presents both', async () => {
    const headers = { authorization: `Bearer ${owner.client.token}` };
    const { data } = (await desk.call('listCases', { headers })).body;
    expect(data.map(({ scope }) => scope)).toEqual(['workstation', 'organization']);
  });

  it('is not made of an upload of somebody else', async () => {
    const { upload_id } = await uploadOf(desk, file);
    expectError(await owner.client.call('createCase', { body: { upload_id } }), 'NOT_FOUND', 'upload_id');
    expectError(await stranger.client.call('deleteUpload', { params: { upload_id } }), 'NOT_FOUND');
    await desk.ok('deleteUpload', { params: { upload_id } });
    expectError(await desk.call('createCase', { body: { upload_id } }), 'NOT_FOUND', 'upload_id');
  });
});

describe('the trust store', () => {
  const kid = serviceKid(0);

  it('takes a kid in groups, and lets it go', async () => {
    expect(await desk.ok('listTrust')).toMatchObject({ enabled: true, trusted: [] });
    const grouped = kid.match(/.{1,6}/g)?.join(' ') ?? '';
    const { keys, changed } = await desk.ok('addTrust', { body: { kid: grouped, name: 'the bank' } });
    expect(keys).toMatchObject([{ kid, label: 'the bank', added_by: 'kid', public_key: null }]);
    expect(changed).toEqual([]);
    expect((await desk.ok('listTrust')).trusted.map((key) => key.kid)).toEqual([kid]);
    await desk.ok('removeTrust', { params: { kid } });
    expectError(await desk.call('removeTrust', { params: { kid } }), 'NOT_FOUND');
  });

  it('takes the digits of a key that was met here, and no others', async () => {
    const digits = fingerprintDigits(kid).join(' ');
    await importCase(desk, file);
    const { keys } = await desk.ok('addTrust', { body: { kid: digits } });
    expect(keys).toMatchObject([{ kid, fingerprint: digits, added_by: 'digits', organizations: [] }]);
    expect(keys[0]?.also_signs_for).toMatchObject([{ org_id: ORG_ID, fingerprint: orgFingerprint(ORG_ID) }]);
    const unmet = fingerprintDigits(serviceKid(8)).join(' ');
    expectError(await desk.call('addTrust', { body: { kid: unmet } }), 'NOT_FOUND');
    await desk.ok('removeTrust', { params: { kid } });
  });

  it('says who pinned what, when and through which door', async () => {
    const organizations = [{ org_id: ORG_ID, org_name: 'Example' }];
    const atDesk = await desk.ok('addTrust', { body: { kid, organizations } });
    const sat = { how: 'workstation', user_id: null, user_name: null };
    expect(atDesk.keys).toMatchObject([{ pinned_by: sat, organizations: [{ org_id: ORG_ID, pinned_by: sat }] }]);
    const second = [{ org_id: 'org_second', org_name: null }];
    const { keys } = await owner.client.ok('addTrust', { body: { kid, organizations: second } });
    const account = { how: 'account', user_id: owner.userId, user_name: 'owner' };
    expect(keys[0]?.organizations.map(({ pinned_by }) => pinned_by)).toEqual([sat, account]);
    await desk.ok('removeTrust', { params: { kid }, query: { org_id: 'org_second' } });
    expect((await desk.ok('listTrust')).trusted[0]?.organizations.map(({ org_id }) => org_id)).toEqual([ORG_ID]);
    expectError(await desk.call('removeTrust', { params: { kid }, query: { org_id: 'org_second' } }), 'NOT_FOUND');
    await desk.ok('removeTrust', { params: { kid } });
    const { events } = await owner.client.ok('listAdminEvents', { query: { limit: '5' } });
    expect(events.map(({ action, actor }) => [action, actor]).slice(0, 4)).toEqual([
      ['trust.remove', 'workstation'],
      ['trust.remove', 'workstation'],
      ['trust.add', owner.userId],
      ['trust.add', 'workstation'],
    ]);
  });

  it('takes a key set and the text of a QR code', async () => {
    const jwks = await service.client().ok('jwks');
    const { keys } = await desk.ok('addTrust', { body: { jwks } });
    expect(keys).toMatchObject([{ kid: service.kid, added_by: 'jwks', public_key: jwks.keys[0]?.x }]);
    expect((await desk.ok('addTrust', { body: { qr: kid } })).keys).toMatchObject([{ kid, added_by: 'qr' }]);
    await desk.ok('removeTrust', { params: { kid } });
    await desk.ok('removeTrust', { params: { kid: service.kid } });
  });

  it.each([
    [{ kid: 'short' }, 'kid'],
    [{ kid, organizations: [{ org_id: '' }] }, 'organizations'],
    [{ kid, organizations: 'all' }, 'organizations'],
    [{ qr: 'https://elsewhere.example' }, 'qr'],
    [{ jwks: { keys: [] } }, 'jwks'],
    [{}, 'exactly one'],
    [{ kid, qr: kid }, 'exactly one'],
  ])('refuses %j', async (body, member) => {
    expectError(await desk.call('addTrust', { body }), 'VALIDATION_ERROR', member);
  });

  it('is changed by a security_admin of the home organization, read by every member of it', async () => {
    const auditor = service.addMember(owner, 'compliance_auditor').client;
    expectError(await auditor.call('addTrust', { body: { kid } }), 'FORBIDDEN', 'security_admin');
    expectError(await auditor.call('removeTrust', { params: { kid } }), 'FORBIDDEN', 'security_admin');
    const admin = service.addMember(owner, 'security_admin').client;
    await admin.ok('addTrust', { body: { kid } });
    expect((await auditor.ok('listTrust')).trusted.map((key) => key.kid)).toEqual([kid]);
    await admin.ok('removeTrust', { params: { kid } });
  });

  it('decides on the verdict, also of a case that is there: verified again once the issuer is trusted', async () => {
    const before = await importCase(desk, file);
    expect(before).toMatchObject({ verdict: 'incomplete', issuer_change: null });
    expect((await uploadOf(desk, file)).issuer).toBe('known');
    await desk.ok('addTrust', { body: { kid } });
    expect((await uploadOf(desk, file)).issuer).toBe('unconfirmed');
    await desk.ok('addTrust', { body: { kid, organizations: [{ org_id: ORG_ID, org_name: 'Example' }] } });
    expect((await uploadOf(desk, file)).issuer).toBe('trusted');
    const params = { case_id: before.case_id };
    await desk.ok('verifyCase', { params, body: {} });
    expect((await settled(desk, before.case_id)).verdict).toBe('verified');
    await desk.ok('removeTrust', { params: { kid } });
  });

  it('tells loudly that another key signs for an organization that was met before', async () => {
    const forged = makeBundle({ agents: 2, epochs: [3, 2], serviceOffset: 5 });
    const anew = { name: 'anew', bytes: Buffer.from(forged.text) };
    expect((await uploadOf(desk, anew)).issuer).toBe('changed');
    const found = await importCase(desk, anew);
    expect(found.issuer_change).toMatchObject({ code: 'ISSUER_CHANGED', kid: serviceKid(5), known: [{ kid }] });
    const { changed } = await desk.ok('addTrust', { body: { kid: serviceKid(5) } });
    expect(changed).toMatchObject([{ kid: serviceKid(5), known: [kid] }]);
    // Who does not see the case is not told of it.
    const admin = service.addMember(owner, 'security_admin').client;
    expect((await admin.ok('addTrust', { body: { kid: serviceKid(5) } })).changed).toEqual([]);
  });
});
