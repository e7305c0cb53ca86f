// docs/decisions/0107-search-engine.md: rows of an engine are made again once a later run says more about them.
import { expect, it } from 'vitest';
import { outdated } from '../../../src/service/search/engine/filling.ts';
import { IndexedFolder } from '../../support/content-index.ts';
import { insertRows, operationRow, rowLedger } from '../../support/operation-rows.ts';

const CALL = { profile: 'countersign.agent-action/1', action_id: '00000000-0000-4000-8000-000000000001' };

it('are outdated where the record that names the tool of a call comes with a later run', () => {
  const ledger = rowLedger('org');
  const indexed = new IndexedFolder(ledger.folder);
  const add = (seqNo: number, payload: object): void => {
    insertRows(ledger, [operationRow({ orgId: 'org', seqNo, agentId: 'one', payload: JSON.stringify(payload) })]);
    indexed.catchUp('org');
  };
  const runs = [
    { sha256: 'a', first: 1, records: 1 },
    { sha256: 'b', first: 2, records: 1 },
    { sha256: 'c', first: 3, records: 1 },
  ];
  const filling = { run: 0, load: 1, runs: 1, basis: '' };
  add(1, { ...CALL, phase: 'completed' });
  add(2, { note: 'of no call' });
  expect(outdated(indexed.view('org'), runs.slice(0, 2), [filling])).toEqual([]);
  add(3, { ...CALL, phase: 'started', session: { id: 's' }, tool: { name: 'pay' } });
  const view = indexed.view('org');
  expect(outdated(view, runs, [filling])).toEqual([0]);
  expect(outdated(view, runs, [{ ...filling, runs: 3 }])).toEqual([]);
});
