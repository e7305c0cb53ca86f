import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentKey, nonceKey, operationIdKey } from '../../../../src/service/ledger/operation-index/record-keys.ts';
import { runs } from '../../../support/extent.ts';

describe('keys of records', () => {
  it('are whole numbers of 48 bits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
        for (const key of [operationIdKey('org', text), nonceKey('org', 'a', text), agentKey('org', text)]) {
          expect(Number.isSafeInteger(key) && key >= 0 && key < 2 ** 48).toBe(true);
        }
      }),
      runs(),
    );
  });

  it('are those that are stored: a change of them needs another version of the file', () => {
    const keys = [operationIdKey('org', 'A-1'), nonceKey('org', 'agent', 'n'), agentKey('org', 'agent')];
    expect(keys).toMatchInlineSnapshot(`
      [
        76000595316936,
        80737629410443,
        39950624127149,
      ]
    `);
  });

  it('differ for many agents and for organizations, and for the same text as another name', () => {
    const names = Array.from({ length: 5000 }, (_, n) => `name-${n}`);
    const keys = ['org-1', 'org-2'].flatMap((orgId) =>
      names.flatMap((name) => [operationIdKey(orgId, name), nonceKey(orgId, 'agent', name), agentKey(orgId, name)]),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('are the same for an operation_id in any case of its letters', () => {
    expect(operationIdKey('org', 'ABCDEF')).toBe(operationIdKey('org', 'abcdef'));
    expect(nonceKey('org', 'agent', 'A')).not.toBe(nonceKey('org', 'agent', 'a'));
  });
});
