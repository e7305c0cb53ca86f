import { nodeCrypto } from '../../../node/index.ts';
import {
  type BundleRecord,
  type Differ,
  equalBytes,
  type FindingPlace,
  formatDigest,
  isInRuns,
  mergeRuns,
  type NumberRun,
  parseRuns,
  type RecordFacts,
  type StoredRecord,
  utf8,
} from '../../../protocol/index.ts';
import { readDisclosures } from '../../ledger/operations/disclosures-table.ts';
import { recordWith } from '../../ledger/views.ts';
import type { Store } from '../../store/open.ts';
import { base64Url, EXPORT_COLUMNS, type ExportRow, receiptStatement } from '../exports/export-record-text.ts';
import type { LogFromRecords } from './compare-log.ts';

interface ErasureRow {
  readonly event_no: number;
  readonly action: 'operation.erase' | 'retention.erase';
  readonly target_id: string;
  readonly details: string;
}

/** The operations of an organization of which the administrative log says that their payload was erased. */
class ErasedPayloads {
  readonly #store: Store;
  readonly #orgId: string;
  /** Erased one at a time. */
  readonly #operationIds = new Set<string>();
  /** Erased by sweeps: sequence numbers. */
  #swept: readonly NumberRun[] = [];
  #readTo = 0;

  constructor(store: Store, orgId: string) {
    this.#store = store;
    this.#orgId = orgId;
  }

  /** Asked of the log as it is now: a payload may be erased while the ledger is verified. */
  has(operationId: string, seqNo: number): boolean {
    const isErased = (): boolean => this.#operationIds.has(operationId) || isInRuns(this.#swept, seqNo);
    if (!isErased()) this.#readOn();
    return isErased();
  }

  #readOn(): void {
    const newer = this.#store.statement(
      `SELECT event_no, action, target_id, details FROM admin_events
       WHERE org_id = ? AND event_no > ? AND action IN ('operation.erase', 'retention.erase') ORDER BY event_no`,
    );
    const swept: NumberRun[] = [];
    for (const row of newer.iterate(this.#orgId, this.#readTo) as Iterable<ErasureRow>) {
      this.#readTo = row.event_no;
      if (row.action === 'operation.erase') this.#operationIds.add(row.target_id);
      else swept.push(...runsOf(row));
    }
    if (swept.length > 0) this.#swept = mergeRuns([...this.#swept, ...swept]);
  }
}

/** What an event says was erased; nothing where somebody wrote something else into the file, which its hash then tells. */
function runsOf({ details }: ErasureRow): NumberRun[] {
  try {
    return parseRuns(String((JSON.parse(details) as { readonly seq_no?: unknown }).seq_no));
  } catch {
    return [];
  }
}

/** A stored operation as the verifier reads it: as an export does, and with the copies for the service's own use. */
interface EvidenceRow extends ExportRow {
  /** Hexadecimal. */
  readonly leafHash: string;
  readonly issuedAtMs: number;
  /** 1 where hashes and signatures are stored as bytes: text of the same bytes would read the same. */
  readonly areBytes: 0 | 1;
}

const BYTES = ['payload_hash', 'signature', 'chain_hash', 'service_signature', 'leaf_hash'];

/** The columns of such a row, as SQLite is asked for them. */
const EVIDENCE_COLUMNS = `${EXPORT_COLUMNS}, lower(hex(leaf_hash)) AS leafHash, issued_at_ms AS issuedAtMs,
  ${BYTES.map((name) => `typeof(${name}) = 'blob'`).join(' AND ')}
  AND typeof(prev_chain_hash) IN ('blob', 'null') AS areBytes`;

/**
 * The record of a row, without payload where it is no longer there, and its receipt.
 * @throws where it is not valid: whoever has the file in hand may have written anything
 */
function readEvidence(row: EvidenceRow): BundleRecord {
  if (row.areBytes === 0) throw new Error('a hash or a signature is not stored as bytes');
  const eor = recordWith(row, {
    payload_hash: `sha256:${row.payloadHash}`,
    prev_chain_hash: row.prevChainHash && `sha256:${row.prevChainHash}`,
    signature: base64Url(row.signature),
  });
  const ear = { ...receiptStatement(row), service_signature: base64Url(row.serviceSignature) };
  const disclosures = readDisclosures(row.disclosures);
  return { eor, ear, ...(Object.keys(disclosures).length === 0 ? {} : { disclosures }) };
}

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
