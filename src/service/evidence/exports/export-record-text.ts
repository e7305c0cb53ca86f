import { type Disclosures, disclosuresText, formatTime, type ReceiptStatement } from '../../../protocol/index.ts';

/** A stored operation as an export reads it: hashes and signatures in hexadecimal, which costs less than bytes. */
export interface ExportRow {
  readonly orgId: string;
  readonly seqNo: number;
  readonly operationId: string;
  readonly agentId: string;
  readonly issuedAt: string;
  readonly ttlMs: number;
  readonly nonce: string;
  readonly operationType: string;
  readonly subject: string;
  readonly action: string;
  /** Canonical form; null where it was erased. */
  readonly payload: string | null;
  readonly payloadHash: string;
  readonly prevChainHash: string | null;
  readonly agentPubkeyKid: string;
  readonly signature: string;
  readonly receiptId: string;
  readonly chainHash: string;
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: number;
  readonly serviceKid: string;
  readonly serviceSignature: string;
  /** Canonical JSON, perhaps with blanks at the end; null where none came with the record. */
  readonly disclosures: string | null;
}

/** What a bundle shows of a record's payload. */
export interface ShownPayload {
  /** Canonical JSON; null where it is withheld whole, or was erased. */
  readonly payload: string | null;
  readonly disclosures: Disclosures;
  readonly whole: boolean;
}

/** The columns of such a row, as SQLite is asked for them. */
export const EXPORT_COLUMNS = `org_id AS orgId, seq_no AS seqNo, operation_id AS operationId, agent_id AS agentId,
  issued_at AS issuedAt, ttl_ms AS ttlMs, nonce, operation_type AS operationType, subject, action, payload,
  lower(hex(payload_hash)) AS payloadHash,
  CASE WHEN prev_chain_hash IS NULL THEN NULL ELSE lower(hex(prev_chain_hash)) END AS prevChainHash,
  agent_pubkey_kid AS agentPubkeyKid, hex(signature) AS signature, receipt_id AS receiptId,
  lower(hex(chain_hash)) AS chainHash, received_at AS receivedAt, service_kid AS serviceKid,
  hex(service_signature) AS serviceSignature,
  (SELECT text FROM disclosures WHERE disclosures.disclosures_no = operations.disclosures_no) AS disclosures`;

const quoted = JSON.stringify;

/** Base64url, without padding, of bytes in hexadecimal. */
export function base64Url(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64url');
}

/** The receipt of a row, less the signature. */
export function receiptStatement(row: ExportRow): ReceiptStatement {
  return {
    receipt_id: row.receiptId,
    operation_id: row.operationId,
    org_id: row.orgId,
    agent_id: row.agentId,
    seq_no: row.seqNo,
    chain_hash: `sha256:${row.chainHash}`,
    server_received_at: formatTime(row.receivedAt),
    service_kid: row.serviceKid,
  };
}

/**
 * One record of a bundle as text (protocol F131 and F149). The payload goes in as it is stored, in canonical form: parsing every payload
 * to write it again would cost more than all the rest. What somebody made of it in the file shows when the bundle is verified.
 * @param shown what the bundle shows of the payload
 */
export function recordText(
  row: ExportRow,
  { payload, disclosures }: Pick<ShownPayload, 'payload' | 'disclosures'>,
  ear: ReceiptStatement,
  gap: readonly string[],
): string {
  const { prevChainHash } = row;
  const eor =
    `{"op_version":1,"operation_id":${quoted(row.operationId)},"org_id":${quoted(row.orgId)},` +
    `"agent_id":${quoted(row.agentId)},"issued_at":${quoted(row.issuedAt)},"ttl_ms":${row.ttlMs},` +
    `"nonce":${quoted(row.nonce)},"operation_type":${quoted(row.operationType)},"subject":${quoted(row.subject)},` +
    `"action":${quoted(row.action)},${payload === null ? '' : `"payload":${payload},`}` +
    `"payload_hash":"sha256:${row.payloadHash}",` +
    `"prev_chain_hash":${prevChainHash === null ? 'null' : `"sha256:${prevChainHash}"`},` +
    `"agent_pubkey_kid":${quoted(row.agentPubkeyKid)},"signature":"${base64Url(row.signature)}"}`;
  const receipt =
    `{"receipt_id":${quoted(ear.receipt_id)},"operation_id":${quoted(ear.operation_id)},` +
    `"org_id":${quoted(ear.org_id)},"agent_id":${quoted(ear.agent_id)},"seq_no":${ear.seq_no},` +
    `"chain_hash":"${ear.chain_hash}","server_received_at":"${ear.server_received_at}",` +
    `"service_kid":${quoted(ear.service_kid)},"service_signature":"${base64Url(row.serviceSignature)}"}`;
  const beside = [
    Object.keys(disclosures).length === 0 ? '' : `,"disclosures":${disclosuresText(disclosures)}`,
    gap.length === 0 ? '' : `,"gap":${quoted(gap)}`,
  ];
  return `{"eor":${eor},"ear":${receipt}${beside.join('')}}`;
}
