/** Logs of an organization that a test makes up, signed with its service key, and what a witness is asked about them. */
import {
  consistencyPath,
  formatConsistencyProof,
  merkleRoot,
  parseDigest,
  type ServiceKey,
} from '../../src/protocol/index.ts';
import { makeBundle, ORG_ID, otherDigest, serviceKid } from './bundle-maker.ts';
import { checkpointAt } from './checkpoints.ts';
import { WHOLE } from './dishonest.ts';

export const serviceKeys: readonly ServiceKey[] = makeBundle(WHOLE).bundle.service_keys;
export const TRUSTED = `${serviceKid(0)}@${ORG_ID}`;

/** A log of so many leaves; from `differs` on another one. */
export const leavesOf = (size: number, differs = Number.POSITIVE_INFINITY): Uint8Array[] =>
  Array.from({ length: size }, (_, index) =>
    parseDigest(otherDigest(`${index}${index >= differs ? ' rewritten' : ''}`)),
  );

export const noteOf = (leaves: readonly Uint8Array[]): string => checkpointAt(leaves.length, merkleRoot(leaves));

const nodesOf = (leaves: readonly Uint8Array[]) => (height: number, at: number) =>
  merkleRoot(leaves.slice(at * 2 ** height, (at + 1) * 2 ** height));

export function requestOf(from: number, leaves: readonly Uint8Array[]): string {
  const path = from === 0 ? [] : consistencyPath(from, leaves.length, nodesOf(leaves));
  return formatConsistencyProof({ oldSize: from, path }, noteOf(leaves));
}
