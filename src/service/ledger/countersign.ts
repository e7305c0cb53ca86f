import { randomUUID } from 'node:crypto';
import { nodeCrypto } from '../../node/index.ts';
import { formatTime, parseDigest, type Receipt, receiptLeafHash, receiptSignedBytes } from '../../protocol/index.ts';
import type { NewOperationRow } from '../store/schema.ts';
import type { CheckedRecord } from './check-record.ts';
import type { KeyHolder } from './keys/key-holder.ts';

/** A record with its place in the ledger, signed by the service. */
export interface Countersigned {
  readonly row: NewOperationRow;
  readonly receipt: Receipt;
}

/**
 * Gives an accepted record its place and the service's signature (protocol F61 and F62).
 * @param time server_received_at, in milliseconds since the Unix epoch
 * @returns the row that it becomes, and its receipt
 */
export function countersign(
  { record, issuedAt, payload, disclosures, signature, chainHash }: CheckedRecord,
  key: KeyHolder,
  seqNo: number,
  time: number,
): Countersigned {
  const statement = {
    receipt_id: randomUUID(),
    operation_id: record.operation_id,
    org_id: record.org_id,
    agent_id: record.agent_id,
    seq_no: seqNo,
    chain_hash: chainHash,
    server_received_at: formatTime(time),
    service_kid: key.kid,
  };
  const signedBytes = receiptSignedBytes(statement);
  const serviceSignature = key.sign(signedBytes);
  const row = {
    orgId: record.org_id,
    seqNo,
    operationId: record.operation_id,
    agentId: record.agent_id,
    issuedAt: record.issued_at,
    issuedAtMs: issuedAt,
    ttlMs: record.ttl_ms,
    nonce: record.nonce,
    operationType: record.operation_type,
    subject: record.subject,
    action: record.action,
    payload,
    disclosures,
    payloadHash: parseDigest(record.payload_hash),
    prevChainHash: record.prev_chain_hash === null ? null : parseDigest(record.prev_chain_hash),
    agentPubkeyKid: record.agent_pubkey_kid,
    signature,
    receiptId: statement.receipt_id,
    chainHash: parseDigest(chainHash),
    receivedAt: time,
    serviceKid: statement.service_kid,
    serviceSignature,
    leafHash: receiptLeafHash(signedBytes, nodeCrypto.sha256),
  };
  // Of every record: letter by letter it would leave kilobytes behind.
  const text = Buffer.from(serviceSignature).toString('base64url');
  return { row, receipt: { ...statement, service_signature: text } };
}
