// docs/decisions/0095-archive.md: where a run ends.
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { completeSpans, type SpanOptions } from '../../../src/service/archive/write-run.ts';
import { storeOn } from '../../../src/service/store/open.ts';

/** An epoch: how many records it has, and when the first and the last of them came and it ended. */
type Given = readonly [records: number, first: string, last: string, end: string];

const DAY = '2026-11-27T';
const NOON = Date.parse('2026-11-27T12:00:00Z');

/** The runs of an organization with these epochs, as `FIRST-LAST`. */
function spans(epochs: readonly Given[], options: Partial<SpanOptions> = {}): string[] {
  const sqlite = new Database(':memory:');
  sqlite.exec(`CREATE TABLE epochs (org_id, epoch_no, first_seq_no, last_seq_no, start_time, end_time);
    CREATE TABLE operations (org_id, seq_no, received_at)`);
  let seqNo = 0;
  for (const [index, [records, first, last, end]] of epochs.entries()) {
    sqlite
      .prepare('INSERT INTO epochs VALUES (?, ?, ?, ?, ?, ?)')
      .run('o', index + 1, seqNo + 1, seqNo + records, first, end);
    seqNo += records;
    sqlite.prepare('INSERT INTO operations VALUES (?, ?, ?)').run('o', seqNo, Date.parse(last));
  }
  const given = { after: 0, now: NOON, withNewest: false, ...options };
  const found = [...completeSpans(storeOn(sqlite), 'o', given)].map(({ first, last }) => `${first}-${last}`);
  sqlite.close();
  return found;
}

const at = (time: string, day = DAY): string => `${day}${time}Z`;
/** An epoch whose records come and which ends within a minute of its own. */
const epoch = (records: number, minute: number, day = DAY): Given => {
  const time = (second: string): string => at(`10:${String(minute).padStart(2, '0')}:${second}.000`, day);
  return [records, time('00'), time('30'), time('40')];
};

describe('a run', () => {
  it('ends with the epoch that brings it to 65,536 records', () => {
    const three = [epoch(65_535, 1), epoch(1, 2), epoch(1, 3)];
    expect(spans(three)).toEqual(['1-2']);
    expect(spans([epoch(65_536, 1), epoch(70_000, 2), epoch(65_535, 3)])).toEqual(['1-1', '2-2']);
    expect(spans(three, { after: 1 })).toEqual([]);
  });

  it('ends with the last epoch that ended on its day, once the day is over', () => {
    const next = '2026-11-28T';
    const epochs = [epoch(1, 1), epoch(1, 2), epoch(1, 1, next)];
    expect(spans(epochs)).toEqual(['1-2']);
    expect(spans(epochs.slice(0, 2))).toEqual([]);
    expect(spans(epochs, { now: Date.parse('2026-11-29T00:00:00Z') })).toEqual(['1-2', '3-3']);
    // By a clock that runs behind the ledger's nothing ends.
    expect(spans(epochs.slice(2), { now: NOON })).toEqual([]);
  });

  it('does not end where the next record came in the millisecond of its last', () => {
    const moment = at('10:01:30.000');
    const full: Given = [65_536, at('10:01:00.000'), moment, moment];
    expect(spans([full, [5, moment, at('10:02:00.000'), at('10:02:01.000')], epoch(1, 3)])).toEqual(['1-2']);
    // The next one came later than the last, although in the millisecond in which the epoch ended.
    const later = at('10:01:30.001');
    expect(
      spans([
        [65_536, at('10:01:00.000'), moment, later],
        [5, later, later, later],
      ]),
    ).toEqual(['1-1']);
    // Where nothing follows yet, nothing can be cut wrongly but by what is still to come.
    expect(spans([full])).toEqual(['1-1']);
  });

  it('ends with the newest epoch where that is asked for, and before a run that is there', () => {
    const four = [1, 2, 3, 4].map((minute) => epoch(1, minute));
    expect(spans(four, { withNewest: true })).toEqual(['1-4']);
    expect(spans(four, { after: 1, before: 4 })).toEqual(['2-3']);
    expect(spans(four, { after: 4, withNewest: true })).toEqual([]);
  });
});
