import { concatBytes } from '../bytes.ts';
import { ProtocolError } from '../protocol-error.ts';
import * as shape from '../shape.ts';

/** What a bundle says of itself in its first member (protocol F130). */
export const BUNDLE_FORMAT = 'countersign.bundle.v1';

/** The arrays of a bundle, in the order writers use. */
export const ARRAY_MEMBERS = ['service_keys', 'agents', 'epochs', 'admin_events', 'records'] as const;

/** All members of a bundle, in the order writers use; each must be there once. */
export const BUNDLE_MEMBERS = [
  'format',
  'service_keys',
  'org',
  'agents',
  'epochs',
  'edges',
  'admin_events',
  'records',
  'manifest',
  'manifest_signature',
] as const;

/** A kind of document, by its members. */
export interface DocumentKind {
  readonly what: string;
  readonly members: readonly string[];
  readonly arrays: readonly string[];
}

export const BUNDLE: DocumentKind = { what: 'bundle', members: BUNDLE_MEMBERS, arrays: ARRAY_MEMBERS };

/** The organization a bundle is of. */
export interface BundleOrg {
  readonly org_id: string;
  readonly name: string;
}

export const ORG_SHAPE: shape.Shape<BundleOrg> = { org_id: shape.identifier, name: shape.text(0, 1024) };

/**
 * The bytes of a bundle. Each call starts again from the first byte: a bundle whose records stand before its directory is
 * read twice. A chunk must stay as it is once it was given: pieces of it are kept until they are checked.
 */
export type BundleSource = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The first bytes of a source; with `isWhole` all of it. @throws ProtocolError SHAPE_INVALID where it is longer than that */
export async function readPiece(source: BundleSource, most: number, isWhole: boolean): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source()) {
    pieces.push(chunk);
    bytes += chunk.length;
    if (bytes > most && isWhole) throw new ProtocolError('SHAPE_INVALID', `it has more than ${most} bytes`);
    if (bytes >= most) break;
  }
  return concatBytes(...pieces);
}
