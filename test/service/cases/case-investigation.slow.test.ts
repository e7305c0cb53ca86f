// The ledger of a case answers about sessions and entities as the live one does: docs/interface.md (Cases, Investigation).
import { expect, it } from 'vitest';
import { enterWorkstation, importCase, settled } from '../../support/cases.ts';
import { bundleOf, registerAgent, TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp('issuer');
const signer = await registerAgent(owner);
const payloads = [
  { session: 's1', tool: 'get_user', arguments: { user_id: 'ada_7' }, result: '{"name":"Ada"}' },
  { session: 's1', tool: 'pay', arguments: { user_id: 'ada_7', amount: 12.5 }, result: 'Error: no credit' },
  { session: 's1', tool: 'pay', arguments: { user_id: 'ada_7', amount: 10 }, result: 'paid' },
  { session: 's2', tool: 'pay', arguments: { user_id: 'bob_1', amount: 99 }, result: 'paid' },
  { deal: 'd1', tool: 'note', text: 'nothing of that' },
];
const ids: string[] = [];
for (const payload of payloads) {
  const { operation_id } = await owner.client.ok('submitOperation', { body: signer.next({ payload }) });
  ids.push(operation_id);
}
const desk = await enterWorkstation(service);
const { case_id } = await importCase(desk, { name: 'bundle', bytes: Buffer.from(await bundleOf(owner)) });
const params = { case_id };

it('answers about sessions, steps, entities, touches, readings and activity as the live ledger does', async () => {
  const filtered = { query: 'outcome=failed' };
  expect(await desk.ok('caseSessions', { params, body: {} })).toEqual(await owner.client.ok('sessions', { body: {} }));
  const failing = await desk.ok('caseSessions', { params, body: filtered });
  expect(failing).toEqual(await owner.client.ok('sessions', { body: filtered }));
  expect(failing.data.map(({ session }) => session)).toEqual(['s1']);
  const steps = { body: { session: 's1' } };
  expect(await desk.ok('caseSessionSteps', { params, ...steps })).toEqual(await owner.client.ok('sessionSteps', steps));
  const entities = { body: { kind: 'user' } };
  expect(await desk.ok('caseEntities', { params, ...entities })).toEqual(await owner.client.ok('entities', entities));
  const touches = { body: { kind: 'user', id: 'ada_7' } };
  const touched = await desk.ok('caseEntityTouches', { params, ...touches });
  expect(touched).toEqual(await owner.client.ok('entityTouches', touches));
  expect(touched.data.map(({ amount }) => amount?.value ?? null)).toEqual([null, '12.5', '10']);
  const operation_id = ids[2] ?? '';
  const reading = await desk.ok('caseOperationReading', { params: { case_id, operation_id } });
  expect(reading).toEqual(await owner.client.ok('operationReading', { params: { operation_id } }));
  expect(reading.marks).toMatchObject([{ code: 'RETRIED', evidence: [ids[1]] }]);
  expect(await desk.ok('caseActivity', { params })).toEqual(await owner.client.ok('activity'));
});

it('finds sessions by tags, which only cases have', async () => {
  await desk.ok('annotate', { params: { case_id, operation_id: ids[3] ?? '' }, body: { tags: ['odd'] } });
  const tagged = await desk.ok('caseSessions', { params, body: { query: 'tag:odd' } });
  expect(tagged.data.map(({ session }) => session)).toEqual(['s2']);
});

it('is read by its own rules, which stay when it is verified again', async () => {
  expect(await desk.ok('caseInvestigationRules', { params })).toMatchObject({ is_default: true, changed_at: null });
  const rules = { version: 1, sessions: ['/deal'] };
  const changed = await desk.ok('caseSetInvestigationRules', { params, body: { rules } });
  expect(changed).toMatchObject({ is_default: false, changed_by: null, rules: { sessions: ['/deal'] } });
  const sessions = async (): Promise<string[]> => {
    const answer = await until('all records to be read again', async () => {
      const found = await desk.ok('caseSessions', { params, body: {} });
      return found.coverage.pending === 0 && found;
    });
    return answer.data.map(({ session }) => session);
  };
  expect(await sessions()).toEqual(['d1']);
  await desk.ok('verifyCase', { params, body: {} });
  await settled(desk, case_id);
  expect(await sessions()).toEqual(['d1']);
  expect((await desk.call('caseSetInvestigationRules', { params, body: { rules: { version: 9 } } })).status).toBe(400);
  await desk.ok('caseSetInvestigationRules', { params, body: { rules: null } });
  expect(await sessions()).toEqual(['s2', 's1']);
});

it('keeps its own searches', async () => {
  const save = (query: string) => desk.ok('caseSaveSearch', { params, body: { name: 'Failures', search: { query } } });
  await save('outcome=failed');
  const { search_id } = await save('mark:failed');
  expect((await desk.ok('caseSavedSearches', { params })).searches).toMatchObject([
    { search_id, name: 'Failures', search: { query: 'mark:failed' }, created_by: null },
  ]);
  expect((await owner.client.ok('savedSearches')).searches).toEqual([]);
  await desk.ok('caseDeleteSearch', { params: { case_id, search_id } });
  expect((await desk.call('caseDeleteSearch', { params: { case_id, search_id } })).status).toBe(404);
});
