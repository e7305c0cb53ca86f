// docs/retention.md, A person, everywhere: search, holds and the list of places count the same records, wherever and however a name is written.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/index.ts';
import { type Account, registerAgent, submitNext, TestService } from '../../support/service.ts';
import { Signer } from '../../support/signer.ts';

const service = await TestService.start();

type Asked = { readonly examined: number; readonly last: number; readonly records: number };

/** All that the answers to one question say together: each looks for a while only. */
async function inAll<T extends Asked>(
  ask: (after: number) => Promise<T>,
  join: (found: T, next: T) => object,
): Promise<T> {
  let found = await ask(0);
  while (found.examined < found.last) {
    const next = await ask(found.examined);
    const { examined, last } = next;
    found = { ...found, examined, last, records: found.records + next.records, ...join(found, next) };
  }
  return found;
}

const placesOf = ({ client }: Account, name: string) =>
  inAll(
    (after) => client.ok('redactionPlaces', { body: { names: [name], after } }),
    (found, next) => ({
      operation_ids: [...found.operation_ids, ...next.operation_ids],
      places: [...found.places, ...next.places],
    }),
  );

const heldOf = ({ client }: Account, person: string) =>
  inAll(
    (after) => client.ok('countHeld', { body: { selection: { kind: 'person', person }, after } }),
    () => ({}),
  );

/** Each name as it is asked for, and as records have it. */
const NAMES: readonly (readonly [name: string, written: string])[] = [
  ['Müßigbrodt', 'MUSSIGBRODT'],
  ['Mussigbrodt', 'Müßigbrodt'],
  ['محمد الأحمد', 'مُحَمَّد الأحمد'],
  ['王小明', '王小明'],
  ['Ada Lovelace', 'Ada\u200b Love\u00adlace'],
  ['ada@corp.example', 'ADA@corp.example'],
];

/** One record for each kind of place in which it names somebody. */
const PLACES: Readonly<Record<string, (name: string) => { readonly [member: string]: unknown }>> = {
  value: (name) => ({ payload: { to: name } }),
  'value within a text': (name) => ({ payload: { text: `Dear ${name}, we write to you.` } }),
  'value in a list': (name) => ({ payload: { all: [{ who: name }] } }),
  'name of a member': (name) => ({ payload: { [name]: 1 } }),
  subject: (name) => ({ subject: name, payload: { n: 1 } }),
  action: (name) => ({ action: `tell ${name}`, payload: { n: 1 } }),
  'subject and value': (name) => ({ subject: name, payload: { to: name } }),
};

it.each(NAMES)('is as many records by search, hold and places: %s', async (name, written) => {
  const owner = await service.signUp();
  const signer = await registerAgent(owner);
  for (const make of Object.values(PLACES)) {
    const { payload, ...members } = make(written);
    await submitNext(owner, signer, { ...members, payload: payload as JsonObject });
  }
  await submitNext(owner, signer, { subject: 'Grace Hopper', payload: { to: 'grace@corp.example' } });
  const { client } = owner;
  const { records, operation_ids: named } = await placesOf(owner, name);
  const held = await heldOf(owner, name);
  const found = await client.ok('auditQuery', { body: { query: JSON.stringify(name), order: 'oldest' } });
  const all = Object.keys(PLACES).length;
  expect({ places: records, held: held.records, found: found.data.length }).toEqual({
    places: all,
    held: all,
    found: all,
  });
  expect(found.data.map(({ operation_id }) => operation_id)).toEqual(named);
});

it('is as many records by search, hold and places where the type of a record has the name', async () => {
  const owner = await service.signUp();
  const { client } = owner;
  const signer = await registerAgent(owner);
  await submitNext(owner, signer, { operation_type: 'mail.lovelace', payload: { n: 1 } });
  await submitNext(owner, signer, { operation_type: 'mail.hopper', payload: { n: 1 } });
  const { records } = await placesOf(owner, 'Lovelace');
  const held = await heldOf(owner, 'Lovelace');
  const found = await client.ok('auditQuery', { body: { query: 'Lovelace' } });
  expect([records, held.records, found.data.length]).toEqual([1, 1, 1]);
});

it.each(NAMES)(
  'lists display names and notes besides the records, whose count stays the same: %s',
  async (name, written) => {
    const owner = await service.signUp();
    const { client } = owner;
    const signer = new Signer(owner.orgId, `agent-${randomUUID()}`);
    await client.ok('registerAgent', { body: { ...signer.registration, display_name: written } });
    const { operation_id } = await submitNext(owner, signer, { subject: 'work', payload: { n: 1 } });
    await client.ok('annotateLive', { params: { operation_id }, body: { tags: [], note: `Ask ${written} about it.` } });
    const { records, besides } = await placesOf(owner, name);
    const held = await heldOf(owner, name);
    const found = await client.ok('auditQuery', { body: { query: JSON.stringify(name) } });
    expect([records, held.records, found.data.length]).toEqual([0, 0, 0]);
    expect(besides.filter(({ place }) => place === 'agent_name' || place === 'note')).toEqual([
      { place: 'agent_name', count: 1, examples: [written] },
      { place: 'note', count: 1, examples: [operation_id] },
    ]);
  },
);

it('says of each place whether an erasure reaches it', async () => {
  const owner = await service.signUp();
  const signer = await registerAgent(owner);
  await submitNext(owner, signer, { subject: 'Ada', payload: { to: 'Ada', Ada: 1 } });
  await owner.client.ok('submitOperation', { body: signer.nextSalted({ to: 'Ada', Ada: 'x' }) });
  const { places } = await placesOf(owner, 'Ada');
  const told = places.map(({ place, pointer, withheld, erased, records }) => ({
    place,
    pointer,
    withheld,
    erased,
    records,
  }));
  expect(told).toEqual([
    { place: 'subject', pointer: null, withheld: null, erased: false, records: 1 },
    { place: 'name', pointer: '/Ada', withheld: 'payload', erased: true, records: 1 },
    { place: 'value', pointer: '/to', withheld: 'payload', erased: true, records: 1 },
    { place: 'name', pointer: '/Ada', withheld: 'payload', erased: false, records: 1 },
    { place: 'value', pointer: '/to', withheld: 'member', erased: true, records: 1 },
  ]);
});
