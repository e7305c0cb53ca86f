import {
  type BundleHead,
  type BundleRecord,
  BundleWriter,
  CompactRange,
  countClockCorrections,
  coverEnds,
  directoryDigest,
  edgesDigest,
  epochHash,
  epochSealing,
  epochSignedBytes,
  gapBetween,
  HashListDigest,
  isShownWhole,
  type Manifest,
  type Neighbour,
  parseDigest,
  type ReadNode,
  receiptLeafHash,
  receiptSignedBytes,
  type Sha256,
  sha256,
  shownNamesHash,
  withheldEventsDigest,
} from '../../protocol/index.ts';

/** A bundle as one value (protocol F130). */
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

/** The leaf that a record is in its epoch's tree (protocol F61). */
export function leafOf({ ear }: BundleRecord, hash: Sha256 = sha256): Uint8Array {
  return receiptLeafHash(receiptSignedBytes(ear), hash);
}

/** The receipts that a bundle shows, in order, each with the gap before it. */
function shownOf({ records, edges: { before, after } }: Pick<Contents, 'records' | 'edges'>): readonly Neighbour[] {
  return [...(before === null ? [] : [before]), ...records, ...(after === null ? [] : [after])];
}

/**
 * The subtrees of the log that a bundle shows, its receipts and gaps as they stand; made up where it does not lead there.
 * @throws RangeError, from what is returned, for a subtree that does not follow from it
 */
export function nodesOf(contents: Pick<Contents, 'epochs' | 'records' | 'edges'>, hash: Sha256 = sha256): ReadNode {
  const nodes = new Map<string, Uint8Array>();
  const range = new CompactRange(0, hash, (height, index, root) => nodes.set(`${height}/${index}`, root));
  let last = 0;
  const pass = (to: number, gap: readonly string[]): void => {
    range.fill(coverEnds(last, to, epochSealing(contents.epochs, last)), gap.map(parseDigest));
  };
  for (const { ear, gap = [] } of shownOf(contents)) {
    pass(ear.seq_no - 1, gap);
    if (range.end === ear.seq_no - 1) range.push(receiptLeafHash(receiptSignedBytes(ear), hash));
    last = ear.seq_no;
  }
  pass(contents.edges.head?.last_seq_no ?? 0, contents.edges.rest);
  return (height, index) => {
    const node = nodes.get(`${height}/${index}`);
    if (node === undefined) throw new RangeError(`the bundle does not show subtree ${index} of height ${height}`);
    return node;
  };
}

/** The same contents with the gaps between the receipts that they show. @param node the log's subtrees */
export function withGaps<T extends Pick<Contents, 'epochs' | 'records' | 'edges'>>(contents: T, node: ReadNode): T {
  const { epochs, edges } = contents;
  let last = 0;
  const gapped = <R extends Pick<Neighbour, 'ear' | 'gap'>>({ gap: _, ...shown }: R): R => {
    const gap = gapBetween(last, shown.ear.seq_no, epochs, node);
    last = shown.ear.seq_no;
    return (gap.length === 0 ? shown : { ...shown, gap }) as R;
  };
  const before = edges.before && gapped(edges.before);
  const records = contents.records.map(gapped);
  const after = edges.after && gapped(edges.after);
  const rest = edges.head === null ? [] : gapBetween(last, edges.head.last_seq_no + 1, epochs, node);
  return { ...contents, records, edges: { before, after, rest, head: edges.head } };
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

/** The members of a manifest that follow from the contents (protocol F140). */
export function countsOf(contents: Contents, hash: Sha256 = sha256): Pick<Manifest, Counted> {
  const digestOf = (hashes: readonly (Uint8Array | string)[]): string => {
    const digest = new HashListDigest();
    for (const one of hashes) digest.add(one);
    return digest.digest();
  };
  const withheld = withheldEventsDigest(contents.admin_events, hash);
  const corrections = countClockCorrections(contents.admin_events);
  const shown = contents.records.flatMap(
    ({ ear, disclosures = {} }) => shownNamesHash(ear.seq_no, disclosures, hash) ?? [],
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
