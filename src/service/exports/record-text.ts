import { formatDigest, formatTime, type Inclusion, toBase64Url } from '../../protocol/index.ts';
import type { OperationRow } from '../store/schema.ts';

const quoted = JSON.stringify;

/**
 * One record of a bundle as text (protocol §8), from its stored row. The payload goes in as it is stored, in canonical form:
 * parsing every payload to write it again would cost more than all the rest. What somebody made of it in the file shows when
 * the bundle is verified.
 */
export function recordText(row: OperationRow, inclusion: Inclusion | null): string {
  const payload = row.payload === null ? '' : `"payload":${row.payload},`;
  const eor =
    `{"op_version":1,"operation_id":${quoted(row.operationId)},"org_id":${quoted(row.orgId)},` +
    `"agent_id":${quoted(row.agentId)},"issued_at":${quoted(row.issuedAt)},"ttl_ms":${row.ttlMs},` +
    `"nonce":${quoted(row.nonce)},"operation_type":${quoted(row.operationType)},"subject":${quoted(row.subject)},` +
    `"action":${quoted(row.action)},${payload}"payload_hash":"${formatDigest(row.payloadHash)}",` +
    `"prev_chain_hash":${row.prevChainHash === null ? 'null' : `"${formatDigest(row.prevChainHash)}"`},` +
    `"agent_pubkey_kid":${quoted(row.agentPubkeyKid)},"signature":"${toBase64Url(row.signature)}"}`;
  const ear =
    `{"receipt_id":${quoted(row.receiptId)},"operation_id":${quoted(row.operationId)},"org_id":${quoted(row.orgId)},` +
    `"agent_id":${quoted(row.agentId)},"seq_no":${row.seqNo},"chain_hash":"${formatDigest(row.chainHash)}",` +
    `"server_received_at":"${formatTime(row.receivedAt)}","service_kid":${quoted(row.serviceKid)},` +
    `"service_signature":"${toBase64Url(row.serviceSignature)}"}`;
  return `{"eor":${eor},"ear":${ear}${inclusion === null ? '' : `,"inclusion":${JSON.stringify(inclusion)}`}}`;
}
