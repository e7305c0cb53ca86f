import {
  isFieldWith,
  type PreparedRules,
  type QueriedRecord,
  type Query,
  RECORD_FIELDS,
} from '../../../actions/index.ts';
import type { Given } from './given-marks.ts';
import { queriedRecord, readRecord } from './record-content.ts';
import type { Direction, RecordSource, SourceRecord } from './record-source.ts';

/** A record or an action that may be meant. */
export interface Candidate {
  readonly n: number;
  /** Itself; of an action all of its records. */
  readonly records: readonly QueriedRecord[];
}

/** Records that the index does not have yet, and how a question looks at them. */
export interface UnindexedRecords {
  readonly source: RecordSource;
  readonly rules: PreparedRules;
  readonly indexedTo: number;
  /** The newest record. */
  readonly last: number;
  given(record: Pick<SourceRecord, 'operationId'>): Given;
  /** @throws RequestStopped */
  mayRead(): boolean;
  /** Whether each of some records is meant, as far as the time goes. */
  matched(batch: readonly Candidate[], query: Query): readonly boolean[];
}

/** Records that are looked at one after the other before the time is asked for: without their payloads, and with them. */
const HEADS_AT_ONCE = 500;
const READ_AT_ONCE = 32;
/** Of more than these no payload is read: the index has most of them sooner than a question reads them. */
const MOST_READ = 4096;

const NOTHING_GIVEN_TO_ONE: Given = { tags: [], bookmarked: false };

/**
 * Whether a query asks for what people gave, which changes with no trace in the index, or for what was found about records, which comes
 * after them.
 */
export function asksOf(query: Query, from: 'people' | 'ledger'): boolean {
  switch (query.kind) {
    case 'all':
      return false;
    case 'and':
    case 'or':
      return query.parts.some((part) => asksOf(part, from));
    case 'not':
    case 'session':
      return asksOf(query.part, from);
    default:
      return query.field?.of === 'record' && isFieldWith(query.field.name, { from });
  }
}

/** What of a record tells whether a query means it: what it says without its payload, all of it, or other records as well. */
type Needs = 'head' | 'payload' | 'others';

const ORDER: readonly Needs[] = ['head', 'payload', 'others'];

function needsOf(query: Query): Needs {
  switch (query.kind) {
    case 'all':
      return 'head';
    case 'and':
    case 'or':
      return ORDER[Math.max(...query.parts.map((part) => ORDER.indexOf(needsOf(part))))] ?? 'head';
    case 'not':
      return needsOf(query.part);
    case 'session':
      return 'others';
    default: {
      if (query.field?.of !== 'record') return 'payload';
      const { name } = query.field;
      const { from } = RECORD_FIELDS[name];
      if (from === 'record' || from === 'people' || from === 'archive') return 'head';
      // Marks and outcomes come of the records before and after, and so may what an end does not name.
      return isFieldWith(name, { few: true }) || isFieldWith(name, { joined: true }) ? 'others' : 'payload';
    }
  }
}

/** Whether single records tell whether the query means them, and these can be looked at. */
export function isTold(query: Query, { indexedTo, last }: Pick<UnindexedRecords, 'indexedTo' | 'last'>): boolean {
  const needs = needsOf(query);
  return needs === 'head' || (needs === 'payload' && last - indexedTo <= MOST_READ);
}

/**
 * Holds each record that the index does not have against a query.
 * @param behind the record behind which it begins
 * @param visit gets those that are meant; false ends it
 * @returns the record behind which it would go on where the time was over; null where it came to its end
 * @throws RequestStopped
 */
export function walkUnindexed(
  records: UnindexedRecords,
  query: Query,
  { order, behind }: { readonly order: Direction; readonly behind: number },
  visit: (record: SourceRecord) => boolean,
): number | null {
  const { source, indexedTo, last, rules } = records;
  const isHead = needsOf(query) === 'head';
  const atOnce = isHead ? HEADS_AT_ONCE : READ_AT_ONCE;
  const isNewest = order === 'newest';
  let from = isNewest ? indexedTo + 1 : Math.max(indexedTo, behind) + 1;
  let to = isNewest ? Math.min(last, behind - 1) : last;
  while (from <= to) {
    if (!records.mayRead()) return isNewest ? to + 1 : from - 1;
    const [first, end] = isNewest ? [Math.max(from, to - atOnce + 1), to] : [from, Math.min(to, from + atOnce - 1)];
    const read = isHead ? source.heads(first, end) : source.after(first - 1, end - first + 1);
    const batch = isNewest ? read.reverse() : read;
    const candidates = batch.map((record) => {
      const known = {
        marks: [],
        outcome: null,
        ...(asksOf(query, 'people') ? records.given(record) : NOTHING_GIVEN_TO_ONE),
      };
      return { n: record.n, records: [queriedRecord(readRecord(record, rules), known)] };
    });
    const meant = records.matched(candidates, query);
    for (const [at, record] of batch.entries()) if (meant[at] === true && !visit(record)) return null;
    const stopped = batch[meant.length];
    if (stopped !== undefined) return isNewest ? stopped.n + 1 : stopped.n - 1;
    if (isNewest) to = first - 1;
    else from = end + 1;
  }
  return null;
}
