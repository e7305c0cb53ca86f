import { hash, randomBytes } from 'node:crypto';
import type Database from 'better-sqlite3';
import { NameFilter } from '../../../src/service/ledger/operation-index/name-filter.ts';
import { SEGMENT_SIZE } from '../../../src/service/ledger/operation-index/segments.ts';
import { ORG, rowOf } from './name-engine.ts';

/* Names of records that nobody made: keys are digests, so that random numbers are as good. */

const FILLED_AT_ONCE = 1_000_000;

/** Two random keys for each sequence number from @first to @last, in the order of the keys. */
const RANDOM_NAMES = `
  WITH RECURSIVE series(seq_no) AS (SELECT @first UNION ALL SELECT seq_no + 1 FROM series WHERE seq_no < @last)
  SELECT random() & 0xffffffffffff AS key, seq_no FROM series CROSS JOIN (VALUES (0), (1)) ORDER BY 1`;

/** Fills a plain table. */
export function fillTable(file: Database.Database, first: number, last: number): void {
  file.pragma('synchronous = OFF');
  file.pragma('cache_size = -1500000');
  const insert = file.prepare(`INSERT INTO names ${RANDOM_NAMES}`);
  for (let from = first; from <= last; from += FILLED_AT_ONCE) {
    insert.run({ first: from, last: Math.min(last, from + FILLED_AT_ONCE - 1) });
    file.pragma('wal_checkpoint(TRUNCATE)');
  }
  file.prepare('INSERT OR REPLACE INTO mark VALUES (1, ?)').run(last);
}

/** Fills the names of an index of operations with new segments; it gets no records of agents. */
export function fillSegments(index: Database.Database, first: number, last: number): void {
  index.pragma('synchronous = OFF');
  const next = index.prepare('SELECT coalesce(max(segment) + 1, 0) FROM segments').pluck().get() as number;
  const insert = index.prepare(`INSERT INTO names SELECT @segment, key, seq_no FROM (${RANDOM_NAMES})`);
  const keys = index.prepare('SELECT key FROM names WHERE segment = ?').pluck();
  const addSegment = index.prepare('INSERT INTO segments VALUES (?, ?, ?, ?)');
  const addStretch = index.prepare('INSERT INTO stretches SELECT org_no, ?, ? FROM orgs WHERE org_id = ?');
  const mark = rowOf(last).leafHash;
  index.prepare('INSERT OR IGNORE INTO orgs (org_id, indexed_seq, records) VALUES (?, 0, 0)').run(ORG);
  for (let [from, segment] = [first, next]; from <= last; from += SEGMENT_SIZE, segment++) {
    const to = Math.min(last, from + SEGMENT_SIZE - 1);
    index.transaction(() => {
      insert.run({ segment, first: from, last: to });
      const bits = to - from + 1 === SEGMENT_SIZE ? bitsOf(keys.all(segment) as number[]) : null;
      addSegment.run(segment, to - from + 1, bits, bits === null ? null : hash('sha256', bits, 'buffer'));
      addStretch.run(from, segment, ORG);
      index
        .prepare('UPDATE orgs SET indexed_seq = ?, leaf_hash = ?, records = records + ? WHERE org_id = ?')
        .run(to, mark, to - from + 1, ORG);
    })();
  }
}

function bitsOf(keys: readonly number[]): Buffer {
  const filter = new NameFilter();
  filter.cover(1, true);
  for (const key of keys) filter.add(0, key);
  return filter.bitsOf(0);
}

/** Random keys of 6 bytes, in their order. */
export function randomKeys(count: number): Buffer[] {
  const bytes = randomBytes(count * 6);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * 6, at * 6 + 6)).sort(Buffer.compare);
}
