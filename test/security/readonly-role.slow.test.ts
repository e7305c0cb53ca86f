// A readonly role that changes the evidence of others: overwrites notes, renames, deletes, changes whom a verdict trusts.
import { describe, expect, it } from 'vitest';
import { makeBundle, serviceKid } from '../support/bundle-maker.ts';
import { enterWorkstation, importCase, uploadOf, WorkstationClient } from '../support/cases.ts';
import { expectError } from '../support/client.ts';
import { TestService } from '../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp('owner');
const auditor = service.addMember(owner, 'compliance_auditor');
const made = makeBundle({ agents: 2, epochs: [3, 2] });
const file = { name: 'bundle', bytes: Buffer.from(made.text) };
const operation_id = made.receipts[0]?.operation_id ?? '';
const { case_id } = await importCase(owner.client, file, { name: 'the case' });
await owner.client.ok('annotate', { params: { case_id, operation_id }, body: { note: 'the note' } });

const actions = async () =>
  (await owner.client.ok('listAdminEvents', { query: { limit: '100' } })).events.map(({ action }) => action);

describe.each(['readonly_investigator', 'integration_engineer'] as const)('a %s', (role) => {
  const { client } = service.addMember(owner, role);
  const params = { case_id, operation_id };

  it('reads cases, their records, and what others wrote about them', async () => {
    expect((await client.ok('getCase', { params: { case_id } })).name).toBe('the case');
    expect((await client.ok('getAnnotation', { params })).note).toBe('the note');
    expect((await client.ok('caseAuditQuery', { params: { case_id }, body: {} })).data).toHaveLength(5);
    expect((await client.call('caseReportJson', { params: { case_id } })).status).toBe(200);
  });

  it('changes nothing of them', async () => {
    const before = await actions();
    const named = { params: { case_id } };
    expectError(await client.call('renameCase', { ...named, body: { name: 'mine' } }), 'FORBIDDEN');
    expectError(await client.call('deleteCase', named), 'FORBIDDEN');
    expectError(await client.call('cancelCase', named), 'FORBIDDEN');
    expectError(await client.call('verifyCase', { ...named, body: { trusted_kids: [serviceKid(0)] } }), 'FORBIDDEN');
    expectError(await client.call('annotate', { params, body: { note: 'mine' } }), 'FORBIDDEN');
    expectError(await client.call('removeAnnotation', { params }), 'FORBIDDEN');
    expectError(await client.call('createCase', { body: { upload_id: crypto.randomUUID() } }), 'FORBIDDEN');
    expect((await client.inspect(file)).status).toBe(403);
    expect(await owner.client.ok('getCase', named)).toMatchObject({ name: 'the case', verdict: 'incomplete' });
    expect((await owner.client.ok('getAnnotation', { params })).note).toBe('the note');
    expect(await actions()).toEqual(before);
  });

  it('does not get around it with a workstation session, with which it works on cases of the workstation', async () => {
    const { cookie } = await enterWorkstation(service);
    const both = new WorkstationClient(service.url, cookie);
    const headers = { authorization: `Bearer ${client.token}` };
    const named = { params: { case_id }, headers };
    expectError(await both.call('renameCase', { ...named, body: { name: 'mine' } }), 'FORBIDDEN', 'compliance_auditor');
    expectError(await both.call('deleteCase', named), 'FORBIDDEN');
    expectError(await both.call('verifyCase', { ...named, body: { trusted_kids: [] } }), 'FORBIDDEN');
    expectError(await both.call('annotate', { params, headers, body: { note: 'mine' } }), 'FORBIDDEN');
    const { upload_id } = await uploadOf(both, file);
    const own = await both.ok('createCase', { headers, body: { upload_id } });
    expect(own.scope).toBe('workstation');
    expect((await both.ok('deleteCase', { headers, params: { case_id: own.case_id } })).success).toBe(true);
  });
});

describe('what is done to a case', () => {
  it('is recorded in the administrative log of its organization, with who did it', async () => {
    const own = await importCase(auditor.client, file, { name: 'first' });
    const params = { case_id: own.case_id };
    await auditor.client.ok('renameCase', { params, body: { name: 'second' } });
    await auditor.client.ok('verifyCase', { params, body: { trusted_kids: [serviceKid(0)] } });
    await auditor.client.ok('deleteCase', { params });
    const { events } = await owner.client.ok('listAdminEvents', { query: { limit: '4' } });
    expect(events.map(({ action }) => action)).toEqual(['case.delete', 'case.verify', 'case.rename', 'case.create']);
    for (const { actor, target_id, target_type } of events) {
      expect([actor, target_id, target_type]).toEqual([auditor.userId, own.case_id, 'case']);
    }
    expect(events[2]?.details).toEqual({ from: 'first', to: 'second' });
    expect(events[1]?.details).toEqual({ trusted_keys: [serviceKid(0)] });
  });
});

describe('separation of duties', () => {
  it('is turned on by an administrator alone, is recorded, and holds for tokens that are there already', async () => {
    const separated = await service.signUp('separated');
    const writer = service.addMember(separated, 'compliance_auditor').client;
    const reader = service.addMember(separated, 'readonly_investigator').client;
    const body = { separate_duties: true };
    const agent = { agent_id: 'a', keys: [] };
    expectError(await writer.call('changeOrganization', { body }), 'FORBIDDEN');
    expectError(await reader.call('auditQuery', { body: {} }), 'FORBIDDEN');
    expectError(await writer.call('registerAgent', { body: agent }), 'VALIDATION_ERROR');
    expect(await separated.client.ok('changeOrganization', { body })).toMatchObject(body);
    expectError(await writer.call('registerAgent', { body: agent }), 'FORBIDDEN', 'separates duties');
    expect((await reader.ok('auditQuery', { body: {} })).data).toEqual([]);
    const { events } = await reader.ok('listAdminEvents', {});
    expect(events[0]).toMatchObject({ action: 'org.change', details: { separate_duties: true } });
    await separated.client.ok('changeOrganization', { body });
    expect((await reader.ok('listAdminEvents', {})).events).toHaveLength(events.length);
  });
});
