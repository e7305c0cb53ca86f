import type { BundleRecord } from '../bundle/bundle-record.ts';
import { bundleRecordOf, parseBundleRecord } from '../bundle/bundle-record.ts';
import { canonicalBytes, flatCanonicalBytes } from '../canonical.ts';
import type { Sha256 } from '../digest.ts';
import { fromBase64Url } from '../encoding.ts';
import { countWithheld, fitDisclosures, inBundleOrder, isSalted } from '../statements/disclosures.ts';
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
  readonly gap: readonly string[] | undefined;
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
  readonly disclosed: DisclosedMembers;
}

/** What is to be said of a record's disclosures. */
export interface DisclosedMembers {
  /** Of each disclosure, as it stands: the raw digest. */
  readonly digests: readonly Uint8Array[];
  /** Whether they are members of the payload, in order and each once. */
  readonly fit: boolean;
  /** Whether the payload is salted in form, and how many of its members no disclosure shows. */
  readonly salted: boolean;
  readonly withheld: number;
}

/** Most records have no disclosures. */
const NONE: DisclosedMembers = { digests: [], fit: true, salted: false, withheld: 0 };

function disclosedOf({ eor: { payload }, disclosures = [] }: BundleRecord, hash: Sha256): DisclosedMembers {
  const salted = isSalted(payload);
  if (!salted && disclosures.length === 0) return NONE;
  const { digests, fit } = fitDisclosures(payload, disclosures, hash);
  return {
    digests: digests.map((digest) => fromBase64Url(digest, 32)),
    fit: fit && inBundleOrder(digests),
    salted,
    withheld: countWithheld(payload, digests),
  };
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

/** prepareRecord for a record that has its shape already. @throws ProtocolError NOT_CANONICAL */
export function prepare(record: BundleRecord, line: number, hash: Sha256): PreparedRecord {
  const { eor, ear, gap } = record;
  const core = recordCore(eor);
  const signedBytes = flatCanonicalBytes(core);
  const signature = fromBase64Url(eor.signature, 64);
  const receiptBytes = receiptSignedBytes(ear);
  return {
    line,
    eor: core,
    ear,
    gap,
    signedBytes,
    signature,
    chainHash: rawChainHash(signedBytes, signature, hash),
    issuedAt: parseTime(core.issued_at),
    receivedAt: parseTime(ear.server_received_at),
    receiptBytes,
    receiptSignature: fromBase64Url(ear.service_signature, 64),
    leaf: receiptLeafHash(receiptBytes, hash),
    payloadHash: eor.payload === undefined ? null : hash(canonicalBytes(eor.payload)),
    disclosed: disclosedOf(record, hash),
  };
}
