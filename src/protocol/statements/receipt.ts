import { flatCanonicalBytes } from '../canonical.ts';
import type { Sha256 } from '../digest.ts';
import { leafHash } from '../merkle/tree.ts';
import * as shape from '../shape.ts';

/** The header in which answers to submissions say how many records the ledger has sealed (docs/interface.md, Ledger). */
export const LOG_SIZE_HEADER = 'Countersign-Log-Size';

/** What the service signs when it accepts a record, less the type (protocol F60). */
export interface ReceiptStatement {
  readonly receipt_id: string;
  readonly operation_id: string;
  readonly org_id: string;
  readonly agent_id: string;
  readonly seq_no: number;
  readonly chain_hash: string;
  readonly server_received_at: string;
  readonly service_kid: string;
}

/** An acknowledgement receipt (EAR). */
export interface Receipt extends ReceiptStatement {
  readonly service_signature: string;
}

const RECEIPT_SHAPE: shape.Shape<Receipt> = {
  receipt_id: shape.identifier,
  operation_id: shape.uuidV4,
  org_id: shape.identifier,
  agent_id: shape.identifier,
  seq_no: shape.integer(1),
  chain_hash: shape.digest,
  server_received_at: shape.time,
  service_kid: shape.identifier,
  service_signature: shape.signature,
};

/** @throws ProtocolError SHAPE_INVALID */
export function parseReceipt(value: unknown): Receipt {
  return shape.parseShape(value, RECEIPT_SHAPE, 'ear');
}

/** The bytes the service signs: JCS(statement), type included (protocol F61). */
export function receiptSignedBytes(receipt: ReceiptStatement): Uint8Array {
  return flatCanonicalBytes({
    agent_id: receipt.agent_id,
    chain_hash: receipt.chain_hash,
    operation_id: receipt.operation_id,
    org_id: receipt.org_id,
    receipt_id: receipt.receipt_id,
    seq_no: receipt.seq_no,
    server_received_at: receipt.server_received_at,
    service_kid: receipt.service_kid,
    type: 'countersign.receipt.v1',
  });
}

/** leaf_hash = H(0x00 || JCS(statement)): what an epoch's tree is made of (protocol F61). */
export function receiptLeafHash(signedBytes: Uint8Array, hash?: Sha256): Uint8Array {
  return leafHash(signedBytes, hash);
}
