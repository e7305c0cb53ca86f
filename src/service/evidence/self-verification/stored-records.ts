import { nodeCrypto } from '../../../node/index.ts';
import {
  type Differ,
  equalBytes,
  type FindingPlace,
  formatDigest,
  type RecordFacts,
  type StoredRecord,
  utf8,
} from '../../../protocol/index.ts';
import type { Store } from '../../store/open.ts';
import type { LogFromRecords } from './compare-log.ts';
import { ErasedPayloads } from './erased-payloads.ts';
import { EVIDENCE_COLUMNS, type EvidenceRow, readEvidence } from './evidence-row.ts';

const PAGE = 512;

/** What the records are held against, and what they are gathered in. */
interface Beside {
  readonly erased: ErasedPayloads;
  readonly log: LogFromRecords;
}

/**
 * The records of an organization up to a sequence number, a page at a time; between two pages nothing of the database is
 * held, so that a running service can tidy up its write-ahead log. A page that cannot be read is read row by row.
 */
export function* storedRecords(
  store: Store,
  orgId: string,
  lastSeqNo: number,
  log: LogFromRecords,
): Generator<StoredRecord[]> {
  const beside: Beside = { erased: new ErasedPayloads(store, orgId), log };
  const page = store.statement(
    `SELECT ${EVIDENCE_COLUMNS} FROM operations WHERE org_id = ? AND seq_no > ? AND seq_no <= ? ORDER BY seq_no LIMIT ?`,
  );
  for (let after = 0; ; ) {
    let rows: EvidenceRow[];
    try {
      rows = page.all(orgId, after, lastSeqNo, PAGE) as EvidenceRow[];
    } catch {
      const single = rowByRow(store, beside, orgId, after, lastSeqNo);
      if (single.rows.length === 0) return;
      yield single.rows;
      after = single.last;
      continue;
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => storedRecord(row, beside));
    after = last.seqNo;
  }
}

/** The same page, each row by itself: those that cannot be read say so when they are. */
function rowByRow(
  store: Store,
  beside: Beside,
  orgId: string,
  after: number,
  last: number,
): { rows: StoredRecord[]; last: number } {
  // Numbers come from the index, which may be whole where a row is not.
  const numbers = store.sqlite
    .prepare<[string, number, number, number], { seq_no: number }>(
      'SELECT seq_no FROM operations WHERE org_id = ? AND seq_no > ? AND seq_no <= ? ORDER BY seq_no LIMIT ?',
    )
    .all(orgId, after, last, PAGE)
    .map(({ seq_no }) => seq_no);
  const one = store.statement(`SELECT ${EVIDENCE_COLUMNS} FROM operations WHERE org_id = ? AND seq_no = ?`);
  const rows = numbers.map((seqNo): StoredRecord => {
    try {
      const row = one.get(orgId, seqNo) as EvidenceRow | undefined;
      if (row !== undefined) return storedRecord(row, beside);
      return unreadable(seqNo, new Error('the index names it, but it is not there'));
    } catch (error) {
      return unreadable(seqNo, error);
    }
  });
  return { rows, last: numbers.at(-1) ?? last };
}

function unreadable(seqNo: number, error: unknown): StoredRecord {
  return {
    where: { seq_no: seqNo },
    read: () => {
      throw error;
    },
    compare: () => undefined,
  };
}

function storedRecord(row: EvidenceRow, { erased, log }: Beside): StoredRecord {
  return {
    where: { seq_no: row.seqNo },
    read: () => readEvidence(row),
    compare: (facts, differ) => {
      log.add(facts.ear.seq_no, facts.leaf);
      compareColumns(row, erased, facts, differ);
    },
  };
}

/** What a row holds beside the record and its receipt: copies for the service's own use, that must say the same. */
function compareColumns(row: EvidenceRow, erased: ErasedPayloads, facts: RecordFacts, differ: Differ): void {
  const where = { seq_no: row.seqNo, operation_id: facts.eor.operation_id, agent_id: facts.eor.agent_id };
  const leafHash = `sha256:${row.leafHash}`;
  if (formatDigest(facts.leaf) !== leafHash) {
    differ({
      code: 'RECEIPT_MISMATCH',
      where: { ...where, member: 'leaf_hash' },
      expected: formatDigest(facts.leaf),
      actual: leafHash,
      message: 'The stored leaf hash is not that of the receipt.',
    });
  }
  comparePayload(row, erased, facts, where, differ);
  if (row.issuedAtMs !== facts.issuedAt) {
    differ({
      where: { ...where, member: 'issued_at_ms' },
      expected: String(facts.issuedAt),
      actual: String(row.issuedAtMs),
      message: 'The stored instant of issue is not that of the record.',
    });
  }
}

/** The service removes no payload without a word in its log, nor stores another spelling than the canonical one. */
function comparePayload(
  { payload, operationId, seqNo }: EvidenceRow,
  erased: ErasedPayloads,
  facts: RecordFacts,
  where: FindingPlace,
  differ: Differ,
): void {
  const member = { ...where, member: 'payload' };
  const { payload_hash: expected } = facts.eor;
  if (payload === null || facts.payloadHash === null) {
    if (erased.has(operationId, seqNo)) return;
    differ({
      code: 'PAYLOAD_HASH_MISMATCH',
      where: member,
      expected,
      actual: 'no payload',
      message: 'The payload is gone, and no administrative event tells of its erasure.',
    });
    return;
  }
  const stored = nodeCrypto.sha256(utf8(payload));
  // Where the value differs too, its own check says so.
  if (equalBytes(stored, facts.payloadHash) || formatDigest(facts.payloadHash) !== expected) return;
  differ({
    where: member,
    expected,
    actual: formatDigest(stored),
    message: 'The payload is stored in another spelling than its canonical form.',
  });
}
