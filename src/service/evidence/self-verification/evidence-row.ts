import type { BundleRecord } from '../../../protocol/index.ts';
import { readDisclosures } from '../../ledger/operations/disclosures-table.ts';
import { recordWith } from '../../ledger/views.ts';
import { base64Url, EXPORT_COLUMNS, type ExportRow, receiptStatement } from '../exports/export-record-text.ts';

/** A stored operation as the verifier reads it: as an export does, and with the copies for the service's own use. */
export interface EvidenceRow extends ExportRow {
  /** Hexadecimal. */
  readonly leafHash: string;
  readonly issuedAtMs: number;
  /** 1 where hashes and signatures are stored as bytes: text of the same bytes would read the same. */
  readonly areBytes: 0 | 1;
}

const BYTES = ['payload_hash', 'signature', 'chain_hash', 'service_signature', 'leaf_hash'];

/** The columns of such a row, as SQLite is asked for them. */
export const EVIDENCE_COLUMNS = `${EXPORT_COLUMNS}, lower(hex(leaf_hash)) AS leafHash, issued_at_ms AS issuedAtMs,
  ${BYTES.map((name) => `typeof(${name}) = 'blob'`).join(' AND ')}
  AND typeof(prev_chain_hash) IN ('blob', 'null') AS areBytes`;

/**
 * The record of a row, without payload where it is no longer there, and its receipt.
 * @throws where it is not valid: whoever has the file in hand may have written anything
 */
export function readEvidence(row: EvidenceRow): BundleRecord {
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
