import type { HandedRecord } from '../../../actions/index.ts';
import { canonicalize } from '../../../protocol/light.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { listRecords } from '../content-index/queries/list-records.ts';
import { readRecord } from '../content-index/record-content.ts';
import { type ContentFilter, queryOf } from '../content-index/search-filter.ts';

/** Records of a page, and bytes after which one more ends it. */
const PAGE = 512;
const PAGE_BYTES = 4 * 1024 * 1024;

/** Which records are handed over: those that a filter means, or those with some numbers, in that order. */
export type HandedAsked =
  | { readonly filter: ContentFilter; readonly seqNos?: undefined }
  | { readonly seqNos: readonly number[] };

/** Where a page begins, and the last record that is meant: what comes meanwhile is not. */
export interface HandedPlace {
  readonly after: number;
  readonly to: number;
}

/** Some of the records, one as JSON a line. */
export interface HandedPage {
  readonly lines: Uint8Array;
  readonly count: number;
  /** Null after the last page. */
  readonly next: HandedPlace | null;
  /** False where there was no time to look at what the page is to hold: it holds nothing then, and is asked for again. */
  readonly isSettled: boolean;
}

/** Records, and how they are read. */
type Handing = Pick<ContentView, 'source' | 'rules'>;

/** A record, by what it says itself: a member that was salted stays its digest, and is not read either. */
function handedRecord({ source, rules }: Handing, n: number): HandedRecord {
  const record = source.record(n);
  if (record === null) throw new Error(`record ${n} is not there`);
  const { facts } = readRecord({ ...record, disclosures: {} }, rules);
  const place = source.place(n);
  const hex = (bytes: Uint8Array | undefined): string | null =>
    bytes === undefined ? null : Buffer.from(bytes).toString('hex');
  const { payload } = record;
  return {
    issuer_kid: place?.serviceKid ?? null,
    org_id: place?.orgId ?? null,
    seq_no: record.seqNo,
    epoch_no: place?.epochNo ?? null,
    operation_id: record.operationId === '' ? null : record.operationId,
    agent_id: record.agentId,
    operation_type: record.operationType,
    subject: record.subject,
    action: record.action,
    phase: facts.phase,
    call: facts.call,
    tool: facts.tool,
    session: facts.session,
    outcome: facts.outcome,
    person: facts.person,
    hosts: facts.host,
    issued_at: record.issuedMs,
    received_at: record.receivedMs,
    chain_hash: hex(place?.chainHash),
    leaf_hash: hex(place?.leafHash),
    // What was found and signed by nobody need not have a canonical form.
    payload: payload === null ? null : record.isUnsigned === true ? JSON.stringify(payload) : canonicalize(payload),
    summary: facts.summary,
  };
}

/** The numbers of a page and where the next one begins; null where there was no time to find them. */
function pageOf(
  view: ContentView,
  asked: HandedAsked,
  { after, to }: HandedPlace,
  now: number,
): { readonly ns: readonly number[]; readonly next: number | null; readonly placeOf: (at: number) => number } | null {
  if (asked.seqNos !== undefined) {
    const numbers = asked.seqNos.slice(after, after + PAGE);
    const ns = numbers.map((seqNo) => {
      const n = view.withSeqNo(seqNo);
      if (n === null)
        throw new ServiceError('CONFLICT', `record ${seqNo} is not searchable yet: ask again in a moment`);
      return n;
    });
    const end = after + ns.length;
    return { ns, next: end < asked.seqNos.length ? end : null, placeOf: (at) => after + at + 1 };
  }
  const page = { order: 'oldest', place: after, limit: PAGE } as const;
  const { ns: found, resume, coverage } = listRecords(view, queryOf(asked.filter, now), page);
  const ns = found.slice(0, PAGE).filter((n) => n <= to);
  const isMore = found.length > PAGE && ns.length === PAGE;
  // Whatever lies behind the place where reading ended, or is in no index yet, was not looked at.
  if (!isMore && resume === null && (!coverage.complete || coverage.indexed_to < to)) return null;
  if (resume !== null && resume <= after && ns.length === 0) return null;
  const next = isMore ? (ns.at(-1) ?? null) : resume !== null && resume < to ? resume : null;
  return { ns, next, placeOf: (at) => ns[at] ?? after };
}

/**
 * A page of records as other programs get them.
 * @param place null for the first page @throws ServiceError VALIDATION_ERROR, CONFLICT
 */
export function handedRecords(
  view: ContentView,
  asked: HandedAsked,
  place: HandedPlace | null,
  { now }: { readonly now: number },
): HandedPage {
  const { after, to } = place ?? { after: 0, to: view.last };
  const page = pageOf(view, asked, { after, to }, now);
  if (page === null) {
    return { lines: new Uint8Array(), count: 0, next: { after, to }, isSettled: false };
  }
  const { lines, count } = linesOf(view, page.ns);
  const next = count < page.ns.length ? page.placeOf(count - 1) : page.next;
  return { lines, count, next: next === null ? null : { after: next, to }, isSettled: true };
}

/** A page of all records of a file, in its order: for these no index is needed. @param place null for the first page */
export function everyHandedRecord(of: Handing, place: HandedPlace | null): HandedPage {
  const { after, to } = place ?? { after: 0, to: of.source.last() };
  const ns = Array.from({ length: Math.min(PAGE, to - after) }, (_, at) => after + 1 + at);
  const { lines, count } = linesOf(of, ns);
  const end = after + count;
  return { lines, count, next: end < to ? { after: end, to } : null, isSettled: true };
}

/** Some records as lines: the first of them, up to the one with which the page is full. */
function linesOf(of: Handing, ns: readonly number[]): Pick<HandedPage, 'lines' | 'count'> {
  let text = '';
  let count = 0;
  for (const n of ns) {
    text += `${JSON.stringify(handedRecord(of, n))}\n`;
    count++;
    if (text.length > PAGE_BYTES) break;
  }
  return { lines: Uint8Array.from(Buffer.from(text)), count };
}

/** How often a page is asked for again that there was no time for: each time more of the records was looked at. */
const MOST_TRIES = 100;

/**
 * Takes all pages, one after the other.
 * @param of asks for one
 * @returns how many records they hold @throws ServiceError CONFLICT where the index does not come to an end; what `of` throws
 */
export async function eachHandedPage(
  of: (place: HandedPlace | null) => Promise<HandedPage> | HandedPage,
  take: (page: HandedPage) => Promise<void> | void,
): Promise<number> {
  let records = 0;
  let tries = 0;
  for (let place: HandedPlace | null = null; ; ) {
    const page: HandedPage = await of(place);
    tries = page.isSettled ? 0 : tries + 1;
    if (tries > MOST_TRIES)
      throw new ServiceError('CONFLICT', 'not all records are searchable yet: ask again in a moment');
    if (page.count > 0) await take(page);
    records += page.count;
    if (page.next === null) return records;
    place = page.next;
  }
}
