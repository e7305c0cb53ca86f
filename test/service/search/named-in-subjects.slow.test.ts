// A person in the subject of records is found by search, entities and holds alike: docs/interface.md (Investigation), docs/retention.md.
import { expect, it } from 'vitest';
import { AT_ONCE, sweep } from '../../support/retention.ts';
import { registerAgent, submitNext, TestService } from '../../support/service.ts';

const service = await TestService.start();

it.each<[string, string, readonly string[]]>([
  ['a name', 'Ada Lovelace', ['Ada Lovelace', 'letter to ADA LOVELACE', 'Áda\u200b Lovelace', 'Ａｄａ Lovelace']],
  ['an address', 'ada@corp.example', ['ada@corp.example', 'mail to ada@CORP.example']],
])('is as many records by search, entities and holds: %s', async (_, person, subjects) => {
  const owner = await service.signUp();
  const signer = await registerAgent(owner);
  for (const subject of [...subjects, 'Grace Hopper', 'Adam Lovelacey']) {
    await submitNext(owner, signer, { subject, payload: { tool: 'send_letter', n: 1 } });
  }
  const { client } = owner;
  const found = await client.ok('auditQuery', { body: { query: `"${person}"` } });
  const { data } = await client.ok('entities', { body: { contains: person } });
  await client.ok('setRetentionRules', { body: { rules: [{ name: 'All', ...AT_ONCE }] } });
  await client.ok('placeHold', { body: { selection: { kind: 'person', person }, reason: 'Matter 1' } });
  const { held } = await sweep(owner);
  const touched = await Promise.all(
    data.map(async ({ kind, id }) => (await client.ok('entityTouches', { body: { kind, id } })).data.length),
  );
  const places = await client.ok('redactionPlaces', { body: { names: [person] } });
  expect({
    places: places.records,
    found: found.data.length,
    entities: data.reduce((sum, { records }) => sum + records, 0),
    touched: touched.reduce((sum, count) => sum + count, 0),
    held,
  }).toEqual({
    places: subjects.length,
    found: subjects.length,
    entities: subjects.length,
    touched: subjects.length,
    held: subjects.length,
  });
});
