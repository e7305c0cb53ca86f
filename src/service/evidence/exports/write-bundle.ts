import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { nodeCrypto, putInPlace } from '../../../node/index.ts';
import {
  BundleWriter,
  countClockCorrections,
  directoryDigest,
  edgesDigest,
  epochHash,
  epochSignedBytes,
  HashListDigest,
  type Manifest,
  manifestSignedBytes,
  receiptLeafHash,
  receiptSignedBytes,
  shownNamesHash,
  toBase64Url,
  withheldEventsDigest,
} from '../../../protocol/index.ts';
import type { Store } from '../../store/open.ts';
import { type BundleSelection, selectedRecords } from './bundle-source.ts';
import { receiptStatement, recordText } from './export-record-text.ts';
import { NO_REDACTION, type Redaction, withholder } from './redaction.ts';

/** What a bundle is called and when it was made; with selection and redaction it determines every byte. */
export interface BundleIdentity {
  readonly exportId: string;
  /** RFC 3339. */
  readonly createdAt: string;
}

/** Whoever signs the manifest; the key itself may be in another thread. */
export interface ManifestSigner {
  readonly kid: string;
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

export interface BundleOptions {
  readonly redaction?: Redaction;
  /** Told after each page how many records were written and how far in the run the last of them stands, from 0 to 1. */
  readonly onProgress?: (records: number, share: number) => void;
}

/** What an export came to. */
export interface WrittenBundle {
  readonly records: number;
  /** Records that are not shown whole: withheld by this export, erased before, or never handed over. */
  readonly redacted: number;
  /** Where names of people are to be withheld: where the file still has one. */
  readonly kept?: readonly { readonly place: string; readonly count: number }[];
}

/** Writes the text of a bundle, piece by piece: what stands before the records, pages of these, and last the signed manifest. */
export async function writeBundleText(
  write: (text: string) => void,
  store: Store,
  signer: ManifestSigner,
  selection: BundleSelection,
  { exportId, createdAt }: BundleIdentity,
  { redaction = NO_REDACTION, onProgress }: BundleOptions = {},
): Promise<WrittenBundle> {
  const { head, filter, logHead, agentHead, adminLog, orgId, run } = selection;
  const { sha256 } = nodeCrypto;
  const show = withholder(redaction);
  const disclosuresDigest = new HashListDigest();
  let showsMembers = false;
  const writer = new BundleWriter();
  write(writer.head(head));
  const recordsDigest = new HashListDigest();
  let records = 0;
  let redacted = 0;
  let first: number | null = null;
  let last: number | null = null;
  for (const page of selectedRecords(store, selection)) {
    let text = '';
    for (const { row, gap } of page) {
      const shown = show(row);
      if (!shown.whole) redacted++;
      const names = shownNamesHash(row.seqNo, shown.disclosures, sha256);
      if (names !== null) {
        disclosuresDigest.add(names);
        showsMembers = true;
      }
      const ear = receiptStatement(row);
      text += writer.recordText(recordText(row, shown, ear, gap));
      recordsDigest.add(receiptLeafHash(receiptSignedBytes(ear), sha256));
      first ??= row.seqNo;
      last = row.seqNo;
    }
    records += page.length;
    write(text);
    if (run !== null && last !== null) onProgress?.(records, (last - run.first + 1) / (run.last - run.first + 1));
  }
  const epochsDigest = new HashListDigest();
  for (const epoch of head.epochs) epochsDigest.add(epochHash(epochSignedBytes(epoch), sha256));
  const adminDigest = new HashListDigest();
  for (const event of head.admin_events) adminDigest.add(event.event_hash);
  const withheld = withheldEventsDigest(head.admin_events, sha256);
  const corrections = countClockCorrections(head.admin_events);
  const manifest: Manifest = {
    type: 'countersign.manifest.v1',
    export_id: exportId,
    org_id: orgId,
    created_at: createdAt,
    filter,
    record_count: records,
    first_seq_no: first,
    last_seq_no: last,
    log_head: logHead,
    agent_head: agentHead,
    admin_log: adminLog,
    records_digest: recordsDigest.digest(),
    epochs_digest: epochsDigest.digest(),
    edges_digest: edgesDigest(head.edges, sha256),
    admin_events_digest: adminDigest.digest(),
    directory_digest: directoryDigest(head, sha256),
    redacted_count: redacted,
    service_kid: signer.kid,
    ...(withheld === null ? {} : { withheld_events_digest: withheld }),
    ...(corrections === 0 ? {} : { clock_corrections: corrections }),
    ...(showsMembers ? { disclosures_digest: disclosuresDigest.digest() } : {}),
  };
  write(writer.tail(manifest, toBase64Url(await signer.sign(manifestSignedBytes(manifest)))));
  return { records, redacted };
}

/**
 * Writes a bundle to a file, without a pause: not for the thread that serves requests. The name appears only once
 * everything is on disk: a crash leaves a `.part` file that no download ever serves and the next run overwrites.
 */
export async function writeBundle(
  path: string,
  store: Store,
  signer: ManifestSigner,
  selection: BundleSelection,
  identity: BundleIdentity,
  options: BundleOptions = {},
): Promise<WrittenBundle> {
  const temporary = `${path}.part`;
  let written: WrittenBundle;
  const file = openSync(temporary, 'w', 0o600);
  try {
    written = await writeBundleText((text) => writeAll(file, text), store, signer, selection, identity, options);
    fsyncSync(file);
  } catch (error) {
    closeSync(file);
    // On a full disk the part that fitted must not stay in the way.
    rmSync(temporary, { force: true });
    throw error;
  }
  closeSync(file);
  await putInPlace(temporary, path);
  return written;
}

/** A disk that is nearly full may take only a part. */
function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
