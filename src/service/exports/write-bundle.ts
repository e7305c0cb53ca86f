import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { nodeCrypto } from '../../host/index.ts';
import {
  BundleWriter,
  directoryDigest,
  epochHash,
  epochSignedBytes,
  HashListDigest,
  type Manifest,
  manifestSignedBytes,
  receiptLeafHash,
  receiptSignedBytes,
  toBase64Url,
} from '../../protocol/index.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import type { Store } from '../store/open.ts';
import { type BundleSelection, bundleRecords } from './bundle-source.ts';

/** What a bundle is called and when it was made; with the selection it determines every byte. */
export interface BundleIdentity {
  readonly exportId: string;
  /** RFC 3339. */
  readonly createdAt: string;
}

/** The text of a bundle, piece by piece, ending with the signed manifest. Returns how many records it holds. */
export async function* bundleText(
  store: Store,
  key: KeyHolder,
  selection: BundleSelection,
  { exportId, createdAt }: BundleIdentity,
  signal: AbortSignal,
): AsyncGenerator<string, number> {
  const { head, filter, logHead, orgId } = selection;
  const { sha256 } = nodeCrypto;
  const writer = new BundleWriter();
  yield writer.head(head);
  const recordsDigest = new HashListDigest();
  let count = 0;
  let redacted = 0;
  let first: number | null = null;
  let last: number | null = null;
  for (const page of bundleRecords(store, selection)) {
    let text = '';
    for (const record of page) {
      text += writer.record(record);
      recordsDigest.add(receiptLeafHash(receiptSignedBytes(record.ear), sha256));
      first ??= record.ear.seq_no;
      last = record.ear.seq_no;
      if (record.eor.payload === undefined) redacted++;
    }
    count += page.length;
    yield text;
    // A page at a time: submissions go on between two of them.
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  const epochsDigest = new HashListDigest();
  for (const epoch of head.epochs) epochsDigest.add(epochHash(epochSignedBytes(epoch), sha256));
  const adminDigest = new HashListDigest();
  for (const event of head.admin_events) adminDigest.add(event.event_hash);
  const manifest: Manifest = {
    type: 'countersign.manifest.v1',
    export_id: exportId,
    org_id: orgId,
    created_at: createdAt,
    filter,
    record_count: count,
    first_seq_no: first,
    last_seq_no: last,
    log_head: logHead,
    records_digest: recordsDigest.digest(),
    epochs_digest: epochsDigest.digest(),
    admin_events_digest: adminDigest.digest(),
    directory_digest: directoryDigest(head, sha256),
    redacted_count: redacted,
    service_kid: key.kid,
  };
  yield writer.tail(manifest, toBase64Url(key.sign(manifestSignedBytes(manifest))));
  return count;
}

/**
 * Writes a bundle to a file. The name appears only once everything is on disk: a crash leaves a `.part` file that no
 * download ever serves and the next run overwrites.
 * @returns how many records it holds
 */
export async function writeBundle(
  path: string,
  store: Store,
  key: KeyHolder,
  selection: BundleSelection,
  identity: BundleIdentity,
  signal: AbortSignal,
): Promise<number> {
  const temporary = `${path}.part`;
  let count = 0;
  try {
    await pipeline(
      async function* () {
        count = yield* bundleText(store, key, selection, identity, signal);
      },
      createWriteStream(temporary, { mode: 0o600, flush: true }),
    );
  } catch (error) {
    // On a full disk the part that fitted must not stay in the way.
    await rm(temporary, { force: true });
    throw error;
  }
  await rename(temporary, path);
  if (process.platform !== 'win32') {
    const folder = await open(dirname(path), 'r');
    await folder.sync().finally(() => folder.close());
  }
  return count;
}
