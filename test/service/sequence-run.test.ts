import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runReceivedWithin } from '../../src/service/evidence/exports/sequence-run.ts';
import { runs } from '../support/extent.ts';
import { insertRows, operationRow, rowLedger } from '../support/operation-rows.ts';

// Many records at one time, times that nothing was received at, and rows that somebody took out.
const rows = Array.from({ length: 300 }, (_, n) =>
  operationRow({ orgId: 'org', seqNo: n + 1, receivedAt: 1000 + Math.floor((n * n) / 700) * 10 }),
).filter(({ seqNo }) => seqNo % 37 !== 5 && (seqNo < 100 || seqNo > 110) && seqNo !== 1);
const ledger = rowLedger('org', 'empty');
insertRows(ledger, rows);

it('finds the run that a look at every record finds', () => {
  const time = fc.integer({ min: 900, max: 2400 });
  fc.assert(
    fc.property(time, time, fc.integer({ min: 0, max: 310 }), (from, to, lastSeqNo) => {
      const within = rows.filter((row) => row.seqNo <= lastSeqNo && row.receivedAt >= from && row.receivedAt < to);
      const [first, last] = [within.at(0)?.seqNo, within.at(-1)?.seqNo];
      const run = first === undefined || last === undefined ? null : { first, last };
      expect(runReceivedWithin(ledger.store, 'org', from, to, lastSeqNo)).toEqual(run);
    }),
    runs(500),
  );
  expect(runReceivedWithin(ledger.store, 'empty', 0, 9999, 100)).toBeNull();
});
