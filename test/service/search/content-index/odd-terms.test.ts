import { expect, it } from 'vitest';
import { parseQuery } from '../../../../src/actions/index.ts';
import { IndexedFolder, meant, numbersOf, referenceRecords } from '../../../support/content-index.ts';
import { insertRows, operationRow, rowLedger } from '../../../support/operation-rows.ts';

const OPTIONS = { now: Date.UTC(2026, 10, 22), zone: 'UTC' };

/** Searches one organization's payloads by the index and without; both find these. */
function found(payloads: readonly object[], queries: readonly string[]): number[][] {
  const ledger = rowLedger('org');
  const indexed = new IndexedFolder(ledger.folder);
  const rows = payloads.map((payload, n) => {
    return operationRow({ orgId: 'org', seqNo: n + 1, payload: JSON.stringify(payload) });
  });
  insertRows(ledger, rows);
  indexed.catchUp('org');
  const view = indexed.view('org');
  const records = referenceRecords(indexed.source('org'));
  return queries.map((text) => {
    const parsed = parseQuery(text, OPTIONS);
    if (!parsed.ok) throw new Error(`${text}: ${parsed.errors.map(({ message }) => message).join()}`);
    const ns = numbersOf(view, parsed.query);
    expect(ns, text).toEqual(meant(parsed.query, records));
    return ns;
  });
}

it('tells a value with a byte order mark from the same without', () => {
  const payloads = [{ note: '' }, { note: '\ufeffpaid' }, { note: 'paid' }];
  expect(found(payloads, ['note = "\ufeffpaid"', 'note = paid', 'note:paid'])).toEqual([[2], [3], [2, 3]]);
});

it('finds parts of words in scripts without blanks and with marks', () => {
  const payloads = [
    { note: '東京都の予約' },
    { note: 'Ünlü ödeme' },
    { note: 'ชำระเงินแล้ว' },
    { note: 'دفع المبلغ' },
    { note: 'हिन्दी' },
    { note: '각하' },
    { other: '京都' },
  ];
  const queries = ['*京都*', '*nl*', '*ünl*', '*ระเงิ*', '*لمبل*', '*न\u094d*', '*가*', 'note:*京都*', 'note:*dem*'];
  expect(found(payloads, queries)).toEqual([[1, 7], [2], [2], [3], [4], [5], [], [1], [2]]);
});

it('finds a part within a field only where it is within the field', () => {
  const payloads = [
    { arguments: { id: 'order4711x' }, result: 'none' },
    { arguments: { id: 'none' }, result: 'order4711x' },
    { arguments: { id: 'order 4711' }, result: `${'ab'.repeat(100)}4711` },
  ];
  const queries = ['arguments:*4711*', 'result:*4711*', '/arguments/id:*r4711*', '*471*', 'result:*bab4711*'];
  expect(found(payloads, queries)).toEqual([[1, 3], [2, 3], [1], [1, 2, 3], [3]]);
});

it('finds phrases of words that are everywhere', () => {
  const payloads = Array.from({ length: 300 }, (_, n) => ({
    text: n % 3 === 0 ? 'the order of the day' : 'of the order the',
    more: n % 7 === 0 ? 'day the of' : 'the the of',
  }));
  const queries = [
    '"the order"',
    '"of the"',
    '"the the"',
    '"the of"',
    'more:"the of"',
    'text:"order of the day"',
    '"the the of"',
  ];
  const [first = []] = found(payloads, queries);
  expect(first).toHaveLength(300);
});
