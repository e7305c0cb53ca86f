import type { Inclusion } from '../bundle/document.ts';
import type { BundleRecord } from '../bundle/record.ts';
import { bundleRecordOf, parseBundleRecord } from '../bundle/record.ts';
import { canonicalBytes, flatCanonicalBytes } from '../canonical.ts';
import type { Sha256 } from '../digest.ts';
import { fromBase64Url } from '../encoding.ts';
import { type Receipt, receiptLeafHash, receiptSignedBytes } from '../statements/receipt.ts';
import { type RecordCore, rawChainHash, recordCore } from '../statements/record.ts';
import { parseTime } from '../time.ts';

/**
 * What the verifier needs of a record, all of which follows from its own bytes alone. The payload is not among it: many
 * records are held at once while their signatures are checked, and whoever sends a bundle chooses how large payloads are.
 */
export interface PreparedRecord {
  readonly line: number;
  readonly eor: RecordCore;
  readonly ear: Receipt;
  readonly inclusion: Inclusion | undefined;
  readonly signedBytes: Uint8Array;
  readonly signature: Uint8Array;
  readonly chainHash: Uint8Array;
  /** issued_at and server_received_at in milliseconds since the Unix epoch. */
  readonly issuedAt: number;
  readonly receivedAt: number;
  readonly receiptBytes: Uint8Array;
  readonly receiptSignature: Uint8Array;
  readonly leaf: Uint8Array;
  /** Hash of the payload's canonical form; null where it is withheld. */
  readonly payloadHash: Uint8Array | null;
}

/**
 * Parses one record of a bundle and computes its hashes. Pure and independent of every other record.
 * @throws ProtocolError JSON_INVALID, SHAPE_INVALID, NOT_CANONICAL
 */
export function prepareRecord(bytes: Uint8Array, line: number, hash: Sha256): PreparedRecord {
  return prepare(parseBundleRecord(bytes), line, hash);
}

/** prepareRecord for a record that is a value already. */
export function prepareParsedRecord(value: unknown, line: number, hash: Sha256): PreparedRecord {
  return prepare(bundleRecordOf(value), line, hash);
}

function prepare({ eor, ear, inclusion }: BundleRecord, line: number, hash: Sha256): PreparedRecord {
  const core = recordCore(eor);
  const signedBytes = flatCanonicalBytes(core);
  const signature = fromBase64Url(eor.signature, 64);
  const receiptBytes = receiptSignedBytes(ear);
  return {
    line,
    eor: core,
    ear,
    inclusion,
    signedBytes,
    signature,
    chainHash: rawChainHash(signedBytes, signature, hash),
    issuedAt: parseTime(core.issued_at),
    receivedAt: parseTime(ear.server_received_at),
    receiptBytes,
    receiptSignature: fromBase64Url(ear.service_signature, 64),
    leaf: receiptLeafHash(receiptBytes, hash),
    payloadHash: eor.payload === undefined ? null : hash(canonicalBytes(eor.payload)),
  };
}
