import type Database from 'better-sqlite3';
import { runOf } from './index-file.ts';

/** A run of an organization's records in a segment; one that goes over the end of a segment is in two. */
export interface PostingPlace {
  readonly segment: number;
  readonly runNo: number;
}

/** Finds where there are postings under a key, those parts of the index left out that have none. */
export class PostingPlaces {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(index: Database.Database) {
    this.#statements = prepare(index);
  }

  /** The places that have some of records before a sequence number, newest first. */
  *before(orgNo: number, key: number, end: number): Generator<PostingPlace> {
    const { segmentsBefore, lastRun } = this.#statements;
    for (const segment of segmentsBefore.all(orgNo, end) as number[]) {
      for (let highest = runOf(end - 1); ; ) {
        const runNo = lastRun.get(segment, key, highest) as number | undefined;
        if (runNo === undefined) break;
        yield { segment, runNo };
        highest = runNo - 1;
      }
    }
  }

  /** The places that have some of records from a sequence number on, oldest first. */
  *from(orgNo: number, key: number, start: number): Generator<PostingPlace> {
    const { segmentsFrom, nextRun } = this.#statements;
    for (const segment of segmentsFrom.all(orgNo, orgNo, start) as number[]) {
      for (let lowest = runOf(start); ; ) {
        const runNo = nextRun.get(segment, key, lowest) as number | undefined;
        if (runNo === undefined) break;
        yield { segment, runNo };
        lowest = runNo + 1;
      }
    }
  }
}

function prepare(index: Database.Database) {
  return {
    segmentsBefore: index
      .prepare('SELECT segment FROM stretches WHERE org_no = ? AND first_seq < ? ORDER BY first_seq DESC')
      .pluck(),
    segmentsFrom: index
      .prepare(
        `SELECT segment FROM stretches WHERE org_no = ? AND first_seq >= coalesce(
           (SELECT max(first_seq) FROM stretches WHERE org_no = ? AND first_seq <= ?), 0)
         ORDER BY first_seq`,
      )
      .pluck(),
    lastRun: index
      .prepare('SELECT run_no FROM postings WHERE segment = ? AND key = ? AND run_no <= ? ORDER BY run_no DESC LIMIT 1')
      .pluck(),
    nextRun: index
      .prepare('SELECT run_no FROM postings WHERE segment = ? AND key = ? AND run_no >= ? ORDER BY run_no LIMIT 1')
      .pluck(),
  };
}
