// Keys on an action: what all agents did from it on, up to it, and what its agent had been told by then.
import { describe, expect, it } from 'vitest';
import { aroundOfKey, searchAround } from '../../src/renderer/lib/around-action.ts';
import { auditSearch } from '../../src/renderer/lib/search-params.ts';

const ACTION = { operation_id: 'begins', seq_no: 7, last_seq_no: 9 };
const pressed = (key: string, more: object = {}) => ({ key, altKey: false, ctrlKey: false, metaKey: false, ...more });

describe('a key on an action', () => {
  it.each([
    ['f', { query: 'seq >= 7', order: 'oldest', selected: 'begins' }],
    ['u', { query: 'seq <= 9', selected: 'begins' }],
    ['w', { query: 'seq <= 9', selected: 'begins', part: 'told' }],
  ])('%s leads to a search that an address can hold', (key, search) => {
    const around = aroundOfKey(pressed(key)) ?? expect.fail('no key of an action');
    expect(searchAround(around, ACTION)).toEqual(search);
    expect(auditSearch.parse(search)).toMatchObject(search);
  });

  it.each([
    pressed('f', { ctrlKey: true }),
    pressed('u', { metaKey: true }),
    pressed('w', { altKey: true }),
    pressed('F'),
    pressed('toString'),
  ])('means nothing else: %j', (event) => {
    expect(aroundOfKey(event)).toBeNull();
  });
});
