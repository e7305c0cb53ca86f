import { expect, it } from 'vitest';
import { parseQuery } from '../../../../src/actions/index.ts';
import {
  IndexedFolder,
  meant,
  numbersOf,
  pagesOf,
  randomPayload,
  randomQuery,
  referenceRecords,
} from '../../../support/content-index.ts';
import { insertRows, operationRow, rowLedger } from '../../../support/operation-rows.ts';
import { SeededRandom, seedOf } from '../../../support/random.ts';

const ORGS = ['org-a', 'org-b'] as const;
const SEED = seedOf(20_261_122);
const OPTIONS = { now: Date.UTC(2026, 10, 22), zone: 'Europe/Berlin' };

it(`finds exactly what a look at every record finds, seed ${SEED}`, () => {
  const random = new SeededRandom(SEED);
  const ledger = rowLedger(...ORGS);
  const indexed = new IndexedFolder(ledger.folder);
  // Many small steps, so that segments are merged, and several organizations in turn.
  let seqNo = 0;
  for (let step = 0; step < 25; step++) {
    const count = 1 + random.below(14);
    for (const orgId of ORGS) {
      const rows = Array.from({ length: count }, (_, n) =>
        operationRow({
          orgId,
          seqNo: seqNo + n + 1,
          agentId: `agent-${random.below(3)}`,
          subject: `session ${random.below(5)}`,
          payload: random.below(20) === 0 ? null : JSON.stringify(randomPayload(random)),
        }),
      );
      insertRows(ledger, rows);
      indexed.catchUp(orgId);
    }
    seqNo += count;
  }
  let asked = 0;
  const wrong: string[] = [];
  for (const orgId of ORGS) {
    const view = indexed.view(orgId);
    const records = referenceRecords(indexed.source(orgId));
    expect(view.indexedTo).toBe(seqNo);
    for (let n = 0; n < 150; n++) {
      const text = randomQuery(random);
      const parsed = parseQuery(text, OPTIONS);
      if (!parsed.ok) continue;
      asked++;
      const [found, wanted] = [numbersOf(view, parsed.query), meant(parsed.query, records)];
      if (found.join() !== wanted.join()) wrong.push(`${text}: found ${found.length} of ${wanted.length}`);
      const other = indexed.view(orgId);
      for (const order of ['newest', 'oldest'] as const) {
        const paged = pagesOf(other, parsed.query, order);
        const inOrder = order === 'newest' ? wanted.toReversed() : wanted;
        if (paged.join() !== inOrder.join()) wrong.push(`${text}: pages, ${order} first, have ${paged.length}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(asked).toBeGreaterThan(150);
});
