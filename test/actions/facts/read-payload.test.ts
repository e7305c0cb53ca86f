// How a payload is read for search: docs/investigating.md.
import { describe, expect, it } from 'vitest';
import { READ_LIMITS, type ReadPayload, readPayload, valueAt } from '../../../src/actions/index.ts';
import { type JsonObject, saltPayload } from '../../../src/protocol/index.ts';

/** Leaves as `pointer = value`, in order. */
const told = ({ leaves }: ReadPayload): string[] => leaves.map(({ pointer, value }) => `${pointer} = ${value}`);

function salted(payload: JsonObject) {
  let salt = 0;
  const made = saltPayload(payload, () => new Uint8Array(16).fill(salt++));
  if (made === null) throw new Error('no salted form');
  return made;
}

describe('the values of a payload', () => {
  it('are listed with names and positions', () => {
    const read = readPayload({ flights: [{ number: 'HAT1' }, { number: 'HAT2' }], paid: true, fee: null, seats: 2 });
    expect(told(read)).toEqual([
      '/flights/0/number = HAT1',
      '/flights/1/number = HAT2',
      '/paid = true',
      '/fee = null',
      '/seats = 2',
    ]);
    expect(read.leaves.map(({ path }) => path.join('.'))).toEqual([
      'flights.number',
      'flights.number',
      'paid',
      'fee',
      'seats',
    ]);
  });

  it('keep the name of what is empty', () => {
    expect(told(readPayload({ a: {}, b: [], c: '' }))).toEqual(['/a = ', '/b = ', '/c = ']);
  });

  it('are named by pointers that lead back to them, whatever their names', () => {
    const payload = JSON.parse('{"a/b":{"~":1},"__proto__":{"x":2},"":[3]}') as JsonObject;
    const read = readPayload(payload);
    expect(read.leaves).toHaveLength(3);
    for (const { pointer, value } of read.leaves) expect(valueAt(read.tree, pointer)).toBe(value);
    expect(valueAt(read.tree, '/toString')).toBeUndefined();
    expect(valueAt(read.tree, '/~1')).toBeUndefined();
  });
});

describe('a text that is JSON', () => {
  it('is opened, up to four within each other', () => {
    let text = '{"deep":"down"}';
    for (let i = 0; i < 4; i++) text = JSON.stringify({ in: text });
    const read = readPayload({ result: text });
    expect(read.opened).toEqual(['/result', '/result/in', '/result/in/in', '/result/in/in/in']);
    expect(told(read)).toEqual(['/result/in/in/in/in = {"deep":"down"}']);
    expect(read.shown).toEqual({ result: text });
  });

  it('stays a text where it is a value by itself, no JSON, or would lose something', () => {
    const texts = ['12', '"x"', 'true', '[sic] he said', '{"a":1,"a":2}', '[1,2', '{not json}'];
    for (const text of texts) expect(told(readPayload({ text }))).toEqual([`/text = ${text}`]);
  });

  it('has numbers that a double does not keep as texts, to the last digit', () => {
    const text = '{"id":12345678901234567890,"in":[0.30000000000000000001,1e400,7]}';
    expect(told(readPayload({ text }))).toEqual([
      '/text/id = 12345678901234567890',
      '/text/in/0 = 0.30000000000000000001',
      '/text/in/1 = 1e400',
      '/text/in/2 = 7',
    ]);
  });

  it('may have blanks around it', () => {
    expect(told(readPayload({ text: ' \n[1]\n' }))).toEqual(['/text/0 = 1']);
  });
});

describe('a salted payload', () => {
  const { payload, disclosures } = salted({ profile: 'p/1', tool: 'pay', result: '{"id":7}' });

  it('has what is disclosed in its place', () => {
    const read = readPayload(payload, disclosures);
    expect(told(read)).toEqual(['/profile = p/1', '/result/id = 7', '/tool = pay']);
    expect(read.withheldMembers).toEqual([]);
  });

  it('has no values of what is withheld', () => {
    const { tool } = disclosures;
    const read = readPayload(payload, tool === undefined ? {} : { tool });
    expect(told(read)).toEqual(['/profile = p/1', '/tool = pay']);
    expect(read.withheldMembers).toEqual(['result']);
  });

  it('has none where all of it is withheld or erased', () => {
    expect(readPayload(null)).toMatchObject({ shown: null, tree: null, leaves: [] });
  });
});

describe('a payload without end', () => {
  it('is read up to a number of values', () => {
    const read = readPayload({ list: Array.from({ length: 50 }, (_, i) => i) }, {}, { ...READ_LIMITS, leaves: 10 });
    expect(read.leaves).toHaveLength(10);
    expect(read.cut).toBe(true);
  });

  it('is read up to a number of characters', () => {
    const read = readPayload({ a: 'x'.repeat(90), b: 'y'.repeat(90) }, {}, { ...READ_LIMITS, characters: 100 });
    expect(read.leaves.map(({ pointer }) => pointer)).toEqual(['/a']);
    expect(read.cut).toBe(true);
  });

  it('may nest as deep as the protocol allows, and its texts too', () => {
    const nested = `${'['.repeat(250)}1${']'.repeat(250)}`;
    const read = readPayload({ text: nested, tree: JSON.parse(nested) });
    expect(read.leaves.map(({ value }) => value)).toEqual([1, 1]);
    expect(read.cut).toBe(false);
  });
});
