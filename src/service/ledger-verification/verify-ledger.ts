import { and, asc, eq, gt, lte } from 'drizzle-orm';
import type { LedgerVerification } from '../../contract/index.ts';
import { nodeCrypto } from '../../host/index.ts';
import {
  equalBytes,
  formatDigest,
  ProtocolError,
  receiptLeafHash,
  receiptSignedBytes,
  utf8,
  verifyBundle,
} from '../../protocol/index.ts';
import { selectBundle } from '../exports/bundle-source.ts';
import { bundleText } from '../exports/write-bundle.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import type { Ledger, LedgerHead } from '../ledger/ledger.ts';
import { receipt } from '../ledger/views.ts';
import type { OperationIndex } from '../operation-index/operation-index.ts';
import type { Store } from '../store/open.ts';
import { operations } from '../store/schema.ts';

export type LedgerFinding = LedgerVerification['findings'][number];

export interface LedgerCheck {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly index: OperationIndex;
  readonly key: KeyHolder;
  readonly orgId: string;
  readonly onProgress: (checked: number, total: number) => void;
  readonly signal: AbortSignal;
}

const PAGE = 500;

/** Everything there is, by time of receipt. */
const ALWAYS = { start_time: '0001-01-01T00:00:00.000Z', end_time: '9999-12-31T23:59:59.999Z', agent_id: null };

/**
 * Verifies the whole stored ledger of an organization: makes of it, without writing it anywhere, the bundle that an export
 * would be, and puts that before the same verifier that strangers use, trusting only the service's own key. What the
 * tables hold beyond it is compared on the way.
 * @returns what was found, nothing where the ledger is sound
 */
export async function verifyLedger(check: LedgerCheck): Promise<LedgerFinding[]> {
  const { store, ledger, key, orgId, signal, onProgress } = check;
  const head = await ledger.sealNow(orgId);
  const findings = await compareLeaves(check, head);
  const logHead = { seq_no: head.seqNo, epoch_no: head.epochNo };
  const identity = { exportId: 'ledger-verification', createdAt: new Date(head.notBefore).toISOString() };
  let failure: LedgerFinding | null = null;
  const source = async function* (): AsyncGenerator<Uint8Array> {
    try {
      const selection = selectBundle(store, orgId, ALWAYS, logHead);
      for await (const piece of bundleText(store, key, selection, identity, signal)) yield utf8(piece);
    } catch (error) {
      signal.throwIfAborted();
      // A row that cannot even be read as what it should be: the rest of the run is not there to be verified.
      failure = unreadable(error);
    }
  };
  const report = await verifyBundle(source, {
    crypto: nodeCrypto,
    trustedKids: [key.kid],
    onProgress: ({ records }) => onProgress(records, head.seqNo),
  });
  onProgress(report.bundle.records, head.seqNo);
  if (failure !== null) findings.push(failure);
  for (const { severity, code, where, message, expected, actual } of report.findings) {
    // A ledger without records is sound as far as it goes.
    if (severity !== 'error') continue;
    findings.push({ code, seq_no: where.seq_no ?? null, message, expected: expected ?? null, actual: actual ?? null });
  }
  return findings;
}

function unreadable(error: unknown): LedgerFinding {
  const why = error instanceof ProtocolError ? `: ${error.message}` : '';
  const message = `A stored row cannot be read as what it should be${why}.`;
  return { code: 'MALFORMED', seq_no: null, message, expected: null, actual: null };
}

function gap(first: number, last: number): LedgerFinding {
  const missing = first === last ? `Record ${first} is` : `Records ${first} to ${last} are`;
  return { code: 'SEQUENCE_GAP', seq_no: first, message: `${missing} missing.`, expected: null, actual: null };
}

/**
 * The leaf hashes that inclusion proofs are made from are stored beside the receipts: they must be theirs. A record that
 * is gone is named here, for without it no bundle of its epoch can be made.
 */
async function compareLeaves({ store, index, orgId, signal }: LedgerCheck, head: LedgerHead): Promise<LedgerFinding[]> {
  const findings: LedgerFinding[] = [];
  for (let after = 0; ; ) {
    const rows = store.db
      .select()
      .from(operations)
      .where(and(eq(operations.orgId, orgId), gt(operations.seqNo, after), lte(operations.seqNo, head.seqNo)))
      .orderBy(asc(operations.seqNo))
      .limit(PAGE)
      .all();
    if (rows.length === 0) {
      if (after < head.seqNo) findings.push(gap(after + 1, head.seqNo));
      return findings;
    }
    for (const row of rows) {
      if (row.seqNo > after + 1) findings.push(gap(after + 1, row.seqNo - 1));
      after = row.seqNo;
      // No evidence, and so no finding; but a record that it does not know could be accepted twice.
      index.check(orgId, row);
      const leaf = receiptLeafHash(receiptSignedBytes(receipt(row)), nodeCrypto.sha256);
      if (equalBytes(leaf, row.leafHash)) continue;
      findings.push({
        code: 'RECEIPT_MISMATCH',
        seq_no: row.seqNo,
        message: 'The stored leaf hash is not that of the receipt.',
        expected: formatDigest(leaf),
        actual: formatDigest(row.leafHash),
      });
    }
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
}
