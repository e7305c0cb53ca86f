import type { BundleRecord } from '../bundle/bundle-record.ts';
import { bundleRecordOf, parseBundleRecord } from '../bundle/bundle-record.ts';
import { canonicalBytes, flatCanonicalBytes } from '../canonical.ts';
import { isDigestOf, type Sha256 } from '../digest.ts';
import { fromBase64Url } from '../encoding.ts';
import { disclosuresFit, isSalted, shownNamesHash, withheldNames } from '../statements/disclosures.ts';
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
  /** How many there are. */
  readonly count: number;
  /** What the manifest's disclosures_digest is made of: which members are shown; null where none is. */
  readonly namesHash: Uint8Array | null;
  /** Whether they are those of the payload. */
  readonly fit: boolean;
  /** How many members of a salted payload no disclosure shows. */
  readonly withheld: number;
  /** What no other record may have: the digests of a salted payload, and the salts that are shown. */
  readonly marks: readonly string[];
}

/** Most records have no disclosures. */
const NONE: DisclosedMembers = { count: 0, namesHash: null, fit: true, withheld: 0, marks: [] };

function disclosedOf({ eor: { payload }, ear, disclosures = {} }: BundleRecord, hash: Sha256): DisclosedMembers {
  const names = Object.keys(disclosures);
  const digests = isSalted(payload) ? Object.values(payload._sd) : [];
  if (digests.length + names.length === 0) return NONE;
  return {
    count: names.length,
    namesHash: shownNamesHash(ear.seq_no, disclosures, hash),
    fit: disclosuresFit(payload, disclosures, hash),
    withheld: withheldNames(payload, disclosures).length,
    marks: [...digests, ...Object.values(disclosures).map(([salt]) => salt)],
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

/** A record as its agent's chain has it. */
export interface Link {
  /** What the record continues; undefined where the receipt's chain_hash does not follow from the record: anybody may have changed that. */
  readonly prev: string | null | undefined;
  readonly receipt: Receipt;
}

export function linkOf({ eor, ear: receipt, chainHash }: PreparedRecord): Link {
  const follows = isDigestOf(receipt.chain_hash, chainHash) && eor.agent_id === receipt.agent_id;
  return { prev: follows ? eor.prev_chain_hash : undefined, receipt };
}
