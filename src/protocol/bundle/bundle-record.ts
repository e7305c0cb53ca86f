import { parseJsonBytes } from '../json.ts';
import * as shape from '../shape.ts';
import { type Disclosures, parseDisclosures, withheldNames } from '../statements/disclosures.ts';
import { parseReceipt, type Receipt } from '../statements/receipt.ts';
import { type OperationRecord, parseStoredRecord } from '../statements/record.ts';

/** A list of hashes has no more than these: two covers, of at most 104 hashes each, and room (protocol F147). */
const MAX_HASHES = 256;

/** A list of hashes of the log. */
export const hashList: shape.Check = (value) =>
  Array.isArray(value) && value.length <= MAX_HASHES && value.every((hash) => shape.digest(hash) === null)
    ? null
    : `an array of at most ${MAX_HASHES} digests`;

/** A gap that is stated is not empty. */
export const gapList: shape.Check = (value) =>
  Array.isArray(value) && value.length > 0 ? hashList(value) : 'an array of digests, absent where there is none';

/** One record of a bundle or a proof of records; `disclosures` where any are shown. */
export interface BundleRecord {
  readonly eor: OperationRecord;
  readonly ear: Receipt;
  readonly disclosures?: Disclosures;
  /** The log's leaves between the receipt shown before and this one; absent where there is none (protocol F131). */
  readonly gap?: readonly string[];
}

const RECORD_SHAPE: shape.Shape<BundleRecord> = {
  eor: shape.object,
  ear: shape.object,
  // parseDisclosures says what is wrong with them.
  disclosures: () => null,
  gap: gapList,
};

/**
 * Parses one record of a bundle.
 * @throws ProtocolError JSON_INVALID, SHAPE_INVALID
 */
export function parseBundleRecord(bytes: Uint8Array): BundleRecord {
  return bundleRecordOf(parseJsonBytes(bytes, { oneSpelling: true }));
}

/** Whether a record's payload is there, and where it is salted each of its members. */
export function isShownWhole({ eor: { payload }, disclosures }: Pick<BundleRecord, 'eor' | 'disclosures'>): boolean {
  return payload !== undefined && withheldNames(payload, disclosures).length === 0;
}

/** parseBundleRecord for a record that is a value already. @throws ProtocolError SHAPE_INVALID */
export function bundleRecordOf(value: unknown): BundleRecord {
  const record = shape.parseShape<BundleRecord>(value, RECORD_SHAPE, 'record', ['disclosures', 'gap']);
  const eor = parseStoredRecord(record.eor);
  const ear = parseReceipt(record.ear);
  return {
    eor,
    ear,
    ...(record.disclosures === undefined ? {} : { disclosures: parseDisclosures(record.disclosures) }),
    ...(record.gap === undefined ? {} : { gap: record.gap }),
  };
}
