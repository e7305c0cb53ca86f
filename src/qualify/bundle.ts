import {
  type BundleHead,
  type BundleRecord,
  BundleWriter,
  countClockCorrections,
  directoryDigest,
  disclosureDigest,
  edgesDigest,
  epochHash,
  epochSignedBytes,
  fromBase64Url,
  HashListDigest,
  isShownWhole,
  type Manifest,
  receiptLeafHash,
  receiptSignedBytes,
  type Sha256,
  sha256,
  withheldEventsDigest,
} from '../protocol/index.ts';

/** A bundle as one value (protocol §8). */
export interface Bundle extends BundleHead {
  readonly format: string;
  readonly records: readonly BundleRecord[];
  readonly manifest: Manifest;
  readonly manifest_signature: string;
}

/** What a manifest is made of. */
export type Contents = Omit<Bundle, 'format' | 'manifest' | 'manifest_signature'>;

/** A bundle as the service writes it; its format is always that of this version. */
export function writeBundle(bundle: Bundle): string {
  const writer = new BundleWriter();
  return (
    writer.head(bundle) +
    bundle.records.map((record) => writer.record(record)).join('') +
    writer.tail(bundle.manifest, bundle.manifest_signature)
  );
}

/** The leaf that a record is in its epoch's tree (protocol §5). */
export function leafOf({ ear }: BundleRecord, hash: Sha256 = sha256): Uint8Array {
  return receiptLeafHash(receiptSignedBytes(ear), hash);
}

type Counted =
  | 'record_count'
  | 'first_seq_no'
  | 'last_seq_no'
  | 'records_digest'
  | 'epochs_digest'
  | 'edges_digest'
  | 'admin_log'
  | 'clock_corrections'
  | 'admin_events_digest'
  | 'directory_digest'
  | 'redacted_count'
  | 'withheld_events_digest'
  | 'disclosures_digest';

/** The members of a manifest that follow from the contents (protocol §8). */
export function countsOf(contents: Contents, hash: Sha256 = sha256): Pick<Manifest, Counted> {
  const digestOf = (hashes: readonly (Uint8Array | string)[]): string => {
    const digest = new HashListDigest();
    for (const one of hashes) digest.add(one);
    return digest.digest();
  };
  const withheld = withheldEventsDigest(contents.admin_events, hash);
  const corrections = countClockCorrections(contents.admin_events);
  const shown = contents.records.flatMap(({ disclosures = [] }) =>
    disclosures.map((disclosure) => fromBase64Url(disclosureDigest(disclosure, hash), 32)),
  );
  return {
    ...(corrections === 0 ? {} : { clock_corrections: corrections }),
    ...(withheld === null ? {} : { withheld_events_digest: withheld }),
    ...(shown.length === 0 ? {} : { disclosures_digest: digestOf(shown) }),
    record_count: contents.records.length,
    first_seq_no: contents.records.at(0)?.ear.seq_no ?? null,
    last_seq_no: contents.records.at(-1)?.ear.seq_no ?? null,
    records_digest: digestOf(contents.records.map((record) => leafOf(record, hash))),
    epochs_digest: digestOf(contents.epochs.map((epoch) => epochHash(epochSignedBytes(epoch), hash))),
    edges_digest: edgesDigest(contents.edges, hash),
    admin_log: { count: contents.admin_events.length, head_hash: contents.admin_events.at(-1)?.event_hash ?? null },
    admin_events_digest: digestOf(contents.admin_events.map(({ event_hash }) => event_hash)),
    directory_digest: directoryDigest(contents, hash),
    redacted_count: contents.records.filter((record) => !isShownWhole(record)).length,
  };
}
