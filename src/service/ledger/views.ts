import {
  type Epoch,
  formatDigest,
  formatTime,
  type Json,
  type OperationRecord,
  parseJson,
  type Receipt,
  toBase64Url,
} from '../../protocol/index.ts';
import type { epochs, OperationRow } from '../store/schema.ts';

function payloadOf(text: string): { readonly [member: string]: Json } {
  return parseJson(text) as { readonly [member: string]: Json };
}

/** The columns of a stored row that a record has as they are. */
export type RecordColumns = Pick<
  OperationRow,
  | 'operationId'
  | 'orgId'
  | 'agentId'
  | 'issuedAt'
  | 'ttlMs'
  | 'nonce'
  | 'operationType'
  | 'subject'
  | 'action'
  | 'payload'
  | 'agentPubkeyKid'
>;

/**
 * The operation record of a stored row; without payload where it is no longer there.
 * @param texts what the row has as bytes, spelled as records spell it
 */
export function recordWith(
  row: RecordColumns,
  texts: Pick<OperationRecord, 'payload_hash' | 'prev_chain_hash' | 'signature'>,
): OperationRecord {
  return {
    op_version: 1,
    operation_id: row.operationId,
    org_id: row.orgId,
    agent_id: row.agentId,
    issued_at: row.issuedAt,
    ttl_ms: row.ttlMs,
    nonce: row.nonce,
    operation_type: row.operationType,
    subject: row.subject,
    action: row.action,
    ...(row.payload === null ? {} : { payload: payloadOf(row.payload) }),
    agent_pubkey_kid: row.agentPubkeyKid,
    ...texts,
  };
}

/** The operation record of a stored row whose hashes and signature are bytes. */
export function operationRecord(row: OperationRow): OperationRecord {
  return recordWith(row, {
    payload_hash: formatDigest(row.payloadHash),
    prev_chain_hash: row.prevChainHash && formatDigest(row.prevChainHash),
    signature: toBase64Url(row.signature),
  });
}

/** The receipt of a stored row. */
export function receipt(row: OperationRow): Receipt {
  return {
    receipt_id: row.receiptId,
    operation_id: row.operationId,
    org_id: row.orgId,
    agent_id: row.agentId,
    seq_no: row.seqNo,
    chain_hash: formatDigest(row.chainHash),
    server_received_at: formatTime(row.receivedAt),
    service_kid: row.serviceKid,
    service_signature: toBase64Url(row.serviceSignature),
  };
}

/** An epoch of a stored row. */
export function epoch(row: typeof epochs.$inferSelect): Epoch {
  return {
    epoch_id: row.epochId,
    epoch_no: row.epochNo,
    org_id: row.orgId,
    start_time: row.startTime,
    end_time: row.endTime,
    first_seq_no: row.firstSeqNo,
    last_seq_no: row.lastSeqNo,
    leaf_count: row.leafCount,
    root_hash: row.rootHash,
    log_root: row.logRoot,
    hash_alg: 'SHA-256',
    prev_epoch_hash: row.prevEpochHash,
    admin_head_hash: row.adminHeadHash,
    service_kid: row.serviceKid,
    signature_by_service: row.signatureByService,
  };
}
