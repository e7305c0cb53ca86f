import type { Inclusion } from '../bundle/document.ts';
import type { HostCrypto, StrictVerifier } from '../crypto.ts';
import { formatDigest, parseDigest } from '../digest.ts';
import { fromBase64Url } from '../encoding.ts';
import { verifyInclusion } from '../merkle/proof.ts';
import { MerkleAccumulator } from '../merkle/tree.ts';
import { type Epoch, epochHash, epochSignedBytes } from '../statements/epoch.ts';
import { parseTime } from '../time.ts';
import { checkEpochLink, place } from './epoch-link.ts';
import type { FindingLog } from './finding-log.ts';
import type { Issuer } from './issuer.ts';
import type { LedgerOrder } from './ledger-order.ts';
import { LogTrack } from './log-track.ts';
import { RecordRuns } from './record-runs.ts';
import type { FindingPlace } from './report.ts';
import { counted } from './wording.ts';

interface TrackedEpoch {
  readonly epoch: Epoch;
  readonly hash: string;
  /** Whether a sound service key signed it, for this organization. */
  readonly signed: boolean;
  /** end_time in milliseconds. */
  readonly endsAt: number;
  /** Leaves of this epoch met in order from its first; null as soon as one is missing or out of place. */
  tree: MerkleAccumulator | null;
  /** The root, as soon as all leaves are there; the tree is let go then. */
  root: string | null;
  seen: number;
  /** Records with and without an inclusion proof, and the place of the first of each. */
  proven: number;
  unproven: number;
  firstProven: FindingPlace | null;
  firstUnproven: FindingPlace | null;
}

/** One sealed record, as the epochs see it. */
export interface SealedLeaf {
  readonly seqNo: number;
  readonly leaf: Uint8Array;
  /** server_received_at as it stands there, and in milliseconds. */
  readonly receivedAt: string;
  readonly receivedAtMs: number;
  readonly inclusion: Inclusion | undefined;
  /** The kid of the key that signed the receipt. */
  readonly serviceKid: string;
  /** Whether everything that the record and its receipt say by themselves holds. */
  readonly sound: boolean;
  readonly where: FindingPlace;
}

/** The epochs of a bundle: their signatures and chain, and the trees that its records must rebuild. */
export class EpochTrack {
  readonly #host: HostCrypto;
  readonly #log: FindingLog;
  readonly #order: LedgerOrder;
  readonly #epochs: TrackedEpoch[] = [];
  readonly #ids = new Set<string>();
  readonly log: LogTrack;
  #issuer: Issuer | null = null;
  #current = 0;
  rootsRebuilt = 0;
  inclusionProofs = 0;
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

  async load(epochs: readonly Epoch[], orgId: string, issuer: Issuer, verifier: StrictVerifier): Promise<void> {
    this.runs = new RecordRuns(epochs.length);
    this.#issuer = issuer;
    for (const epoch of epochs) {
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
      issuer.checkOrder(this.#epochs.at(-1)?.epoch.service_kid ?? null, epoch.service_kid, place(epoch));
      const end = this.#order.at('epoch_no', epoch.epoch_no, parseTime(epoch.end_time));
      issuer.checkTime(epoch.service_kid, end, place(epoch));
      checkEpochLink(epoch, this.#epochs.at(-1), this.#log, { picked: this.#picked, order: this.#order });
      if (this.#ids.has(epoch.epoch_id)) {
        this.#log.add('EPOCH_CHAIN_BROKEN', { where: place(epoch), message: 'Another epoch has the same epoch_id.' });
      }
      this.#ids.add(epoch.epoch_id);
      this.#epochs.push({
        epoch,
        hash: epochHash(message, this.#host.sha256),
        signed,
        endsAt: parseTime(epoch.end_time),
        root: null,
        tree: new MerkleAccumulator(this.#host.sha256),
        seen: 0,
        proven: 0,
        unproven: 0,
        firstProven: null,
        firstUnproven: null,
      });
    }
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
    if (!this.#picked) this.log.add(sealed.seqNo, sealed.leaf);
    const tracked = this.#find(sealed.seqNo);
    const included = tracked === undefined ? this.#addUncovered(sealed) : this.#addTo(tracked, sealed);
    this.runs.add(sealed.seqNo, tracked === undefined ? -1 : this.#current, { sound: sealed.sound, included });
  }

  /** @returns false: nothing includes it */
  #addUncovered({ seqNo, where }: SealedLeaf): false {
    if (seqNo >= this.mayWaitFrom && seqNo > (this.#epochs.at(-1)?.epoch.last_seq_no ?? 0)) {
      this.unsealed++;
      return false;
    }
    this.#log.add('EPOCH_GAP', { where, message: 'No epoch covers this record.' });
    return false;
  }

  /** @returns whether the record's own proof leads to the epoch's root */
  #addTo(tracked: TrackedEpoch, sealed: SealedLeaf): boolean {
    const { seqNo, leaf, receivedAt, receivedAtMs, inclusion, where } = sealed;
    const { epoch } = tracked;
    tracked.seen++;
    if (seqNo === epoch.last_seq_no) this.log.atEndOf(epoch);
    const before = this.#epochs[this.#current - 1]?.epoch.service_kid ?? null;
    this.#issuer?.checkOrder(before, sealed.serviceKid, where);
    this.#issuer?.checkOrder(sealed.serviceKid, epoch.service_kid, where);
    if (tracked.tree !== null && seqNo === epoch.first_seq_no + tracked.tree.size) {
      tracked.tree.append(leaf);
      if (tracked.tree.size === epoch.leaf_count) {
        tracked.root = formatDigest(tracked.tree.root());
        tracked.tree = null;
      }
    } else {
      tracked.tree = null;
      tracked.root = null;
    }
    if (seqNo === epoch.first_seq_no && receivedAt !== epoch.start_time) {
      this.#log.add('TIME_ORDER', {
        where: { ...where, ...place(epoch) },
        expected: epoch.start_time,
        actual: receivedAt,
        message: "The epoch's start is not the time of its first record.",
      });
    }
    if (receivedAtMs > tracked.endsAt) {
      this.#log.add('TIME_ORDER', {
        where: { ...where, ...place(epoch) },
        expected: `at the latest ${epoch.end_time}`,
        actual: receivedAt,
        message: 'The record was received after its epoch had been closed.',
      });
    }
    if (inclusion === undefined) {
      tracked.unproven++;
      tracked.firstUnproven ??= { ...where, ...place(epoch) };
      return false;
    }
    const here = { ...where, ...place(epoch) };
    tracked.proven++;
    tracked.firstProven ??= here;
    this.inclusionProofs++;
    const proof = {
      leafHash: leaf,
      leafIndex: inclusion.leaf_index,
      treeSize: epoch.leaf_count,
      path: inclusion.path.map(parseDigest),
      root: parseDigest(epoch.root_hash),
    };
    const included =
      inclusion.epoch_id === epoch.epoch_id &&
      inclusion.leaf_index === seqNo - epoch.first_seq_no &&
      verifyInclusion(proof, this.#host.sha256);
    if (!included) {
      this.#log.add('INCLUSION_INVALID', {
        where: here,
        expected: epoch.root_hash,
        message: "The record's inclusion proof does not lead to the root of its epoch.",
      });
    }
    return included;
  }

  /** Epochs in which none of the records so far lies. */
  get unused(): Epoch[] {
    return this.#epochs.filter(({ seen }) => seen === 0).map(({ epoch }) => epoch);
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
   * After the last record: rebuilds the roots of the epochs that are wholly there, and wants a proof for every record of
   * the others and for no record of these.
   * @param expectWhole whether an epoch's run lies within what the bundle should hold completely
   */
  finish(expectWhole: (epoch: Epoch) => boolean): void {
    this.log.finish(this.#epochs.at(-1)?.epoch);
    for (const tracked of this.#epochs) {
      const { epoch, root } = tracked;
      const whole = root !== null;
      if (!whole && !expectWhole(epoch)) {
        if (tracked.firstUnproven !== null) {
          this.#log.add('INCLUSION_INVALID', {
            where: tracked.firstUnproven,
            message: `${counted(tracked.unproven, 'record')} of an epoch that is only partly in the bundle without inclusion proof.`,
          });
        }
        continue;
      }
      if (root === epoch.root_hash) this.rootsRebuilt++;
      else {
        this.#log.add('EPOCH_ROOT_MISMATCH', {
          where: place(epoch),
          expected: epoch.root_hash,
          actual: root ?? `${tracked.seen} of ${epoch.leaf_count} leaves in order`,
          message: "The bundle's records do not give the Merkle root that the epoch was sealed with.",
        });
      }
      if (tracked.firstProven !== null) {
        this.#log.add('INCLUSION_INVALID', {
          where: tracked.firstProven,
          message: `${counted(tracked.proven, 'record')} with an inclusion proof although the epoch is wholly in the bundle.`,
        });
      }
    }
  }
}
