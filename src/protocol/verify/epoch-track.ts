import type { HostCrypto, StrictVerifier } from '../crypto.ts';
import { formatDigest } from '../digest.ts';
import { fromBase64Url } from '../encoding.ts';
import { CompactRange } from '../merkle/tree.ts';
import { type Epoch, epochHash, epochSignedBytes } from '../statements/epoch.ts';
import { parseTime } from '../time.ts';
import { checkEpochLink, place } from './epoch-link.ts';
import type { FindingLog } from './finding-log.ts';
import type { Issuer } from './issuer.ts';
import type { LedgerOrder } from './ledger-order.ts';
import { LogTrack, type SealedSize, type ShownLeaf } from './log-track.ts';
import { RecordRuns } from './record-runs.ts';

interface TrackedEpoch extends SealedSize {
  /** end_time in milliseconds. */
  readonly endsAt: number;
  /** Leaves of this epoch met in order from its first; null as soon as one is missing or out of place. */
  tree: CompactRange | null;
  /** The root, as soon as all leaves are there; the tree is let go then. */
  root: string | null;
  seen: number;
}

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
  readonly #epochs: TrackedEpoch[] = [];
  readonly #ids = new Set<string>();
  readonly log: LogTrack;
  /** The newest epoch of the ledger, as the file states it. */
  head: SealedSize | null = null;
  #issuer: Issuer | null = null;
  #current = 0;
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

  get list(): readonly { readonly epoch: Epoch; readonly hash: string }[] {
    return this.#epochs;
  }

  /** The same, and the newest epoch where it is not among them. */
  get shown(): readonly { readonly epoch: Epoch; readonly hash: string }[] {
    return this.head === null || this.head === this.#epochs.at(-1) ? this.#epochs : [...this.#epochs, this.head];
  }

  async load(epochs: readonly Epoch[], orgId: string, issuer: Issuer, verifier: StrictVerifier): Promise<void> {
    this.runs = new RecordRuns(epochs.length);
    this.#issuer = issuer;
    for (const epoch of epochs) {
      const sealed = await this.#seal(epoch, orgId, issuer, verifier);
      issuer.checkOrder(this.#epochs.at(-1)?.epoch.service_kid ?? null, epoch.service_kid, place(epoch));
      checkEpochLink(epoch, this.#epochs.at(-1), this.#log, { picked: this.#picked, order: this.#order });
      if (this.#ids.has(epoch.epoch_id)) this.#sameId(epoch);
      this.#ids.add(epoch.epoch_id);
      this.#epochs.push({ ...sealed, root: null, tree: new CompactRange(0, this.#host.sha256), seen: 0 });
    }
  }

  /** Takes the newest epoch of the ledger: the last one of the list, or one behind it. */
  async loadHead(epoch: Epoch | null, orgId: string, issuer: Issuer, verifier: StrictVerifier): Promise<void> {
    const last = this.#epochs.at(-1);
    if (epoch === null) return;
    if (last?.hash === epochHash(epochSignedBytes(epoch), this.#host.sha256)) {
      this.head = last;
      return;
    }
    this.head = await this.#seal(epoch, orgId, issuer, verifier);
    issuer.checkOrder(last?.epoch.service_kid ?? null, epoch.service_kid, place(epoch));
    checkEpochLink(epoch, last, this.#log, { picked: true, order: this.#order });
    if (this.#ids.has(epoch.epoch_id)) this.#sameId(epoch);
  }

  /** An epoch by itself. */
  async #seal(
    epoch: Epoch,
    orgId: string,
    issuer: Issuer,
    verifier: StrictVerifier,
  ): Promise<SealedSize & { readonly endsAt: number }> {
    const message = epochSignedBytes(epoch);
    const publicKey = issuer.keyFor(epoch.service_kid);
    const signature = fromBase64Url(epoch.signature_by_service, 64);
    const valid = publicKey !== null && (await verifier.verify([{ publicKey, message, signature }]))[0] === true;
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
    return { epoch, hash: epochHash(message, this.#host.sha256), signed, endsAt };
  }

  #sameId(epoch: Epoch): void {
    this.#log.add('EPOCH_CHAIN_BROKEN', { where: place(epoch), message: 'Another epoch has the same epoch_id.' });
  }

  #find(seqNo: number): TrackedEpoch | undefined {
    const holds = (tracked: TrackedEpoch | undefined): boolean =>
      tracked !== undefined && seqNo >= tracked.epoch.first_seq_no && seqNo <= tracked.epoch.last_seq_no;
    // Records come in order: the epoch is nearly always the current one or the next.
    for (const candidate of [this.#current, this.#current + 1]) {
      if (holds(this.#epochs[candidate])) {
        this.#current = candidate;
        return this.#epochs[candidate];
      }
    }
    const index = this.#search(seqNo);
    if (!holds(this.#epochs[index])) return undefined;
    this.#current = index;
    return this.#epochs[index];
  }

  /** The last epoch that does not begin behind a number, in honest order: whoever made the bundle chose how many there are. */
  #search(seqNo: number): number {
    let [low, high] = [0, this.#epochs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#epochs[middle]?.epoch.first_seq_no ?? 0) <= seqNo) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Takes the next record of the bundle. */
  add(sealed: SealedLeaf): void {
    const tracked = this.#find(sealed.seqNo);
    const included = this.log.add(sealed, tracked ?? null);
    if (tracked === undefined) this.#addUncovered(sealed);
    else this.#addTo(tracked, sealed);
    this.runs.add(sealed.seqNo, tracked === undefined ? -1 : this.#current, { sound: sealed.sound, included });
  }

  /** Takes what stands next to the range: a leaf of the log like the records, and in no epoch of theirs but by its time. */
  addBeside(neighbour: SealedNeighbour): void {
    const tracked = this.#find(neighbour.seqNo);
    this.log.add(neighbour, tracked ?? null, false);
    if (tracked !== undefined) this.#checkTime(tracked, neighbour);
  }

  #addUncovered({ seqNo, where }: SealedLeaf): void {
    const [first, last] = [this.#epochs[0]?.epoch.first_seq_no ?? 0, this.#epochs.at(-1)?.epoch.last_seq_no ?? 0];
    if (seqNo >= this.mayWaitFrom && seqNo > last) this.unsealed++;
    // A proof shows the epoch of its last record alone.
    else if (!this.#picked || seqNo >= first) {
      this.#log.add('EPOCH_GAP', { where, message: 'No epoch covers this record.' });
    }
  }

  #checkTime({ epoch, endsAt }: TrackedEpoch, { seqNo, receivedAt, receivedAtMs, where }: SealedNeighbour): void {
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

  #addTo(tracked: TrackedEpoch, sealed: SealedLeaf): void {
    const { seqNo, leaf, where } = sealed;
    const { epoch } = tracked;
    tracked.seen++;
    const before = this.#epochs[this.#current - 1]?.epoch.service_kid ?? null;
    this.#issuer?.checkOrder(before, sealed.serviceKid, where);
    this.#issuer?.checkOrder(sealed.serviceKid, epoch.service_kid, where);
    if (tracked.tree !== null && seqNo === epoch.first_seq_no + tracked.tree.end) {
      tracked.tree.push(leaf);
      if (tracked.tree.end === epoch.leaf_count) {
        tracked.root = formatDigest(tracked.tree.root());
        tracked.tree = null;
      }
    } else {
      tracked.tree = null;
      tracked.root = null;
    }
    this.#checkTime(tracked, sealed);
  }

  /** Whether an epoch, by its place in the list, is signed, and whether the records met so far give its root. */
  intact(index: number): { readonly signed: boolean; readonly whole: boolean } {
    const tracked = this.#epochs[index];
    if (tracked === undefined) return { signed: false, whole: false };
    const { epoch, signed, root } = tracked;
    const fits = epoch.last_seq_no - epoch.first_seq_no + 1 === epoch.leaf_count;
    return { signed: signed && fits, whole: root === epoch.root_hash };
  }

  /**
   * After the last record, and what stands behind the range: the rest of the log, and the roots of the epochs that are wholly
   * there.
   * @param rest null where the newest epoch does not bound what is there, as in a ledger
   * @param expectWhole whether an epoch's run lies within what the bundle should hold completely
   */
  finish(rest: readonly string[] | null, expectWhole: (epoch: Epoch) => boolean): void {
    if (rest !== null) this.log.finish(rest, this.head, { member: 'edges.rest' });
    for (const { epoch, root, seen } of this.#epochs) {
      if (root === null && !expectWhole(epoch)) continue;
      if (root === epoch.root_hash) this.rootsRebuilt++;
      else {
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
