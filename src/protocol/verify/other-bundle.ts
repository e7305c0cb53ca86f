import { HashListDigest } from '../bundle/digests.ts';
import type { BundleSource } from '../bundle/document.ts';
import { readBundle } from '../bundle/reader.ts';
import type { Sha256 } from '../digest.ts';
import { parseJsonBytes } from '../json.ts';
import * as shape from '../shape.ts';
import { type Epoch, epochHash, epochSignedBytes, parseEpoch } from '../statements/epoch.ts';
import { type Manifest, parseManifest } from '../statements/manifest.ts';
import { parseReceipt, type Receipt, receiptLeafHash, receiptSignedBytes } from '../statements/receipt.ts';
import { parseTime } from '../time.ts';
import type { FindingPlace } from './report.ts';

/** A file to compare the bundle with; `name` is how findings call it. */
export interface NamedSource {
  readonly name: string;
  readonly source: BundleSource;
}

export interface OtherEpoch {
  readonly epoch: Epoch;
  readonly hash: string;
  readonly where: FindingPlace;
}

/** What another bundle states, its receipts apart. Its signatures are checked where something is made of it. */
export interface OtherBundle {
  readonly name: string;
  readonly epochs: readonly OtherEpoch[];
  readonly manifest: Manifest | null;
  readonly manifestSignature: string | null;
  /** Whether its manifest lists exactly the records that it holds: only then it is the service that left one out. */
  readonly isComplete: boolean;
}

/** Whether a bundle had to hold a record: received in its range, of its agent, and before it was made. */
export function mustHold(manifest: Manifest | null, receipt: Receipt): boolean {
  if (manifest === null || receipt.org_id !== manifest.org_id) return false;
  const { filter, log_head, created_at } = manifest;
  const received = parseTime(receipt.server_received_at);
  return (
    (filter.agent_id === null || filter.agent_id === receipt.agent_id) &&
    received >= parseTime(filter.start_time) &&
    received < parseTime(filter.end_time) &&
    (receipt.seq_no <= log_head.seq_no || received < parseTime(created_at))
  );
}

function receiptOf(record: unknown): Receipt {
  const ear = typeof record === 'object' && record !== null && 'ear' in record ? record.ear : undefined;
  return parseReceipt(ear);
}

/**
 * Reads another bundle for what it states.
 * @param keep takes each of its receipts; whatever was read before a part that cannot be read counts
 * @throws ProtocolError where it is no bundle, or a part of it has a wrong shape
 */
export async function readOtherBundle(
  { name, source }: NamedSource,
  hash: Sha256,
  keep: (receipt: Receipt, where: FindingPlace) => void,
): Promise<OtherBundle> {
  const epochs: OtherEpoch[] = [];
  const digest = new HashListDigest();
  let manifest: Manifest | null = null;
  let manifestSignature: string | null = null;
  for await (const events of readBundle(source)) {
    for (const event of events) {
      if (event.kind !== 'value') continue;
      const { member, bytes, line, element } = event.value;
      const where = { file: name, line };
      if (element && member === 'records') {
        const receipt = receiptOf(parseJsonBytes(bytes));
        digest.add(receiptLeafHash(receiptSignedBytes(receipt), hash));
        keep(receipt, where);
      } else if (element && member === 'epochs') {
        const epoch = parseEpoch(parseJsonBytes(bytes));
        epochs.push({ epoch, hash: epochHash(epochSignedBytes(epoch), hash), where });
      } else if (!element && member === 'manifest') manifest = parseManifest(parseJsonBytes(bytes));
      else if (!element && member === 'manifest_signature') {
        const value = parseJsonBytes(bytes);
        if (typeof value === 'string' && shape.signature(value) === null) manifestSignature = value;
      }
    }
  }
  const isComplete = manifest !== null && manifest.records_digest === digest.digest();
  return { name, epochs, manifest, manifestSignature, isComplete };
}
