import { expect, it } from 'vitest';
import { parseQuery } from '../../../../src/actions/index.ts';
import type { ContentView } from '../../../../src/service/search/content-index/content-view.ts';
import { histogramOf } from '../../../../src/service/search/content-index/queries/histogram.ts';
import {
  IndexedFolder,
  meant,
  meantActions,
  numbersOf,
  pagesOf,
  randomPayload,
  randomQuery,
  referenceActions,
  referenceRecords,
} from '../../../support/content-index.ts';
import { seedOf, share } from '../../../support/extent.ts';
import { insertRows, operationRow, rowLedger } from '../../../support/operation-rows.ts';
import { SeededRandom } from '../../../support/random.ts';

const ORGS = ['org-a', 'org-b'] as const;
const SEED = seedOf(20_261_122);
const QUERIES = share(150);
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
    for (let n = 0; n < QUERIES; n++) {
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
  expect(asked).toBeGreaterThan(QUERIES);
});

it(`finds the actions that a look at all records of each finds, seed ${SEED}`, () => {
  const random = new SeededRandom(SEED + 1);
  const ledger = rowLedger('org-a');
  const indexed = new IndexedFolder(ledger.folder);
  const rows = Array.from({ length: 300 }, (_, n) =>
    operationRow({
      orgId: 'org-a',
      seqNo: n + 1,
      agentId: `agent-${random.below(3)}`,
      subject: `session ${random.below(5)}`,
      payload: random.below(20) === 0 ? null : JSON.stringify(randomPayload(random)),
    }),
  );
  // In steps, so that calls go across segments.
  for (let from = 0; from < rows.length; from += 60) {
    insertRows(ledger, rows.slice(from, from + 60));
    indexed.catchUp('org-a');
  }
  const actions = referenceActions(indexed.source('org-a'));
  expect(actions.size).toBeLessThan(280);
  const joining = [
    'tool = pay outcome = failed',
    'not tool = pay',
    'phase = started not phase = completed',
    'outcome = unfinished',
  ];
  const wrong: string[] = [];
  let asked = 0;
  const view = indexed.view('org-a');
  for (const text of [...joining, ...Array.from({ length: 200 }, () => randomQuery(random))]) {
    for (const each of [text, `insession(${text}) tool:*`]) {
      const parsed = parseQuery(each, OPTIONS);
      if (!parsed.ok) continue;
      asked++;
      const wanted = meantActions(parsed.query, actions);
      const found = numbersOf(view, parsed.query, 'actions');
      if (found.join() !== wanted.join()) wrong.push(`${each}: found ${found.length} of ${wanted.length}`);
      for (const order of ['newest', 'oldest'] as const) {
        const paged = pagesOf(indexed.view('org-a'), parsed.query, order, 'actions');
        const inOrder = order === 'newest' ? wanted.toReversed() : wanted;
        if (paged.join() !== inOrder.join()) wrong.push(`${each}: pages, ${order} first, have ${paged.length}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(asked).toBeGreaterThan(200);
});

it(`finds among the newest records, which it has not taken in, what they themselves tell, seed ${SEED}`, () => {
  const random = new SeededRandom(SEED);
  const ledger = rowLedger('org-a');
  const indexed = new IndexedFolder(ledger.folder);
  const rows = Array.from({ length: 120 }, (_, n) =>
    operationRow({
      orgId: 'org-a',
      seqNo: n + 1,
      agentId: `agent-${random.below(3)}`,
      subject: `session ${random.below(5)}`,
      payload: random.below(20) === 0 ? null : JSON.stringify(randomPayload(random)),
    }),
  );
  insertRows(ledger, rows.slice(0, 90));
  indexed.catchUp('org-a');
  insertRows(ledger, rows.slice(90));
  const records = referenceRecords(indexed.source('org-a'));
  const ofRows = ['agent = agent-1', 'subject:session and not agent = agent-2', 'seq > 80', 'seq <= 95 or type = x'];
  const wrong: string[] = [];
  let told = 0;
  for (const text of [...ofRows, ...Array.from({ length: QUERIES }, () => randomQuery(random))]) {
    const parsed = parseQuery(text, OPTIONS);
    if (!parsed.ok) continue;
    const view = indexed.view('org-a');
    const { to } = view.page(parsed.query, { order: 'newest', place: null, limit: 1 });
    if (to === 90) continue;
    told++;
    const wanted = meant(parsed.query, records);
    for (const order of ['newest', 'oldest'] as const) {
      const inOrder = order === 'newest' ? wanted.toReversed() : wanted;
      const paged = pagesOf(view, parsed.query, order);
      if (paged.join() !== inOrder.join()) wrong.push(`${text}, ${order} first: ${paged.length} of ${wanted.length}`);
    }
    const { total } = histogramOfQuery(view, text);
    if (total !== wanted.length) wrong.push(`${text}: ${total} counted of ${wanted.length}`);
  }
  expect(wrong).toEqual([]);
  expect(told).toBeGreaterThan(share(60));
});

function histogramOfQuery(view: ContentView, query: string): { readonly total: number } {
  for (;;) {
    view.begin();
    const parsed = parseQuery(query, OPTIONS);
    if (parsed.ok && !view.find(parsed.query).complete) continue;
    return histogramOf(view, { query, zone: OPTIONS.zone }, OPTIONS.now);
  }
}
