import { ProtocolError } from '../errors.ts';
import * as shape from '../shape.ts';
import { type Epoch, epochSignedBytes, parseEpoch } from '../statements/epoch.ts';
import { type Manifest, manifestSignedBytes, parseManifest } from '../statements/manifest.ts';
import { parseReceipt, type Receipt, receiptSignedBytes } from '../statements/receipt.ts';

/**
 * A statement with the service's signature over it, as evidence of a finding (protocol §9). A receipt and an epoch hold
 * their signature; that of a manifest stands beside it, as in a bundle.
 */
export type SignedStatement =
  | { readonly receipt: Receipt }
  | { readonly epoch: Epoch }
  | { readonly manifest: Manifest; readonly manifest_signature: string };

/** A statement taken apart: whose, about what, and what is signed by whom. */
export interface StatementFacts {
  readonly kind: 'receipt' | 'epoch' | 'log_head';
  readonly orgId: string;
  /** seq_no of a receipt, epoch_no of an epoch, and the ledger's last seq_no that a manifest states. */
  readonly number: number;
  readonly kid: string;
  readonly signedBytes: Uint8Array;
  /** 64 bytes in base64url. */
  readonly signature: string;
}

export function factsOf(statement: SignedStatement): StatementFacts {
  if ('receipt' in statement) {
    const { receipt } = statement;
    return {
      kind: 'receipt',
      orgId: receipt.org_id,
      number: receipt.seq_no,
      kid: receipt.service_kid,
      signedBytes: receiptSignedBytes(receipt),
      signature: receipt.service_signature,
    };
  }
  if ('epoch' in statement) {
    const { epoch } = statement;
    return {
      kind: 'epoch',
      orgId: epoch.org_id,
      number: epoch.epoch_no,
      kid: epoch.service_kid,
      signedBytes: epochSignedBytes(epoch),
      signature: epoch.signature_by_service,
    };
  }
  const { manifest } = statement;
  return {
    kind: 'log_head',
    orgId: manifest.org_id,
    number: manifest.log_head.seq_no,
    kid: manifest.service_kid,
    signedBytes: manifestSignedBytes(manifest),
    signature: statement.manifest_signature,
  };
}

const MANIFEST_STATEMENT: shape.Shape<{ manifest: unknown; manifest_signature: string }> = {
  manifest: shape.object,
  manifest_signature: shape.signature,
};

/** @throws ProtocolError SHAPE_INVALID */
export function parseSignedStatement(value: unknown): SignedStatement {
  if (typeof value !== 'object' || value === null) {
    throw new ProtocolError('SHAPE_INVALID', 'statement: expected an object', 'statement');
  }
  if ('receipt' in value) {
    return { receipt: parseReceipt(shape.parseShape(value, { receipt: shape.object }, 'statement').receipt) };
  }
  if ('epoch' in value) {
    return { epoch: parseEpoch(shape.parseShape(value, { epoch: shape.object }, 'statement').epoch) };
  }
  const { manifest, manifest_signature } = shape.parseShape(value, MANIFEST_STATEMENT, 'statement');
  return { manifest: parseManifest(manifest), manifest_signature };
}
