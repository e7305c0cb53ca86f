import { pooledUtf8 } from '../bytes.ts';
import type { HostCrypto, StrictVerifier } from '../crypto.ts';
import { formatDigest, parseDigest } from '../digest.ts';
import { fromBase64Url } from '../encoding.ts';
import { firstPlace } from '../first-place.ts';
import { CompactRange } from '../merkle/tree.ts';
import { type Epoch, epochHash, epochSignedBytes } from '../statements/epoch.ts';
import { parseTime } from '../time.ts';
import { DigestSet } from './digest-set.ts';
import { checkEpochLink, place } from './epoch-link.ts';
import type { FindingLog } from './finding-log.ts';
import type { Issuer } from './issuer.ts';
import type { LedgerOrder } from './ledger-order.ts';
import { LogTrack, type SealedSize, type ShownLeaf } from './log-track.ts';
import { type Listed, listed } from './packed-epochs.ts';
import { RecordRuns } from './record-runs.ts';

/** The epoch that holds the record at hand. */
interface OpenEpoch extends SealedSize {
  readonly index: number;
  /** end_time in milliseconds. */
  readonly endsAt: number;
  /** Who signed the epoch before it; null of the first. */
  readonly before: string | null;
}

/** Of the leaves of an epoch, those met so far. */
interface MetLeaves {
  /** Those met in order from its first; null as soon as one is missing or out of place, or all are there. */
  tree: CompactRange | null;
  /** The root, as soon as all leaves are there. */
  root: string | null;
  seen: number;
}

const HASH_BYTES = 32;

/** A receipt that the file shows, as the epochs see it. */
export interface SealedLeaf extends ShownLeaf {
  /** server_received_at as it stands there, and in milliseconds. */
  readonly receivedAt: string;
  readonly receivedAtMs: number;
  /** The kid of the key that signed the receipt. */
  readonly serviceKid: string;
  /** Whether everything that the record and its receipt say by themselves holds. */
  readonly sound: boolean;
}

/** A receipt next to the range: no record of the bundle. */
export type SealedNeighbour = Omit<SealedLeaf, 'serviceKid' | 'sound'>;

/** The epochs of a bundle: their signatures and chain, and the trees that its records must rebuild. */
export class EpochTrack {
  readonly #host: HostCrypto;
  readonly #log: FindingLog;
  readonly #order: LedgerOrder;
  /** As many as whoever made the file likes: of each no more is kept than a few numbers, and `given` as its owner keeps it. */
  #given: Listed<Epoch> = [];
  #count = 0;
  #hashes = new Uint8Array();
  #signed = new Uint8Array();
  #numbers = new Float64Array();
  #firsts = new Float64Array();
  #lasts = new Float64Array();
  /** Epochs that sealed just the records that are there: nothing more is kept of their leaves. */
  #rebuilt = new Uint8Array();
  /** The other epochs of which a record was met. */
  readonly #met = new Map<number, MetLeaves>();
  readonly #ids = new DigestSet();
  readonly log: LogTrack;
  /** The newest epoch of the ledger, as the file states it. */
  head: SealedSize | null = null;
  #isHeadListed = false;
  #issuer: Issuer | null = null;
  #open: OpenEpoch | null = null;
  rootsRebuilt = 0;
  /** Which records are sound, by the epochs that seal them. */
  runs = new RecordRuns(0);
  /** Records that come after the last epoch may wait for theirs from this sequence number on: in a ledger, not in a bundle. */
  mayWaitFrom = Number.POSITIVE_INFINITY;
  /** Records that wait. */
  unsealed = 0;

  /** Whether the epochs are some of a ledger's, and the records some of theirs. */
  readonly #picked: boolean;

  constructor(host: HostCrypto, log: FindingLog, order: LedgerOrder, picked = false) {
    this.#host = host;
    this.#order = order;
    this.#picked = picked;
    this.#log = log;
    this.log = new LogTrack(host, log);
  }

  get length(): number {
    return this.#count;
  }

  /** @param index from the end where it is negative */
  at(index: number): SealedSize | undefined {
    const place = index < 0 ? this.#count + index : index;
    const epoch = place >= 0 && place < this.#count ? this.#given.at(place) : undefined;
    if (epoch === undefined) return undefined;
    return { epoch, hash: this.#hashOf(place), signed: this.#signed[place] === 1 };
  }

  /** The epochs of the file, in its order. */
  *list(): Generator<SealedSize> {
    for (let index = 0; index < this.#count; index++) yield this.at(index) as SealedSize;
  }

  /** The same, and the newest epoch where it is not among them. */
  shown(): Listed<SealedSize> {
    const head = this.#isHeadListed ? null : this.head;
    const own = this.#count;
    return listed(own + (head === null ? 0 : 1), (index) => (index === own ? (head ?? undefined) : this.at(index)));
  }

  /** Those that end at a size of the log. */
  *endingAt(size: number): Generator<Epoch> {
    for (let index = this.#lasts.indexOf(size); index >= 0; index = this.#lasts.indexOf(size, index + 1)) {
      const epoch = this.#given.at(index);
      if (epoch !== undefined) yield epoch;
    }
    if (!this.#isHeadListed && this.head?.epoch.last_seq_no === size) yield this.head.epoch;
  }

  /** The run of the first epoch with a number. */
  runOf(epochNo: number): readonly [first: number, last: number] | undefined {
    const index = this.#numbers.indexOf(epochNo);
    return index < 0 ? undefined : [this.#firsts[index] ?? 0, this.#lasts[index] ?? 0];
  }

  /** The first epoch in the file that has no number of a run. */
  firstApart(first: number, last: number): Epoch | undefined {
    for (let index = 0; index < this.#count; index++) {
      if ((this.#firsts[index] ?? 0) > last || (this.#lasts[index] ?? 0) < first) return this.at(index)?.epoch;
    }
    return undefined;
  }

  /** The last epoch in the file that ends before a number. */
  lastBefore(seqNo: number): Epoch | undefined {
    const index = this.#lasts.findLastIndex((last) => last < seqNo);
    return index < 0 ? undefined : this.at(index)?.epoch;
  }

  #hashOf(index: number): string {
    return formatDigest(this.#hashes.subarray(HASH_BYTES * index, HASH_BYTES * (index + 1)));
  }

  async load(epochs: Listed<Epoch>, orgId: string, issuer: Issuer, verifier: StrictVerifier): Promise<void> {
    const { length } = epochs;
    this.#given = epochs;
    this.runs = new RecordRuns(length);
    this.#issuer = issuer;
    [this.#signed, this.#rebuilt] = [new Uint8Array(length), new Uint8Array(length)];
    this.#numbers = new Float64Array(length);
    [this.#firsts, this.#lasts] = [new Float64Array(length), new Float64Array(length)];
    this.#hashes = new Uint8Array(HASH_BYTES * length);
    let before: SealedSize | undefined;
    for (const epoch of epochs) {
      const sealed = await this.#seal(epoch, orgId, issuer, verifier);
      issuer.checkOrder(before?.epoch.service_kid ?? null, epoch.service_kid, place(epoch));
      checkEpochLink(epoch, before, this.#log, { picked: this.#picked, order: this.#order });
      if (!this.#ids.add(this.#host.sha256(pooledUtf8(epoch.epoch_id)))) this.#sameId(epoch);
      const index = this.#count++;
      this.#hashes.set(parseDigest(sealed.hash), HASH_BYTES * index);
      this.#signed[index] = sealed.signed ? 1 : 0;
      this.#numbers[index] = epoch.epoch_no;
      this.#firsts[index] = epoch.first_seq_no;
      this.#lasts[index] = epoch.last_seq_no;
      before = sealed;
    }
  }

  /** Takes the newest epoch of the ledger: the last one of the list, or one behind it. */
  async loadHead(epoch: Epoch | null, orgId: string, issuer: Issuer, verifier: StrictVerifier): Promise<void> {
    const last = this.at(-1);
    if (epoch === null) return;
    if (last?.hash === epochHash(epochSignedBytes(epoch), this.#host.sha256)) {
      this.head = last;
      this.#isHeadListed = true;
      return;
    }
    this.head = await this.#seal(epoch, orgId, issuer, verifier);
    issuer.checkOrder(last?.epoch.service_kid ?? null, epoch.service_kid, place(epoch));
    checkEpochLink(epoch, last, this.#log, { picked: true, order: this.#order });
    if (!this.#ids.add(this.#host.sha256(pooledUtf8(epoch.epoch_id)))) this.#sameId(epoch);
  }

  /** An epoch by itself. */
  async #seal(epoch: Epoch, orgId: string, issuer: Issuer, verifier: StrictVerifier): Promise<SealedSize> {
    const message = epochSignedBytes(epoch);
    const publicKey = issuer.keyFor(epoch.service_kid);
    const signature = fromBase64Url(epoch.signature_by_service, 64);
    const valid = publicKey !== null && (await verifier.holds({ publicKey, message, signature }));
    const signed = valid && epoch.org_id === orgId;
    if (!signed) {
      this.#log.add('EPOCH_SIGNATURE_INVALID', {
        where: place(epoch),
        message:
          "The service's signature on the epoch does not verify: the epoch was changed, or is not this service's.",
      });
    }
    const endsAt = parseTime(epoch.end_time);
    issuer.checkTime(epoch.service_kid, this.#order.at('epoch_no', epoch.epoch_no, endsAt), place(epoch));
    return { epoch, hash: epochHash(message, this.#host.sha256), signed };
  }

  #sameId(epoch: Epoch): void {
    this.#log.add('EPOCH_CHAIN_BROKEN', { where: place(epoch), message: 'Another epoch has the same epoch_id.' });
  }

  #holds(index: number, seqNo: number): boolean {
    return index >= 0 && index < this.#count && this.#isWithin(index, seqNo);
  }

  #isWithin(index: number, seqNo: number): boolean {
    return seqNo >= (this.#firsts[index] ?? 0) && seqNo <= (this.#lasts[index] ?? 0);
  }

  /** The epoch in whose run a number lies. */
  #find(seqNo: number): OpenEpoch | null {
    // Records come in order: the epoch is nearly always the current one or the next.
    const current = this.#open?.index ?? 0;
    const index = [current, current + 1].find((near) => this.#holds(near, seqNo)) ?? this.#search(seqNo);
    if (!this.#holds(index, seqNo)) return null;
    if (this.#open?.index !== index) {
      const sealed = this.at(index) as SealedSize;
      const before = index === 0 ? null : (this.at(index - 1)?.epoch.service_kid ?? null);
      this.#open = { ...sealed, index, before, endsAt: parseTime(sealed.epoch.end_time) };
    }
    return this.#open;
  }

  /** The last epoch that does not begin behind a number, in honest order: whoever made the bundle chose how many there are. */
  #search(seqNo: number): number {
    return firstPlace(this.#count, (place) => (this.#firsts[place] ?? 0) > seqNo) - 1;
  }

  /** Takes the next record of the bundle. */
  add(sealed: SealedLeaf): void {
    const open = this.#find(sealed.seqNo);
    const included = this.log.add(sealed, open);
    if (open === null) this.#addUncovered(sealed);
    else this.#addTo(open, sealed);
    this.runs.add(sealed.seqNo, open?.index ?? -1, { sound: sealed.sound, included });
  }

  /** Takes what stands next to the range: a leaf of the log like the records, and in no epoch of theirs but by its time. */
  addBeside(neighbour: SealedNeighbour): void {
    const open = this.#find(neighbour.seqNo);
    this.log.add(neighbour, open, false);
    if (open !== null) this.#checkTime(open, neighbour);
  }

  #addUncovered({ seqNo, where }: SealedLeaf): void {
    const [first, last] = [this.#firsts[0] ?? 0, this.#lasts.at(-1) ?? 0];
    if (seqNo >= this.mayWaitFrom && seqNo > last) this.unsealed++;
    // A proof shows the epoch of its last record alone.
    else if (!this.#picked || seqNo >= first) {
      this.#log.add('EPOCH_GAP', { where, message: 'No epoch covers this record.' });
    }
  }

  #checkTime({ epoch, endsAt }: OpenEpoch, { seqNo, receivedAt, receivedAtMs, where }: SealedNeighbour): void {
    if (seqNo === epoch.first_seq_no && receivedAt !== epoch.start_time) {
      this.#log.add('TIME_ORDER', {
        where: { ...where, ...place(epoch) },
        expected: epoch.start_time,
        actual: receivedAt,
        message: "The epoch's start is not the time of its first record.",
      });
    }
    if (receivedAtMs > endsAt) {
      this.#log.add('TIME_ORDER', {
        where: { ...where, ...place(epoch) },
        expected: `at the latest ${epoch.end_time}`,
        actual: receivedAt,
        message: 'The record was received after its epoch had been closed.',
      });
    }
  }

  #addTo(open: OpenEpoch, sealed: SealedLeaf): void {
    const { seqNo, leaf, where } = sealed;
    const { epoch, index, before } = open;
    this.#issuer?.checkOrder(before, sealed.serviceKid, where);
    this.#issuer?.checkOrder(sealed.serviceKid, epoch.service_kid, where);
    const met = this.#metOf(open);
    met.seen++;
    if (met.tree !== null && seqNo === epoch.first_seq_no + met.tree.end) {
      met.tree.push(leaf);
      if (met.tree.end === epoch.leaf_count) {
        met.root = formatDigest(met.tree.root());
        met.tree = null;
      }
    } else {
      met.tree = null;
      met.root = null;
    }
    const isRebuilt = met.root === epoch.root_hash;
    this.#rebuilt[index] = isRebuilt ? 1 : 0;
    if (isRebuilt) this.#met.delete(index);
    this.#checkTime(open, sealed);
  }

  #metOf({ index, epoch }: OpenEpoch): MetLeaves {
    const known = this.#met.get(index);
    if (known !== undefined) return known;
    // One more record than an epoch has that was whole.
    const met =
      this.#rebuilt[index] === 1
        ? { tree: null, root: epoch.root_hash, seen: epoch.leaf_count }
        : { tree: new CompactRange(0, this.#host.sha256), root: null, seen: 0 };
    this.#met.set(index, met);
    return met;
  }

  /** Whether an epoch, by its place in the list, is signed, and whether the records met so far give its root. */
  intact(index: number): { readonly signed: boolean; readonly whole: boolean } {
    const sealed = this.at(index);
    if (sealed === undefined) return { signed: false, whole: false };
    const { epoch, signed } = sealed;
    const fits = epoch.last_seq_no - epoch.first_seq_no + 1 === epoch.leaf_count;
    return { signed: signed && fits, whole: this.#rebuilt[index] === 1 };
  }

  /**
   * After the last record, and what stands behind the range: the rest of the log, and the roots of the epochs that are wholly
   * there.
   * @param rest null where the newest epoch does not bound what is there, as in a ledger
   * @param expectWhole whether an epoch's run lies within what the bundle should hold completely
   */
  finish(rest: readonly string[] | null, expectWhole: (epoch: Epoch) => boolean): void {
    if (rest !== null) this.log.finish(rest, this.head, { member: 'edges.rest' });
    let index = -1;
    for (const epoch of this.#given) {
      index++;
      const { root, seen } = this.#met.get(index) ?? { root: null, seen: 0 };
      if (this.#rebuilt[index] === 1) this.rootsRebuilt++;
      else if (root !== null || expectWhole(epoch)) {
        this.#log.add('EPOCH_ROOT_MISMATCH', {
          where: place(epoch),
          expected: epoch.root_hash,
          actual: root ?? `${seen} of ${epoch.leaf_count} leaves in order`,
          message: "The bundle's records do not give the Merkle root that the epoch was sealed with.",
        });
      }
    }
  }
}
