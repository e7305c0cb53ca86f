import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openIndexFile } from '../../../../src/service/ledger/operation-index/index-file.ts';
import { newIndexer } from '../../../support/operation-index.ts';
import { insertRows, operationRow, rowLedger } from '../../../support/operation-rows.ts';

/*
 * A reader of the index file written from docs/operation-index.md alone: it shares no code with the index. Numbers are
 * BigInt, in which 48 bits need no care.
 */
const ORG = 'org-1';
const SIZE = 40;
const MASK_24 = 0xff_ffffn;

function sha256(bytes: Uint8Array | string): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function key(...parts: readonly string[]): bigint {
  return BigInt(`0x${sha256(parts.join('\0')).subarray(0, 6).toString('hex')}`);
}

function isInFilter(filter: Buffer, name: bigint): boolean {
  return [0n, 1n, 2n, 3n, 4n, 5n].every((probe) => {
    const bit = Number(((name & MASK_24) + probe * ((name >> 24n) | 1n)) % 2n ** 21n);
    return ((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  });
}

it('is read by what its page says', () => {
  const ledger = rowLedger(ORG);
  const rows = Array.from({ length: 100 }, (_, n) =>
    operationRow({
      orgId: ORG,
      seqNo: 4051 + n,
      operationId: `ID-${n}-Ä`,
      agentId: `agent ${n % 3}`,
      subject: `file ${n % 7}`,
      operationType: n % 2 === 0 ? 'read' : 'write',
    }),
  );
  insertRows(ledger, rows);
  const made = openIndexFile(ledger.indexPath, () => true);
  const indexer = newIndexer(ledger.store.sqlite, made, { segmentSize: SIZE });
  while (indexer.step().more);
  made.close();

  const file = new Database(ledger.indexPath, { readonly: true });
  file.defaultSafeIntegers();
  expect(file.pragma('user_version', { simple: true })).toBe(6n);
  const stretches = file.prepare('SELECT first_seq, segment FROM stretches WHERE org_no = 1 ORDER BY first_seq').raw();
  expect(stretches.all()).toEqual([
    [4051n, 0n],
    [4091n, 1n],
    [4131n, 2n],
  ]);
  const seqNosNamed = file.prepare('SELECT seq_no FROM names WHERE segment = ? AND key = ?').pluck();
  const seqNosOf = file.prepare('SELECT seq_no FROM agents WHERE segment = ? AND key = ? ORDER BY seq_no').pluck();
  const filterOf = file.prepare('SELECT filter, filter_digest FROM segments WHERE segment = ?').raw();
  for (const { seqNo, operationId, agentId, nonce } of rows) {
    const segment = Math.floor((seqNo - 4051) / SIZE);
    const names = [key('id', ORG, operationId.toLowerCase()), key('nonce', ORG, agentId, nonce)];
    for (const name of names) expect(seqNosNamed.all(segment, name)).toEqual([BigInt(seqNo)]);
    const [filter, digest] = filterOf.get(segment) as [Buffer | null, Buffer | null];
    expect(filter === null).toBe(segment === 2);
    if (filter !== null) {
      expect(filter).toHaveLength(262_144);
      expect(digest).toEqual(sha256(filter));
      for (const name of names) expect(isInFilter(filter, name)).toBe(true);
    }
    const ofAgent = rows.filter((row) => row.agentId === agentId && Math.floor((row.seqNo - 4051) / SIZE) === segment);
    const wanted = ofAgent.map((row) => BigInt(row.seqNo));
    expect(seqNosOf.all(segment, key('agent', ORG, agentId))).toEqual(wanted);
  }
  file.close();
});
