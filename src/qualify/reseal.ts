import {
  type BundleRecord,
  consistencyPath,
  type Edges,
  type Epoch,
  epochHash,
  epochSignedBytes,
  formatDigest,
  frontierOf,
  inclusionPath,
  MerkleAccumulator,
  merkleRoot,
  type Neighbour,
  parseDigest,
  receiptLeafHash,
  receiptSignedBytes,
  utf8,
} from '../protocol/index.ts';
import { nodeCrypto } from '../runtime/index.ts';
import { type Bundle, leafOf } from './bundle.ts';

const { sha256 } = nodeCrypto;

/** A bundle whose records and neighbours have receipts of another service, which has sealed none of them yet. */
export type Unsealed = Pick<Bundle, 'epochs' | 'edges' | 'records'>;

/** Whoever seals. */
export interface Sealer {
  readonly kid: string;
  readonly orgId: string;
  readonly sign: (message: Uint8Array) => string;
  /** What replaces an event hash. */
  readonly newHead: (head: string | null) => string | null;
}

/** Epochs, proofs and edges over new receipts. Leaves that the bundle lacks are made up. */
export function reseal(bundle: Unsealed, sealer: Sealer): Unsealed {
  return new Reseal(bundle, sealer).run();
}

class Reseal {
  readonly #bundle: Unsealed;
  readonly #sealer: Sealer;
  /** By seq_no. */
  readonly #leaves = new Map<number, Uint8Array>();
  readonly #epochs = new Map<number, Epoch>();
  /** How many receipts there are before the first record. */
  readonly #before: number;

  constructor(bundle: Unsealed, sealer: Sealer) {
    this.#bundle = bundle;
    this.#sealer = sealer;
    this.#before = (bundle.records[0]?.ear.seq_no ?? 1) - 1;
    for (const record of bundle.records) this.#leaves.set(record.ear.seq_no, leafOf(record, sha256));
    for (const { ear } of this.#neighbours()) {
      this.#leaves.set(ear.seq_no, receiptLeafHash(receiptSignedBytes(ear), sha256));
    }
  }

  #neighbours(): Neighbour[] {
    const { before, after } = this.#bundle.edges;
    return [before, after].filter((neighbour) => neighbour !== null);
  }

  #leaf(seqNo: number): Uint8Array {
    return this.#leaves.get(seqNo) ?? sha256(utf8(`leaf ${seqNo}`));
  }

  #run({ first_seq_no: first, leaf_count: count }: Pick<Epoch, 'first_seq_no' | 'leaf_count'>): Uint8Array[] {
    return Array.from({ length: count }, (_, n) => this.#leaf(first + n));
  }

  run(): Unsealed {
    const log = MerkleAccumulator.from(this.#before, this.#bundle.edges.frontier.map(parseDigest), sha256);
    const own = new Set(this.#bundle.epochs.map(({ epoch_no }) => epoch_no));
    const given = [...this.#bundle.epochs, ...this.#neighbours().map(({ epoch }) => epoch)];
    for (const epoch of given.toSorted((a, b) => a.epoch_no - b.epoch_no)) {
      if (this.#epochs.has(epoch.epoch_no)) continue;
      const isWithin = own.has(epoch.epoch_no) && this.#bundle.records.length > 0 && epoch.last_seq_no > this.#before;
      while (isWithin && log.size < epoch.last_seq_no) log.append(this.#leaf(log.size + 1));
      // Of any other epoch a bundle does not tell what the log was.
      this.#seal(epoch, isWithin ? formatDigest(log.root()) : epoch.log_root);
    }
    return {
      epochs: this.#bundle.epochs.map((epoch) => this.#sealed(epoch)),
      records: this.#bundle.records.map((record) => this.#proven(record)),
      edges: this.#edges(),
    };
  }

  #seal({ signature_by_service: _, ...old }: Epoch, log_root: string): void {
    const { kid, orgId, sign, newHead } = this.#sealer;
    const previous = this.#epochs.get(old.epoch_no - 1);
    const statement = {
      ...old,
      org_id: orgId,
      root_hash: formatDigest(merkleRoot(this.#run(old), sha256)),
      log_root,
      prev_epoch_hash: previous === undefined ? old.prev_epoch_hash : epochHash(epochSignedBytes(previous), sha256),
      admin_head_hash: newHead(old.admin_head_hash),
      service_kid: kid,
    };
    this.#epochs.set(old.epoch_no, { ...statement, signature_by_service: sign(epochSignedBytes(statement)) });
  }

  #sealed(old: Epoch): Epoch {
    return this.#epochs.get(old.epoch_no) ?? old;
  }

  #path(epoch: Epoch, seqNo: number): string[] {
    return inclusionPath(this.#run(epoch), seqNo - epoch.first_seq_no, sha256).map(formatDigest);
  }

  #proven(record: BundleRecord): BundleRecord {
    const { inclusion, ear } = record;
    const epoch = this.#bundle.epochs.find(({ epoch_id }) => epoch_id === inclusion?.epoch_id);
    if (inclusion === undefined || epoch === undefined) return record;
    return { ...record, inclusion: { ...inclusion, path: this.#path(epoch, ear.seq_no) } };
  }

  #edges(): Edges {
    const beside = (neighbour: Neighbour | null): Neighbour | null =>
      neighbour && {
        ...neighbour,
        epoch: this.#sealed(neighbour.epoch),
        inclusion: { ...neighbour.inclusion, path: this.#path(neighbour.epoch, neighbour.ear.seq_no) },
      };
    const { before, after, frontier } = this.#bundle.edges;
    return { before: beside(before), after: beside(after), frontier, consistency: this.#consistency() };
  }

  /** From the log before the first record, of which there is the frontier alone, to the end of the last epoch. */
  #consistency(): string[] {
    const last = this.#bundle.epochs.at(-1);
    if (this.#before === 0 || last === undefined) return [];
    const peaks = new Map<string, Uint8Array>();
    const given = this.#bundle.edges.frontier.map(parseDigest);
    frontierOf(this.#before, (height, index) => {
      const peak = given[peaks.size] ?? new Uint8Array(32);
      peaks.set(`${height}/${index}`, peak);
      return peak;
    });
    const node = (height: number, index: number): Uint8Array => {
      const count = 2 ** height;
      const run = { first_seq_no: index * count + 1, leaf_count: count };
      return peaks.get(`${height}/${index}`) ?? merkleRoot(this.#run(run), sha256);
    };
    return consistencyPath(this.#before, last.last_seq_no, node, sha256).map(formatDigest);
  }
}
