import type { Inclusion } from '../bundle/document.ts';
import { parseBundleRecord } from '../bundle/record.ts';
import { canonicalBytes } from '../canonical.ts';
import { formatDigest, type Sha256 } from '../digest.ts';
import { fromBase64Url } from '../encoding.ts';
import { type Receipt, receiptLeafHash, receiptSignedBytes } from '../statements/receipt.ts';
import { chainHash, type OperationRecord, recordSignedBytes } from '../statements/record.ts';

/** A record of a bundle with everything that follows from its own bytes alone. */
export interface PreparedRecord {
  readonly line: number;
  readonly eor: OperationRecord;
  readonly ear: Receipt;
  readonly inclusion: Inclusion | undefined;
  readonly signedBytes: Uint8Array;
  readonly signature: Uint8Array;
  readonly chainHash: string;
  readonly receiptBytes: Uint8Array;
  readonly receiptSignature: Uint8Array;
  readonly leaf: Uint8Array;
  /** Digest of the payload's canonical form; null where it is withheld. */
  readonly payloadHash: string | null;
}

/**
 * Parses one record of a bundle and computes its hashes. Pure and independent of every other record.
 * @throws ProtocolError JSON_INVALID, SHAPE_INVALID, NOT_CANONICAL
 */
export function prepareRecord(bytes: Uint8Array, line: number, hash: Sha256): PreparedRecord {
  const { eor, ear, inclusion } = parseBundleRecord(bytes);
  const signedBytes = recordSignedBytes(eor);
  const signature = fromBase64Url(eor.signature, 64);
  const receiptBytes = receiptSignedBytes(ear);
  return {
    line,
    eor,
    ear,
    inclusion,
    signedBytes,
    signature,
    chainHash: chainHash(signedBytes, signature, hash),
    receiptBytes,
    receiptSignature: fromBase64Url(ear.service_signature, 64),
    leaf: receiptLeafHash(receiptBytes, hash),
    payloadHash: eor.payload === undefined ? null : formatDigest(hash(canonicalBytes(eor.payload))),
  };
}
