import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nonceKey, operationIdKey, TermKeys } from '../../../../src/service/ledger/operation-index/posting-keys.ts';

const value = fc.string({ unit: 'binary', maxLength: 20 });
const operation = fc.record({
  operationId: value,
  nonce: value,
  agentId: value,
  operationType: value,
  subject: value,
});

/** The seven combinations of terms, in the order in which TermKeys.all gives their keys. */
function combinations({
  agentId,
  operationType,
  subject,
}: {
  agentId: string;
  operationType: string;
  subject: string;
}) {
  return [
    {},
    { agentId },
    { operationType },
    { subject },
    { agentId, operationType },
    { agentId, subject },
    { operationType, subject },
    { agentId, operationType, subject },
  ];
}

describe('keys of terms', () => {
  it('are whole numbers of 48 bits, the same for the filter and for the record', () => {
    const [indexing, searching] = [new TermKeys(), new TermKeys()];
    fc.assert(
      fc.property(operation, (given) => {
        const keys = indexing.all('org', given);
        expect(combinations(given).map((terms) => searching.of('org', terms))).toEqual(keys);
        for (const key of [...keys, operationIdKey('org', given.operationId), nonceKey('org', 'a', given.nonce)]) {
          expect(Number.isSafeInteger(key) && key >= 0 && key < 2 ** 48).toBe(true);
        }
      }),
    );
  });

  it('are those that are stored: a change of them needs another version of the file', () => {
    const given = { operationId: 'A-1', nonce: 'n', agentId: 'agent', operationType: 'file.read', subject: 'file 1' };
    const keys = [operationIdKey('org', 'A-1'), nonceKey('org', 'agent', 'n'), ...new TermKeys().all('org', given)];
    expect(keys).toMatchInlineSnapshot(`
      [
        76000595316936,
        80737629410443,
        41607800545094,
        44411928911481,
        51297419179739,
        217339706714873,
        246135365625150,
        745522442651,
        162228420094084,
        147885962118513,
      ]
    `);
  });

  it('differ for all combinations of many agents, types and subjects, and for organizations', () => {
    const terms = new TermKeys();
    const names = Array.from({ length: 40 }, (_, n) => `name-${n}`);
    const keys = new Set<number>();
    let count = 0;
    const add = (orgId: string, query: Parameters<TermKeys['of']>[1]): void => {
      keys.add(terms.of(orgId, query));
      count++;
    };
    for (const orgId of ['org-1', 'org-2']) {
      add(orgId, {});
      for (const one of names) {
        // The same text as agent, type and subject is three terms.
        add(orgId, { agentId: one });
        add(orgId, { operationType: one });
        add(orgId, { subject: one });
        for (const two of names) {
          add(orgId, { agentId: one, operationType: two });
          add(orgId, { agentId: one, subject: two });
          add(orgId, { operationType: one, subject: two });
          for (const three of names) add(orgId, { agentId: one, operationType: two, subject: three });
        }
      }
    }
    expect(keys.size).toBe(count);
  });

  it('are the same for an operation_id in any case of its letters', () => {
    expect(operationIdKey('org', 'ABCDEF')).toBe(operationIdKey('org', 'abcdef'));
    expect(nonceKey('org', 'agent', 'A')).not.toBe(nonceKey('org', 'agent', 'a'));
  });
});
