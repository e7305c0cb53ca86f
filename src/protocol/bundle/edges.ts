import { canonicalBytes, type Json } from '../canonical.ts';
import { formatDigest, type Sha256, sha256 } from '../digest.ts';
import * as shape from '../shape.ts';
import { type Epoch, parseEpoch } from '../statements/epoch.ts';
import { parseReceipt, type Receipt } from '../statements/receipt.ts';
import { type OperationRecord, parseStoredRecord } from '../statements/record.ts';
import { INCLUSION_SHAPE } from './bundle-record.ts';
import type { Inclusion } from './document.ts';

/** A receipt next to the run of a bundle, with its epoch and its place in it (protocol §8). */
export interface Neighbour {
  readonly ear: Receipt;
  readonly epoch: Epoch;
  readonly inclusion: Inclusion;
  /** The record without its payload: of `after` in a bundle of one agent, and nowhere else. */
  readonly eor?: Omit<OperationRecord, 'payload'>;
}

/** What stands beside the records of a bundle (protocol §8). */
export interface Edges {
  readonly before: Neighbour | null;
  readonly after: Neighbour | null;
  /** Roots of the complete subtrees of the log before the first record, the largest first. */
  readonly frontier: readonly string[];
  /** From that size of the log to the end of the last epoch (RFC 6962 §2.1.2). */
  readonly consistency: readonly string[];
}

/** Where nothing is shown beside the records. */
export const NO_EDGES: Edges = { before: null, after: null, frontier: [], consistency: [] };

/** A proof has at most one hash for each bit of a size. */
const MAX_HASHES = 64;

const digests: shape.Check = (value) =>
  Array.isArray(value) && value.length <= MAX_HASHES && value.every((hash) => shape.digest(hash) === null)
    ? null
    : `an array of at most ${MAX_HASHES} digests`;

const EDGES_SHAPE: shape.Shape<Edges> = {
  before: shape.nullable(shape.object),
  after: shape.nullable(shape.object),
  frontier: digests,
  consistency: digests,
};

const NEIGHBOUR_SHAPE: shape.Shape<Neighbour> = {
  ear: shape.object,
  epoch: shape.object,
  inclusion: shape.object,
  eor: shape.object,
};

function parseNeighbour(value: unknown, path: string): Neighbour {
  const neighbour = shape.parseShape<Neighbour>(value, NEIGHBOUR_SHAPE, path, ['eor']);
  parseReceipt(neighbour.ear);
  parseEpoch(neighbour.epoch);
  shape.parseShape<Inclusion>(neighbour.inclusion, INCLUSION_SHAPE, `${path}.inclusion`);
  if (neighbour.eor !== undefined) parseStoredRecord(neighbour.eor);
  return neighbour;
}

/** @throws ProtocolError SHAPE_INVALID */
export function parseEdges(value: unknown): Edges {
  const edges = shape.parseShape<Edges>(value, EDGES_SHAPE, 'edges');
  if (edges.before !== null) parseNeighbour(edges.before, 'edges.before');
  if (edges.after !== null) parseNeighbour(edges.after, 'edges.after');
  return edges;
}

/** edges_digest: over the whole member of the bundle (protocol §8). */
export function edgesDigest(edges: Edges, hash: Sha256 = sha256): string {
  return formatDigest(hash(canonicalBytes(edges as unknown as Json)));
}
