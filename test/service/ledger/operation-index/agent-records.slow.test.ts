import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentRecords, type IndexedOrg } from '../../../../src/service/ledger/operation-index/agent-records.ts';
import { openIndexFile } from '../../../../src/service/ledger/operation-index/index-file.ts';
import { agentKey } from '../../../../src/service/ledger/operation-index/record-keys.ts';
import { UnindexedTail } from '../../../../src/service/ledger/operation-index/tail.ts';
import { atEnd } from '../../../support/cleanup.ts';
import { runs } from '../../../support/extent.ts';
import { newIndexer } from '../../../support/operation-index.ts';
import { insertRows, operationRow, rowLedger } from '../../../support/operation-rows.ts';

const ROWS = 9000;
const [ORG, OTHER] = ['org-1', 'org-2'];
const AGENTS = ['always', 'sometimes', 'late', 'hardly-ever', 'nobody'];

function agentOf(seqNo: number): string {
  if (seqNo % 2000 === 7) return 'hardly-ever';
  if (seqNo % 10 === 3) return 'late';
  return seqNo % 3 === 0 ? 'sometimes' : 'always';
}

const rows = Array.from({ length: ROWS }, (_, n) =>
  operationRow({ orgId: ORG, seqNo: n + 1, agentId: agentOf(n + 1) }),
);
const ledger = rowLedger(ORG, OTHER);
insertRows(ledger, rows);
insertRows(
  ledger,
  rows.slice(0, 50).map(({ seqNo, agentId }) => operationRow({ orgId: OTHER, seqNo, agentId })),
);

function naive(agentId: string): number[] {
  return rows.filter((row) => row.agentId === agentId).map(({ seqNo }) => seqNo);
}

/** What is not in the index, as the service holds it; some of it may be in the index by now. */
function tailFrom(first: number): UnindexedTail {
  const tail = new UnindexedTail(ORG);
  for (const { seqNo, operationId, agentId, nonce } of rows.slice(first - 1)) {
    tail.add({ seqNo, operationId, agentId, nonce });
  }
  return tail;
}

describe.each([
  ['nothing', 0, 65_536],
  ['a part', 5, 65_536],
  ['a part in several segments', 7, 1500],
  ['all in many segments', 500, 300],
  ['all', 1000, 65_536],
])('the records of an agent with %s in the index', (_, steps, segmentSize) => {
  const index = openIndexFile(`${ledger.indexPath}-${steps}`, () => true);
  atEnd(() => index.close());
  const indexer = newIndexer(ledger.store.sqlite, index, steps === 1000 ? {} : { maxStep: 777, segmentSize });
  for (let step = 0; step < steps && indexer.step().more; step++);
  const agents = new AgentRecords(ledger.store.sqlite, index);
  const orgOf = (orgId: string): IndexedOrg | null =>
    (index.prepare('SELECT org_no, indexed_seq FROM orgs WHERE org_id = ?').get(orgId) as IndexedOrg | undefined) ??
    null;
  const org = orgOf(ORG);
  const tails = [tailFrom((org?.indexed_seq ?? 0) + 1), tailFrom(Math.max(1, (org?.indexed_seq ?? 0) - 400))];

  it('are those that a look at every row finds', () => {
    const anyPlace = fc.integer({ min: 0, max: ROWS + 2 });
    const anyLimit = fc.oneof(fc.constantFrom(1, 2, 51), fc.integer({ min: 1, max: 300 }), fc.constant(10_000));
    fc.assert(
      fc.property(
        fc.constantFrom(...AGENTS),
        anyPlace,
        anyLimit,
        fc.constantFrom(...tails),
        (agentId, at, limit, tail) => {
          const all = naive(agentId);
          const after = all.filter((seqNo) => seqNo > at).slice(0, limit);
          expect(agents.after(ORG, org, agentId, at, limit, tail)).toEqual(after);
          const before = all.filter((seqNo) => seqNo < at).reverse();
          expect(agents.before(ORG, org, agentId, at, limit, tail)).toEqual(before.slice(0, limit));
        },
      ),
      runs(150),
    );
  });

  it('are the same by a mark that the index has gone beyond meanwhile', () => {
    if (org === null) return;
    const before = { ...org, indexed_seq: Math.floor(org.indexed_seq / 2) };
    const tail = tailFrom(before.indexed_seq + 1);
    const all = naive('sometimes');
    expect(agents.after(ORG, before, 'sometimes', 0, ROWS, tail)).toEqual(all);
    expect(agents.before(ORG, before, 'sometimes', ROWS + 1, ROWS, tail)).toEqual(all.toReversed());
  });

  it('are none of another organization', () => {
    expect(agents.before('org-3', null, 'late', ROWS, 10)).toEqual([]);
    const other = orgOf(OTHER);
    const found = other === null ? [] : agents.before(OTHER, other, 'late', ROWS, 300);
    expect(found).toEqual(other === null ? [] : [43, 33, 23, 13, 3].filter((seqNo) => seqNo <= other.indexed_seq));
  });
});

it('are what the rows say where others stand under the key of the agent, as two agents with one key do', () => {
  const index = openIndexFile(`${ledger.indexPath}-false`, () => true);
  atEnd(() => index.close());
  newIndexer(ledger.store.sqlite, index).step();
  const add = index.prepare('INSERT OR IGNORE INTO agents VALUES (0, ?, ?)');
  for (const { seqNo } of rows) add.run(agentKey(ORG, 'hardly-ever'), seqNo);
  const org = index.prepare('SELECT org_no, indexed_seq FROM orgs WHERE org_id = ?').get(ORG) as IndexedOrg;
  const agents = new AgentRecords(ledger.store.sqlite, index);
  const all = naive('hardly-ever');
  for (const limit of [1, 2, 3, ROWS]) {
    expect(agents.after(ORG, org, 'hardly-ever', 0, limit)).toEqual(all.slice(0, limit));
    expect(agents.before(ORG, org, 'hardly-ever', ROWS + 1, limit)).toEqual(all.toReversed().slice(0, limit));
  }
});
