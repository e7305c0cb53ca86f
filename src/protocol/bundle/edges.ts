import { canonicalBytes, type Json } from '../canonical.ts';
import { formatDigest, type Sha256, sha256 } from '../digest.ts';
import * as shape from '../shape.ts';
import { MAX_CHECKPOINT_BYTES } from '../statements/checkpoint.ts';
import { type Epoch, parseEpoch } from '../statements/epoch.ts';
import { parseReceipt, type Receipt } from '../statements/receipt.ts';
import { type OperationRecord, parseStoredRecord } from '../statements/record.ts';
import { gapList, hashList } from './bundle-record.ts';

/** A receipt next to the run of a bundle (protocol F145). */
export interface Neighbour {
  readonly ear: Receipt;
  /** As of a record. */
  readonly gap?: readonly string[];
  /** The record without its payload: of `after` in a bundle of one agent, and nowhere else. */
  readonly eor?: Omit<OperationRecord, 'payload'>;
}

/** What stands beside the records of a bundle (protocol F145). */
export interface Edges extends CarriedFiles {
  readonly before: Neighbour | null;
  readonly after: Neighbour | null;
  /** The log's leaves from the last receipt shown to the end of `head`. */
  readonly rest: readonly string[];
  /** The newest epoch when the bundle was made: its root of the log covers every receipt shown. Null of an empty ledger. */
  readonly head: Epoch | null;
}

/** What others said of the log, as the texts of files; each absent where the ledger has none (protocol F145). */
export interface CarriedFiles {
  /** Cosigned checkpoints, and consistency proofs that tie them to it. */
  readonly cosigned?: readonly string[];
  /** Files of time stamps, and consistency proofs that tie their checkpoints to it. */
  readonly stamped?: readonly string[];
}

/** Each text is as long as a checkpoint may be: what it says is read where somebody names those whose word counts. */
const carriedList: shape.Check = shape.listOf(1, 16, shape.text(1, MAX_CHECKPOINT_BYTES));
export const CARRIED_SHAPE: shape.Shape<CarriedFiles> = { cosigned: carriedList, stamped: carriedList };
export const CARRIED_MEMBERS = ['cosigned', 'stamped'] as const;

const EDGES_SHAPE: shape.Shape<Edges> = {
  before: shape.nullable(shape.object),
  after: shape.nullable(shape.object),
  rest: hashList,
  head: shape.nullable(shape.object),
  ...CARRIED_SHAPE,
};

const NEIGHBOUR_SHAPE: shape.Shape<Neighbour> = { ear: shape.object, gap: gapList, eor: shape.object };

function parseNeighbour(value: unknown, path: string): void {
  const neighbour = shape.parseShape<Neighbour>(value, NEIGHBOUR_SHAPE, path, ['gap', 'eor']);
  parseReceipt(neighbour.ear);
  if (neighbour.eor !== undefined) parseStoredRecord(neighbour.eor);
}

/** @throws ProtocolError SHAPE_INVALID */
export function parseEdges(value: unknown): Edges {
  const edges = shape.parseShape<Edges>(value, EDGES_SHAPE, 'edges', CARRIED_MEMBERS);
  if (edges.before !== null) parseNeighbour(edges.before, 'edges.before');
  if (edges.after !== null) parseNeighbour(edges.after, 'edges.after');
  if (edges.head !== null) parseEpoch(edges.head);
  return edges;
}

/** edges_digest: over the whole member of the bundle (protocol F140). */
export function edgesDigest(edges: Edges, hash: Sha256 = sha256): string {
  return formatDigest(hash(canonicalBytes(edges as unknown as Json)));
}
