import { parseJsonBytes } from '../json.ts';
import * as shape from '../shape.ts';
import {
  countWithheld,
  type Disclosure,
  disclosureDigest,
  isSalted,
  parseDisclosures,
} from '../statements/disclosures.ts';
import { parseReceipt, type Receipt } from '../statements/receipt.ts';
import { type OperationRecord, parseStoredRecord } from '../statements/record.ts';
import type { Inclusion } from './document.ts';

/** One record of a bundle; `inclusion` exactly where its epoch is not wholly contained, `disclosures` where any are shown. */
export interface BundleRecord {
  readonly eor: OperationRecord;
  readonly ear: Receipt;
  readonly disclosures?: readonly Disclosure[];
  readonly inclusion?: Inclusion;
}

const RECORD_SHAPE: shape.Shape<BundleRecord> = {
  eor: shape.object,
  ear: shape.object,
  // parseDisclosures says what is wrong with them.
  disclosures: () => null,
  inclusion: shape.object,
};

export const INCLUSION_SHAPE: shape.Shape<Inclusion> = {
  epoch_id: shape.identifier,
  leaf_index: shape.integer(),
  path: (value) =>
    Array.isArray(value) && value.length <= 64 && value.every((hash) => shape.digest(hash) === null)
      ? null
      : 'an array of digests',
};

/**
 * Parses one record of a bundle.
 * @throws ProtocolError JSON_INVALID, SHAPE_INVALID
 */
export function parseBundleRecord(bytes: Uint8Array): BundleRecord {
  return bundleRecordOf(parseJsonBytes(bytes, { oneSpelling: true }));
}

/** Whether a record's payload is there, and where it is salted each of its members. */
export function isShownWhole({
  eor: { payload },
  disclosures = [],
}: Pick<BundleRecord, 'eor' | 'disclosures'>): boolean {
  const digests = isSalted(payload) ? disclosures.map((disclosure) => disclosureDigest(disclosure)) : [];
  return payload !== undefined && countWithheld(payload, digests) === 0;
}

/** parseBundleRecord for a record that is a value already. @throws ProtocolError SHAPE_INVALID */
export function bundleRecordOf(value: unknown): BundleRecord {
  const record = shape.parseShape<BundleRecord>(value, RECORD_SHAPE, 'record', ['disclosures', 'inclusion']);
  const eor = parseStoredRecord(record.eor);
  const ear = parseReceipt(record.ear);
  return {
    eor,
    ear,
    ...(record.disclosures === undefined ? {} : { disclosures: parseDisclosures(record.disclosures) }),
    ...(record.inclusion === undefined
      ? {}
      : { inclusion: shape.parseShape<Inclusion>(record.inclusion, INCLUSION_SHAPE, 'inclusion') }),
  };
}
